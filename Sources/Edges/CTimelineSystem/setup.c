// Setup of a process before it runs foreign code.
#include "CTimelineSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <string.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

int timeline_set_limit(int limit, uint64_t soft, uint64_t hard) {
  struct rlimit value = {.rlim_cur = soft, .rlim_max = hard};
  switch (limit) {
  case TIMELINE_LIMIT_ADDRESS_SPACE: return setrlimit(RLIMIT_AS, &value);
  case TIMELINE_LIMIT_PROCESSOR_SECONDS: return setrlimit(RLIMIT_CPU, &value);
  case TIMELINE_LIMIT_OPEN_FILES: return setrlimit(RLIMIT_NOFILE, &value);
  case TIMELINE_LIMIT_PROCESSES: return setrlimit(RLIMIT_NPROC, &value);
  default: errno = EINVAL; return -1;
  }
}

int timeline_set_niceness(int niceness) { return setpriority(PRIO_PROCESS, 0, niceness); }

int timeline_set_io_priority(int class, int level) {
  // IOPRIO_WHO_PROCESS, and the calling thread; glibc has neither the call nor its constants.
  const int who_process = 1, class_shift = 13;
  return (int)syscall(SYS_ioprio_set, who_process, 0, class << class_shift | level);
}

int timeline_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void timeline_close_on_exec(int lowest) {
  // CLOSE_RANGE_CLOEXEC, which kernels from 5.11 on know.
  const unsigned int mark_only = 4;
  if (syscall(SYS_close_range, lowest, ~0U, mark_only) == 0) return;
  struct rlimit limit;
  const rlim_t highest = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1048576 ? limit.rlim_cur : 1048576;
  for (int number = lowest; number < (int)highest; number++) fcntl(number, F_SETFD, FD_CLOEXEC);
}

int timeline_has_mark(const char *path, const char *name) {
  char value;
  return getxattr(path, name, &value, sizeof value) == sizeof value && value == '1';
}

int timeline_set_attribute(const char *path, const char *name, const char *text) {
  return setxattr(path, name, text, strlen(text), 0);
}

char *timeline_attribute(const char *path, const char *name) {
  char value[256];
  ssize_t length = getxattr(path, name, value, sizeof value - 1);
  return length < 0 ? NULL : strndup(value, (size_t)length);
}

int timeline_set_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

int timeline_terminate_after(int64_t nanoseconds) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
  struct itimerspec once = {.it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return -1;
  return timer_settime(timer, 0, &once, NULL);
}

int timeline_create_file_at(int directory, const char *name) {
  return openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);
}

ssize_t timeline_access_list(const char *path, void *list, size_t capacity) {
  return getxattr(path, "system.posix_acl_access", list, capacity);
}

int timeline_open_step(int directory, const char *name) {
  if (!name) return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int timeline_access_as(const char *name, uid_t uid, gid_t gid, const char *path, int mode) {
  const int unknown = 255;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    if (timeline_become_user(name, uid, gid) != 0) _exit(unknown);
    _exit(faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 ? 0 : errno);
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) != unknown ? WEXITSTATUS(status) : -1;
}
