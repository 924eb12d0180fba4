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

/* An empty input, opened once: the commands of a process share it. */
static int nothing(void) {
  static int file = -1;
  if (file < 0) file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return file;
}

/* A file in memory takes all of the input at once, so that nobody has to feed a pipe beside reading two others. */
static int input_file(const char *input, unsigned long length) {
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

/* Signals that are caught are the kernel's to reset; to set all 64 would cost the command as many system calls. */
static void fill_set(sigset_t *set, unsigned long signals) {
  sigemptyset(set);
  for (int number = 1; signals != 0; number++, signals >>= 1) {
    if (signals & 1) sigaddset(set, number);
  }
}

static int set_attributes(posix_spawnattr_t *attributes, unsigned long ignored) {
  sigset_t none, defaults;
  sigemptyset(&none);
  fill_set(&defaults, ignored);
  int code = posix_spawnattr_setsigmask(attributes, &none);
  if (code == 0) code = posix_spawnattr_setsigdefault(attributes, &defaults);
  short flags = POSIX_SPAWN_SETSIGMASK | (ignored != 0 ? POSIX_SPAWN_SETSIGDEF : 0);
  return code == 0 ? posix_spawnattr_setflags(attributes, flags) : code;
}

static int add_actions(posix_spawn_file_actions_t *actions, const timelined_program *program, int input,
                       const int *writers) {
  int code = posix_spawn_file_actions_adddup2(actions, input, 0);
  if (code == 0) code = posix_spawn_file_actions_adddup2(actions, writers[0], 1);
  if (code == 0) code = posix_spawn_file_actions_adddup2(actions, writers[1], 2);
  /* The host's socket may have been opened without close-on-exec, and is nobody else's. */
  if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
  if (code == 0 && program->directory != NULL) code = posix_spawn_file_actions_addchdir_np(actions, program->directory);
  return code;
}

/* The C library starts it as vfork does, so the cost does not grow with this process's memory. */
static int spawn(const char *path, const timelined_program *program, timelined_words environment, int input,
                 const int *writers, int *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  code = set_attributes(&attributes, program->ignored);
  if (code == 0) code = add_actions(&actions, program, input, writers);
  if (code == 0) code = posix_spawn(process, path, &actions, &attributes, program->arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/* A pipe of which only the reader does not wait: what a command writes to is its own to set. */
static int open_pipe(int *reader, int *writer) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return errno;
  *reader = ends[0];
  *writer = ends[1];
  return fcntl(*reader, F_SETFL, O_NONBLOCK) < 0 ? errno : 0;
}

int timelined_command_start(const char *path, const timelined_program *program, timelined_words environment,
                            timelined_command *command) {
  *command = (timelined_command){.process = -1, .handle = -1, .output = -1, .diagnostics = -1, .writers = {-1, -1}};
  int input = program->input == NULL ? nothing() : input_file(program->input, program->input_length);
  int code = input < 0 ? errno : 0;
  if (code == 0) code = open_pipe(&command->output, &command->writers[0]);
  if (code == 0) code = open_pipe(&command->diagnostics, &command->writers[1]);
  if (code == 0) code = spawn(path, program, environment, input, command->writers, &command->process);
  if (code == 0) {
    command->handle = (int)syscall(SYS_pidfd_open, command->process, 0);
    if (command->handle < 0) {
      code = errno;
      kill(command->process, SIGKILL);
      waitpid(command->process, NULL, 0);
    }
  }
  if (input >= 0 && program->input != NULL) close(input);
  if (code != 0) timelined_command_close(command);
  return code;
}

/* The handle is looked at before the pipes, so what was printed before the end is seen with it. */
timelined_news timelined_command_wait(const timelined_command *command) {
  struct pollfd wanted[3] = {
      {.fd = command->handle, .events = POLLIN},
      {.fd = command->output, .events = POLLIN},
      {.fd = command->diagnostics, .events = POLLIN},
  };
  timelined_news news = {0};
  if (poll(wanted, 3, -1) <= 0) return news;
  news.has_output = wanted[1].revents != 0;
  news.has_diagnostics = wanted[2].revents != 0;
  if (wanted[0].revents == 0) return news;
  siginfo_t information = {0};
  int code;
  do {
    code = waitid((idtype_t)3 /* P_PIDFD, which glibc 2.36 names */, (id_t)command->handle, &information,
                  WEXITED | WNOHANG);
  } while (code < 0 && errno == EINTR);
  if (code < 0 || information.si_pid == 0) return news;
  news.has_ended = 1;
  news.status = information.si_code == CLD_EXITED ? information.si_status : 0;
  news.signal = information.si_code == CLD_EXITED ? 0 : information.si_status;
  return news;
}

void timelined_command_close(timelined_command *command) {
  int *descriptors[] = {&command->handle, &command->output, &command->diagnostics, &command->writers[0],
                        &command->writers[1]};
  for (unsigned index = 0; index < sizeof descriptors / sizeof *descriptors; index++) {
    if (*descriptors[index] >= 0) close(*descriptors[index]);
    *descriptors[index] = -1;
  }
}

unsigned long timelined_ignored_signals(void) {
  unsigned long ignored = 0;
  for (int number = 1; number <= 64; number++) {
    struct sigaction current;
    if (sigaction(number, NULL, &current) == 0 && current.sa_handler == SIG_IGN) ignored |= 1UL << (number - 1);
  }
  return ignored;
}

unsigned long timelined_memory_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}
