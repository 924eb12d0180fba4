// Clocks, timers, and waiting for descriptors.
#include "CTimelineSystem.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

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
int64_t timeline_now_boot(void) { return nanoseconds_on(CLOCK_BOOTTIME); }

int timeline_clock_is_synchronized(void) {
  struct timex clock = {.modes = 0};
  if (adjtimex(&clock) < 0) return -1;
  return (clock.status & STA_UNSYNC) == 0;
}

int timeline_touch_wall_clock(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  return clock_settime(CLOCK_REALTIME, &now);
}

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
  const struct timespec *until = nanoseconds < 0 ? NULL : &timeout;
  int count = epoll_pwait2(epoll, ready, capacity, until, NULL);
  if (count < 0 && errno == ENOSYS) {
    struct pollfd watched = {.fd = epoll, .events = POLLIN};
    count = ppoll(&watched, 1, until, NULL);
    if (count > 0) count = epoll_wait(epoll, ready, capacity, 0);
  }
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

// Directories

int timeline_directory_watch_open(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int timeline_directory_watch_add(int fd, const char *path) {
  const uint32_t changes = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
  return inotify_add_watch(fd, path, changes | IN_ONLYDIR);
}

int timeline_file_watch_add(int fd, const char *path, int is_directory) {
  // The name of a file that is open somewhere goes with a change of its attributes, the count of its names.
  const uint32_t changes = IN_DELETE_SELF | IN_MOVE_SELF;
  return inotify_add_watch(fd, path, is_directory ? changes | IN_ONLYDIR : changes | IN_ATTRIB | IN_DONT_FOLLOW);
}

int timeline_directory_watch_remove(int fd, int number) { return inotify_rm_watch(fd, number); }

void timeline_directory_watch_drain(int fd) {
  // A long burst is taken in parts: what is left makes the descriptor readable again.
  _Alignas(struct inotify_event) char noticed[4096];
  while (read(fd, noticed, sizeof noticed) == -1 && errno == EINTR) continue;
}
