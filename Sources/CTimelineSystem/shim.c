#include "CTimelineSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static const int64_t nanoseconds_per_second = 1000000000;

static struct timespec timespec_of(int64_t nanoseconds) {
  struct timespec result = {
      .tv_sec = nanoseconds / nanoseconds_per_second,
      .tv_nsec = nanoseconds % nanoseconds_per_second,
  };
  return result;
}

static int64_t nanoseconds_on(clockid_t clock) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  int64_t result;
  if (__builtin_mul_overflow((int64_t)now.tv_sec, nanoseconds_per_second, &result)) return INT64_MAX;
  if (__builtin_add_overflow(result, (int64_t)now.tv_nsec, &result)) return INT64_MAX;
  return result;
}

int64_t timeline_now_wall(void) { return nanoseconds_on(CLOCK_REALTIME); }
int64_t timeline_now_monotonic(void) { return nanoseconds_on(CLOCK_MONOTONIC); }

int timeline_touch_wall_clock(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  return clock_settime(CLOCK_REALTIME, &now);
}

// Readiness

const uint32_t timeline_epoll_in = EPOLLIN;
const uint32_t timeline_epoll_out = EPOLLOUT;
const uint32_t timeline_epoll_peer_closed = EPOLLRDHUP;
const uint32_t timeline_epoll_hang_up = EPOLLHUP;
const uint32_t timeline_epoll_error = EPOLLERR;

int timeline_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int epoll_control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data = {.u64 = token}};
  return epoll_ctl(epoll, operation, fd, &event);
}

int timeline_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
  return epoll_control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

int timeline_epoll_change(int epoll, int fd, uint32_t events, uint64_t token) {
  return epoll_control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

int timeline_epoll_remove(int epoll, int fd) { return epoll_control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int timeline_epoll_wait(int epoll, struct timeline_epoll_event *events, int capacity, int64_t nanoseconds) {
  struct epoll_event ready[TIMELINE_EPOLL_EVENTS_MAX];
  if (capacity > TIMELINE_EPOLL_EVENTS_MAX) capacity = TIMELINE_EPOLL_EVENTS_MAX;
  struct timespec timeout = timespec_of(nanoseconds < 0 ? 0 : nanoseconds);
  int count = epoll_pwait2(epoll, ready, capacity, nanoseconds < 0 ? NULL : &timeout, NULL);
  for (int index = 0; index < count; index++) {
    events[index].events = ready[index].events;
    events[index].token = ready[index].data.u64;
  }
  return count;
}

int timeline_wait_ready(int fd, int writing, int64_t nanoseconds) {
  struct pollfd watched = {.fd = fd, .events = writing ? POLLOUT : POLLIN};
  struct timespec timeout = timespec_of(nanoseconds < 0 ? 0 : nanoseconds);
  int count = ppoll(&watched, 1, nanoseconds < 0 ? NULL : &timeout, NULL);
  if (count == 1 && (watched.revents & POLLNVAL)) {
    errno = EBADF;
    return -1;
  }
  return count;
}

// Timers

int timeline_timer_create_monotonic(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }
int timeline_timer_create_wall(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int timeline_timer_arm(int timer, int64_t nanoseconds, int cancel_on_set) {
  // Zero would disarm and a negative value is refused; one nanosecond after the epoch has passed as well.
  struct itimerspec value = {.it_value = timespec_of(nanoseconds < 1 ? 1 : nanoseconds)};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME | (cancel_on_set ? TFD_TIMER_CANCEL_ON_SET : 0), &value, NULL);
}

int timeline_timer_disarm(int timer) {
  struct itimerspec value = {0};
  return timerfd_settime(timer, 0, &value, NULL);
}

int timeline_event_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void timeline_event_raise(int fd) {
  // EAGAIN would mean 2^64 - 2 raises that nobody cleared: the descriptor is readable all the same.
  while (eventfd_write(fd, 1) != 0 && errno == EINTR) continue;
}

void timeline_event_clear(int fd) {
  eventfd_t count;
  while (eventfd_read(fd, &count) != 0 && errno == EINTR) continue;
}

// Signals

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

int timeline_signal_read(int fd) {
  struct signalfd_siginfo information;
  ssize_t count = read(fd, &information, sizeof information);
  if (count < 0) return -1;
  return (int)information.ssi_signo;
}

int timeline_signal_unblock(const int *signals, int count) {
  sigset_t set = set_of(signals, count);
  return pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

const char *timeline_signal_name(int signal) { return sigabbrev_np(signal); }

int timeline_ignore_broken_pipes(void) { return signal(SIGPIPE, SIG_IGN) == SIG_ERR ? -1 : 0; }

const char *timeline_error_name(int code) { return strerrorname_np(code); }
const char *timeline_error_text(int code) { return strerrordesc_np(code); }

// Processes

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
  if (failure == 0) failure = posix_spawnattr_setpgroup(attributes, 0);
  if (failure == 0)
    failure = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  return failure;
}

int timeline_spawn(const struct timeline_spawn *request, pid_t *pid) {
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

// Sockets, pipes, files

int timeline_seqpacket_pair(int descriptors[2]) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, descriptors);
}

ssize_t timeline_message_send(int fd, const void *bytes, size_t count) {
  return send(fd, bytes, count, MSG_NOSIGNAL);
}

ssize_t timeline_message_receive(int fd, void *bytes, size_t count) {
  return recv(fd, bytes, count, MSG_TRUNC);
}

int timeline_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

static int address_of(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

int timeline_unix_bind(int fd, const char *path) {
  struct sockaddr_un address;
  if (address_of(path, &address) != 0) return -1;
  return bind(fd, (const struct sockaddr *)&address, sizeof address);
}

int timeline_unix_connect(int fd, const char *path, int64_t nanoseconds) {
  struct sockaddr_un address;
  if (address_of(path, &address) != 0) return -1;
  // A non-blocking connect cannot be waited for in the Unix family; a blocking one obeys the send timeout, and a
  // timeout of zero would mean none.
  int64_t microseconds = nanoseconds / 1000;
  if (microseconds < 1) microseconds = 1;
  struct timeval timeout = {.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000};
  if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) != 0) return -1;
  if (timeline_set_nonblocking(fd, 0) != 0) return -1;
  int result = connect(fd, (const struct sockaddr *)&address, sizeof address);
  int failure = errno;
  if (timeline_set_nonblocking(fd, 1) != 0) return -1;
  errno = failure;
  return result;
}

int timeline_unix_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int timeline_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return 0;
}

ssize_t timeline_stream_write(int fd, const void *bytes, size_t count) {
  ssize_t result = send(fd, bytes, count, MSG_NOSIGNAL);
  return result < 0 && errno == ENOTSOCK ? write(fd, bytes, count) : result;
}

int timeline_pipe(int descriptors[2]) {
  if (pipe2(descriptors, O_CLOEXEC) != 0) return -1;
  return timeline_set_nonblocking(descriptors[0], 1);
}

int timeline_duplicate(int fd, int minimum) { return fcntl(fd, F_DUPFD_CLOEXEC, minimum); }

int timeline_set_nonblocking(int fd, int nonblocking) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0) return -1;
  return fcntl(fd, F_SETFL, nonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

int timeline_open_reading(const char *path) { return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); }
