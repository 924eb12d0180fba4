#include "CExec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_all(int *descriptors, int count) {
  for (int index = 0; index < count; index++) {
    if (descriptors[index] >= 0) close(descriptors[index]);
    descriptors[index] = -1;
  }
}

/* A file in memory takes all of the input at once, so that nobody has to feed a pipe beside reading two others. */
static int input_file(const char *input, unsigned long length) {
  if (input == NULL) return open("/dev/null", O_RDONLY | O_CLOEXEC);
  int file = memfd_create("stdin", MFD_CLOEXEC);
  for (unsigned long done = 0; file >= 0 && done < length;) {
    ssize_t written = write(file, input + done, length - done);
    if (written < 0 && errno != EINTR) {
      int code = errno;
      close(file);
      errno = code;
      return -1;
    }
    if (written > 0) done += (unsigned long)written;
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}

static int spawn(const char *path, char *const *arguments, char *const *environment, const char *directory,
                 int input, int output, int diagnostics, int *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, &all);
  if (code == 0) code = posix_spawnattr_setsigmask(&attributes, &none);
  if (code == 0) code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, input, 0);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, diagnostics, 2);
  /* The host's socket may have been opened without close-on-exec, and is nobody else's. */
  if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (code == 0 && directory != NULL) code = posix_spawn_file_actions_addchdir_np(&actions, directory);
  pid_t pid = -1;
  if (code == 0) code = posix_spawn(&pid, path, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  *process = pid;
  return code;
}

int timelined_command_start(const char *path, char *const *arguments, char *const *environment,
                            const char *directory, const char *input, unsigned long input_length,
                            timelined_command *command) {
  /* In turn: input, output to read and write, diagnostics to read and write. */
  int descriptors[5] = {-1, -1, -1, -1, -1};
  int code = 0;
  descriptors[0] = input_file(input, input_length);
  if (descriptors[0] < 0 || pipe2(descriptors + 1, O_CLOEXEC) < 0 || pipe2(descriptors + 3, O_CLOEXEC) < 0) {
    code = errno;
  }
  if (code == 0) {
    code = spawn(path, arguments, environment, directory, descriptors[0], descriptors[2], descriptors[4],
                 &command->process);
  }
  if (code == 0) {
    command->handle = (int)syscall(SYS_pidfd_open, command->process, 0);
    if (command->handle < 0) {
      code = errno;
      kill(command->process, SIGKILL);
      waitpid(command->process, NULL, 0);
    }
  }
  if (code != 0) {
    close_all(descriptors, 5);
    return code;
  }
  command->output = descriptors[1];
  command->diagnostics = descriptors[3];
  descriptors[1] = descriptors[3] = -1;
  fcntl(command->output, F_SETFL, O_NONBLOCK);
  fcntl(command->diagnostics, F_SETFL, O_NONBLOCK);
  close_all(descriptors, 5);
  return 0;
}

void timelined_command_wait(const timelined_command *command) {
  struct pollfd wanted[3] = {
      {.fd = command->handle, .events = POLLIN},
      {.fd = command->output, .events = POLLIN},
      {.fd = command->diagnostics, .events = POLLIN},
  };
  poll(wanted, 3, -1);
}

int timelined_command_ended(const timelined_command *command, int *status, int *signal) {
  siginfo_t information = {0};
  int code;
  do {
    code = waitid((idtype_t)3 /* P_PIDFD, which glibc 2.36 names */, (id_t)command->handle, &information,
                  WEXITED | WNOHANG);
  } while (code < 0 && errno == EINTR);
  if (code < 0 || information.si_pid == 0) return 0;
  *status = information.si_code == CLD_EXITED ? information.si_status : 0;
  *signal = information.si_code == CLD_EXITED ? 0 : information.si_status;
  return 1;
}

unsigned long timelined_memory_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}
