// What foreign code may leave behind in a process: attributes that the programs it starts later would inherit.
#include "CTimelineSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Signals that programs are asked to ignore; not those of a fault, by which a program ends all the same.
static const int signals[] = {
  SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU, SIGXFSZ,
};

enum { streams = 3, signal_count = sizeof signals / sizeof signals[0] };

struct stream {
  int is_open, flags;
  struct stat file;
};

struct timeline_process_state {
  mode_t mask;
  sigset_t blocked;
  struct sigaction actions[signal_count];
  int niceness, policy, has_processors, is_root, has_found;
  long io_priority;
  struct sched_param parameters;
  cpu_set_t processors;
  struct rlimit limits[RLIM_NLIMITS];
  uid_t users[3];
  gid_t groups[3];
  struct stat root;
  struct stream streams[streams];
  int output;
  // The variables twice: as they were, and those that the environment points at, which foreign code can write to.
  size_t variable_count, text_size;
  char *text, *used;
};

static long io_priority(void) {
  const int who_process = 1;
  return syscall(SYS_ioprio_get, who_process, 0);
}

// Half as long as getrlimit of the C library, which asks about another process.
static int read_limit(int limit, struct rlimit *value) {
#ifdef SYS_getrlimit
  return (int)syscall(SYS_getrlimit, limit, value);
#else
  return getrlimit(limit, value);
#endif
}

static int is_same_file(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_rdev == other->st_rdev;
}

static struct stream stream_now(int number) {
  struct stream stream = {0};
  stream.is_open = fstat(number, &stream.file) == 0;
  // Standard error is the same open file as standard output.
  stream.flags = stream.is_open && number == STDOUT_FILENO ? fcntl(number, F_GETFL) : 0;
  return stream;
}

static int take_variables(struct timeline_process_state *state) {
  for (char **entry = environ; *entry; entry++) {
    state->variable_count++;
    state->text_size += strlen(*entry) + 1;
  }
  state->text = malloc(state->text_size);
  state->used = malloc(state->text_size);
  if (!state->text || !state->used) return -1;
  char *end = state->text;
  for (char **entry = environ; *entry; entry++) end = stpcpy(end, *entry) + 1;
  return 0;
}

struct timeline_process_state *timeline_state_take(int output) {
  struct timeline_process_state *state = calloc(1, sizeof *state);
  if (!state) return NULL;
  state->output = output;
  if (take_variables(state)) return NULL;
  state->mask = umask(0);
  umask(state->mask);
  sigprocmask(SIG_SETMASK, NULL, &state->blocked);
  for (int index = 0; index < signal_count; index++) sigaction(signals[index], NULL, &state->actions[index]);
  state->niceness = getpriority(PRIO_PROCESS, 0);
  state->io_priority = io_priority();
  state->policy = sched_getscheduler(0);
  sched_getparam(0, &state->parameters);
  state->has_processors = sched_getaffinity(0, sizeof state->processors, &state->processors) == 0;
  for (int limit = 0; limit < RLIM_NLIMITS; limit++) read_limit(limit, &state->limits[limit]);
  getresuid(&state->users[0], &state->users[1], &state->users[2]);
  getresgid(&state->groups[0], &state->groups[1], &state->groups[2]);
  state->is_root = !state->users[0] || !state->users[1] || !state->users[2];
  stat("/", &state->root);
  for (int number = 0; number < streams; number++) state->streams[number] = stream_now(number);
  return state;
}

static int are_variables_same(const struct timeline_process_state *state) {
  const char *text = state->text;
  size_t count = 0;
  for (char **entry = environ; entry && *entry; entry++, count++) {
    if (count == state->variable_count || strcmp(*entry, text) != 0) return 0;
    text += strlen(text) + 1;
  }
  return count == state->variable_count;
}

static int restore_variables(struct timeline_process_state *state) {
  if (are_variables_same(state)) return 0;
  if (clearenv()) return -1;
  memcpy(state->used, state->text, state->text_size);
  char *text = state->used;
  for (size_t index = 0; index < state->variable_count; index++, text += strlen(text) + 1)
    if (putenv(text)) return -1;
  return 0;
}

// A handler of foreign code is its own affair: programs do not inherit it. They do inherit that a signal is ignored.
static int restore_signals(struct timeline_process_state *state) {
  int failure = 0;
  for (int index = 0; index < signal_count; index++) {
    const struct sigaction *before = &state->actions[index];
    struct sigaction now;
    if (sigaction(signals[index], NULL, &now)) continue;
    int is_own = before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN;
    int is_ignored = now.sa_handler == SIG_IGN || (now.sa_flags & SA_NOCLDWAIT);
    if (now.sa_handler == before->sa_handler && now.sa_flags == before->sa_flags) continue;
    if (!is_own && !is_ignored) continue;
    state->has_found = 1;
    failure |= sigaction(signals[index], before, NULL);
  }
  struct itimerval former;
  failure |= setitimer(ITIMER_REAL, &(struct itimerval){0}, &former);
  if (former.it_value.tv_sec || former.it_value.tv_usec) state->has_found = 1;
  return failure;
}

static int restore_scheduling(struct timeline_process_state *state) {
  struct sched_param parameters = {0};
  sched_getparam(0, &parameters);
  if (sched_getscheduler(0) != state->policy || parameters.sched_priority != state->parameters.sched_priority) {
    state->has_found = 1;
    if (sched_setscheduler(0, state->policy, &state->parameters)) return -1;
  }
  cpu_set_t processors;
  if (!state->has_processors || sched_getaffinity(0, sizeof processors, &processors)) return 0;
  if (CPU_EQUAL(&processors, &state->processors)) return 0;
  state->has_found = 1;
  return sched_setaffinity(0, sizeof state->processors, &state->processors);
}

static int restore_limits(struct timeline_process_state *state) {
  int failure = 0;
  for (int limit = 0; limit < RLIM_NLIMITS; limit++) {
    const struct rlimit *before = &state->limits[limit];
    struct rlimit now;
    if (read_limit(limit, &now) || (now.rlim_cur == before->rlim_cur && now.rlim_max == before->rlim_max)) continue;
    state->has_found = 1;
    failure |= setrlimit(limit, before);
  }
  return failure;
}

// Only root can change its user or its root directory.
static int is_another(const struct timeline_process_state *state) {
  if (!state->is_root) return 0;
  struct stat root;
  if (stat("/", &root) || !is_same_file(&root, &state->root)) return 1;
  uid_t users[3];
  gid_t groups[3];
  getresuid(&users[0], &users[1], &users[2]);
  getresgid(&groups[0], &groups[1], &groups[2]);
  return memcmp(users, state->users, sizeof users) != 0 || memcmp(groups, state->groups, sizeof groups) != 0;
}

static int restore_stream(struct timeline_process_state *state, int number) {
  const struct stream *before = &state->streams[number];
  struct stream now = stream_now(number);
  if (!before->is_open) return 0;
  if (!now.is_open || !is_same_file(&now.file, &before->file)) {
    state->has_found = 1;
    // A stream that is the null device is opened again, one that leads to the reader of the output is copied.
    struct stat copy;
    int is_output = fstat(state->output, &copy) == 0 && is_same_file(&copy, &before->file);
    int source = is_output ? state->output : open("/dev/null", O_RDWR | O_CLOEXEC);
    struct stat found;
    if (source < 0 || fstat(source, &found) || !is_same_file(&found, &before->file)) return -1;
    // The number may be free, and then be the one that open has given.
    int failure = source == number ? fcntl(number, F_SETFD, 0) : dup2(source, number);
    if (!is_output && source != number) close(source);
    if (failure < 0) return -1;
    now = stream_now(number);
  }
  if (now.flags == before->flags) return 0;
  state->has_found = 1;
  return fcntl(number, F_SETFL, before->flags);
}

const char *timeline_state_restore_first(struct timeline_process_state *state) {
  const char *fault = NULL;
  umask(state->mask);
  if (restore_variables(state)) fault = "environment";
  if (sigprocmask(SIG_SETMASK, &state->blocked, NULL)) fault = "signal mask";
  if (getpriority(PRIO_PROCESS, 0) != state->niceness && setpriority(PRIO_PROCESS, 0, state->niceness)) fault = "niceness";
  return fault;
}

const char *timeline_state_restore_rest(struct timeline_process_state *state, int *has_found) {
  const char *fault = NULL;
  state->has_found = 0;
  if (restore_signals(state)) fault = "signals";
  if (restore_scheduling(state)) fault = "scheduling";
  if (io_priority() != state->io_priority) {
    state->has_found = 1;
    if (syscall(SYS_ioprio_set, 1, 0, state->io_priority)) fault = "disk priority";
  }
  if (restore_limits(state)) fault = "resource limits";
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) && errno != EINVAL) fault = "child subreaper";
  for (int number = 0; number < streams; number++)
    if (restore_stream(state, number)) fault = "standard streams";
  *has_found = state->has_found;
  return is_another(state) ? "user or root directory" : fault;
}
