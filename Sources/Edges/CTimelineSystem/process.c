// Children, signals, threads and what this process may do.
#include "CTimelineSystem.h"

#include <errno.h>
#include <grp.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static sigset_t set_of(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int index = 0; index < count; index++) sigaddset(&set, signals[index]);
  return set;
}

int timeline_signal_open(const int *signals, int count) {
  sigset_t set = set_of(signals, count);
  int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (failure != 0) {
    errno = failure;
    return -1;
  }
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int timeline_signal_read(int fd, int *pid, unsigned *user) {
  struct signalfd_siginfo information;
  ssize_t count = read(fd, &information, sizeof information);
  if (count < 0) return -1;
  int is_sent = information.ssi_code == SI_USER || information.ssi_code == SI_QUEUE || information.ssi_code == SI_TKILL;
  *pid = is_sent ? (int)information.ssi_pid : 0;
  *user = information.ssi_uid;
  return (int)information.ssi_signo;
}

int timeline_signal_unblock(const int *signals, int count) {
  sigset_t set = set_of(signals, count);
  return pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

const char *timeline_signal_name(int signal) { return sigabbrev_np(signal); }

static void do_nothing(int number) { (void)number; }

int timeline_survive_writes(void) {
  // A handler, unlike SIG_IGN, is not handed down to what is executed: a job's own limit on its files is the job's affair.
  struct sigaction survive = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
  if (sigaction(SIGXFSZ, &survive, NULL) != 0) return -1;
  return signal(SIGPIPE, SIG_IGN) == SIG_ERR ? -1 : 0;
}

void timeline_return_unused_memory(void) { malloc_trim(0); }

const char *timeline_error_name(int code) { return strerrorname_np(code); }
const char *timeline_error_text(int code) { return strerrordesc_np(code); }

static int add_descriptors(posix_spawn_file_actions_t *actions, const struct timeline_spawn *request) {
  int highest = -1;
  for (int index = 0; index < request->count; index++) {
    int failure = posix_spawn_file_actions_adddup2(actions, request->sources[index], request->targets[index]);
    if (failure != 0) return failure;
    if (request->targets[index] > highest) highest = request->targets[index];
  }
  for (int number = 0; number < highest; number++) {
    int wanted = 0;
    for (int index = 0; index < request->count; index++) wanted |= request->targets[index] == number;
    int failure = wanted ? 0 : posix_spawn_file_actions_addclose(actions, number);
    if (failure != 0) return failure;
  }
  return posix_spawn_file_actions_addclosefrom_np(actions, highest + 1);
}

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int failure = posix_spawnattr_setsigmask(attributes, &none);
  if (failure == 0) failure = posix_spawnattr_setsigdefault(attributes, &all);
  if (failure == 0)
    failure = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  return failure;
}

// Resets SIGCHLD if the parent process ignored it: that is inherited and makes the kernel reap our children.
static void keep_children_for_reaping(void) {
  struct sigaction current;
  if (sigaction(SIGCHLD, NULL, &current) == 0 && current.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

int timeline_spawn(const struct timeline_spawn *request, pid_t *pid) {
  keep_children_for_reaping();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) return failure;
  failure = posix_spawnattr_init(&attributes);
  if (failure != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return failure;
  }
  if (request->directory != NULL) failure = posix_spawn_file_actions_addchdir_np(&actions, request->directory);
  if (failure == 0) failure = add_descriptors(&actions, request);
  if (failure == 0) failure = set_attributes(&attributes);
  if (failure == 0)
    failure = posix_spawn(pid, request->path, &actions, &attributes, request->arguments, request->environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

void timeline_discard_child(pid_t pid) {
  kill(-pid, SIGKILL);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
}

int timeline_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int timeline_pidfd_wait(int pidfd, int block, int keep, int *status, int *signal) {
  siginfo_t information = {0};
  int options = WEXITED | (block ? 0 : WNOHANG) | (keep ? WNOWAIT : 0);
  if (waitid(P_PIDFD, (id_t)pidfd, &information, options) != 0) return -1;
  if (information.si_pid == 0) return 0;
  int exited = information.si_code == CLD_EXITED;
  *status = exited ? information.si_status : 0;
  *signal = exited ? 0 : information.si_status;
  return 1;
}

int timeline_pidfd_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

struct thread_start {
  void (*body)(void *);
  void *context;
};

static void *run_thread(void *raw) {
  struct thread_start start = *(struct thread_start *)raw;
  free(raw);
  start.body(start.context);
  return NULL;
}

int timeline_thread_start(const char *name, void (*body)(void *), void *context) {
  struct thread_start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  *start = (struct thread_start){.body = body, .context = context};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, run_thread, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure != 0) {
    free(start);
    return failure;
  }
  pthread_setname_np(thread, name);
  pthread_detach(thread);
  return 0;
}

int timeline_set_timer_slack(uint64_t nanoseconds) { return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0); }
int timeline_set_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int timeline_become_user(const char *name, uid_t uid, gid_t gid) {
  if (initgroups(name, gid) != 0) return -1;
  if (setresgid(gid, gid, gid) != 0) return -1;
  return setresuid(uid, uid, uid);
}

// The structure of linux/sched/types.h, which cannot be included beside glibc's own headers of before 2.41.
struct scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

static int get_scheduling(pid_t thread, struct scheduling *scheduling) {
  return syscall(SYS_sched_getattr, thread, scheduling, sizeof *scheduling, 0) == 0 && scheduling->policy == SCHED_OTHER;
}

int timeline_set_time_slice(uint64_t nanoseconds) {
  struct scheduling scheduling = {0};
  if (!get_scheduling(0, &scheduling)) return 0;
  scheduling.runtime = nanoseconds;
  return syscall(SYS_sched_setattr, 0, &scheduling, 0) == 0;
}

uint64_t timeline_time_slice(pid_t thread) {
  struct scheduling scheduling = {0};
  return get_scheduling(thread, &scheduling) ? scheduling.runtime : 0;
}
