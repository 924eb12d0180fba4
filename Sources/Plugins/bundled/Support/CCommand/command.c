#include "CCommand.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Returns the descriptor of an empty input. It is opened once, and the commands of a process share it. */
static int nothing(void) {
  static int file = -1;
  if (file < 0) file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return file;
}

/* Returns a file in memory with the whole input. A pipe would have to be written while two other pipes are read. */
static int input_file(const char *input, unsigned long length) {
  int file = memfd_create("stdin", MFD_CLOEXEC);
  for (unsigned long done = 0; file >= 0 && done < length;) {
    ssize_t written = write(file, input + done, length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      int code = written < 0 ? errno : EIO;
      close(file);
      errno = code;
      return -1;
    }
    done += (unsigned long)written;
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}

/* Prepares the child: its descriptors, and its working directory (`directory`, -1 for the host's). In the child no signal is
 * blocked or ignored. */
static int describe_child(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, const int descriptors[3],
                          int directory) {
  int code = 0;
  for (int target = 0; target < 3 && code == 0; target++)
    code = posix_spawn_file_actions_adddup2(actions, descriptors[target], target);
  if (code == 0 && directory >= 0) code = posix_spawn_file_actions_addfchdir_np(actions, directory);
  /* Closes the host's socket, which may have been opened without close-on-exec. */
  if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (code == 0) code = posix_spawnattr_setsigmask(attributes, &none);
  if (code == 0) code = posix_spawnattr_setsigdefault(attributes, &all);
  if (code == 0) code = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  return code;
}

/* Starts the program with posix_spawn. The child shares this process's memory until it executes the program, so the cost does
 * not grow with the size of that memory. */
static int spawn(const char *path, const timelined_program *program, timelined_words environment,
                 const int descriptors[3], int directory, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code == 0) {
    code = describe_child(&actions, &attributes, descriptors, directory);
    if (code == 0) code = posix_spawn(process, path, &actions, &attributes, program->arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/* Opens the directory in which a program is to start. Fails if the caller may not enter the directory. */
static int open_directory(const char *path) {
  int directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0 || faccessat(directory, ".", X_OK, AT_EACCESS) == 0) return directory;
  int code = errno;
  close(directory);
  errno = code;
  return -1;
}

/* Opens a pipe. Only the host's end is non-blocking, because the command chooses the mode of its own end. */
static int open_pipe(int *reader, int *writer, int *ours) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return errno;
  *reader = ends[0];
  *writer = ends[1];
  return fcntl(*ours, F_SETFL, O_NONBLOCK) < 0 ? errno : 0;
}

/* Opens the standard input of the command: a pipe, a file in memory, or /dev/null. */
static int open_input(const timelined_program *program, timelined_command *command, int *input) {
  if (program->takes_input) return open_pipe(input, &command->input, &command->input);
  *input = program->input == NULL ? nothing() : input_file(program->input, program->input_length);
  return *input < 0 ? errno : 0;
}

int timelined_command_start(const char *path, const timelined_program *program, timelined_words environment,
                            timelined_command *command, int *of_directory) {
  *command = (timelined_command){
      .process = -1, .handle = -1, .output = -1, .diagnostics = -1, .input = -1, .writers = {-1, -1}};
  *of_directory = 0;
  int directory = -1, room = -1, input = -1;
  int code = open_input(program, command, &input);
  if (code == 0) code = open_pipe(&command->output, &command->writers[0], &command->output);
  if (code == 0) code = open_pipe(&command->diagnostics, &command->writers[1], &command->diagnostics);
  if (code == 0 && program->directory != NULL) {
    directory = open_directory(program->directory);
    *of_directory = directory < 0;
    if (directory < 0) code = errno;
  }
  /* Reserves a descriptor for the handle, so that a descriptor is free when the program runs. */
  if (code == 0) room = fcntl(input, F_DUPFD_CLOEXEC, 3);
  if (code == 0 && room < 0) code = errno;
  if (code == 0) {
    const int descriptors[3] = {input, command->writers[0], command->writers[1]};
    code = spawn(path, program, environment, descriptors, directory, &command->process);
    if (code != 0) command->process = -1;
  }
  if (room >= 0) close(room);
  /* Without a handle, for example if another library has reaped the child, the command counts as lost and not as failed to
   * start, because it may have run. */
  if (code == 0) {
    command->handle = (int)syscall(SYS_pidfd_open, command->process, 0);
    if (command->handle < 0) command->lost = errno == ESRCH ? ECHILD : errno;
  }
  if (directory >= 0) close(directory);
  if (input >= 0 && (program->input != NULL || program->takes_input)) close(input);
  if (code != 0) timelined_command_close(command);
  return code;
}

/* Pauses in milliseconds between two checks for orphans. When the first check is made, most commands are long over. If a check
 * finds no orphan, the pause doubles, so that a command that sleeps for hours causes at most one wake-up per minute. If a check
 * finds orphans, the pause is reset to the first one, so that few orphans accumulate. */
enum { look_pause_first = 1000, look_pause_last = 60000 };

/* Milliseconds since the machine's start, read without a system call. */
static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Reaps the ended children of this process until the next one is the command itself. The host reaps the remaining children when
 * the run is over. Returns whether any child was reaped. */
static int reap_orphans(pid_t command) {
  for (int found = 0;; found = 1) {
    siginfo_t ended = {0};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0 || ended.si_pid == command)
      return found;
    /* A child that cannot be reaped would be found again in an endless loop. */
    if (waitpid(ended.si_pid, NULL, WNOHANG) <= 0) return found;
  }
}

/* Makes a check for orphans if it is due. Returns the milliseconds until the next check. */
static int until_look(timelined_command *command) {
  long long now = milliseconds();
  if (command->look_pause == 0) {
    command->look_pause = look_pause_first;
    command->look = now + look_pause_first;
  } else if (now >= command->look) {
    int pause = command->look_pause * 2;
    if (reap_orphans(command->process)) pause = look_pause_first;
    command->look_pause = pause < look_pause_last ? pause : look_pause_last;
    command->look = now + command->look_pause;
  }
  return (int)(command->look - now);
}

/* Returns whether output can be read. A pipe with an error is not polled any more, because it would always be ready. */
static int is_readable(int *descriptor, short revents) {
  if (revents & (POLLIN | POLLHUP)) return 1;
  if (revents != 0) *descriptor = -1;
  return 0;
}

/* Returns the end of a command whose status cannot be read. The command may still run, so it is killed: its run is over, and it
 * must not interfere with the next run. With ECHILD the command is not killed: it is no child any more, and its number may
 * belong to another process. */
static timelined_poll_result lose(timelined_command *command, int code) {
  if (code != ECHILD) {
    kill(command->process, SIGKILL);
    while (waitpid(command->process, NULL, 0) < 0 && errno == EINTR) continue;
  }
  command->process = -1;
  return (timelined_poll_result){.has_output = 1, .has_diagnostics = 1, .has_ended = 1, .lost = code};
}

/* Milliseconds between two checks of a command that has ended and cannot be reaped, for example while a debugger holds it. */
enum { held_pause = 5 };

/* The handle comes before the pipes in `wanted`, so poll checks the pipes after it: output from before the end of the command is
 * reported together with the end. */
timelined_poll_result timelined_command_wait(timelined_command *command, int input) {
  struct pollfd wanted[4] = {
      {.fd = command->handle, .events = POLLIN},
      {.fd = command->output, .events = POLLIN},
      {.fd = command->diagnostics, .events = POLLIN},
      {.fd = input, .events = POLLOUT},
  };
  timelined_poll_result result = {0};
  if (command->handle < 0) return lose(command, command->lost);
  const int count = poll(wanted, 4, until_look(command));
  if (count < 0 && errno != EINTR) return lose(command, errno);
  if (count <= 0) return result;
  result.has_output = is_readable(&command->output, wanted[1].revents);
  result.has_diagnostics = is_readable(&command->diagnostics, wanted[2].revents);
  result.can_write = wanted[3].revents != 0;
  if (wanted[0].revents == 0) return result;
  siginfo_t information = {0};
  int code;
  do {
    code = waitid((idtype_t)3 /* P_PIDFD, which glibc 2.36 names */, (id_t)command->handle, &information,
                  WEXITED | WNOHANG);
  } while (code < 0 && errno == EINTR);
  if (code < 0) return lose(command, errno);
  if (information.si_pid == 0) {
    poll(NULL, 0, held_pause);
    return result;
  }
  command->process = -1;
  result.has_ended = 1;
  result.status = information.si_code == CLD_EXITED ? information.si_status : 0;
  result.signal = information.si_code == CLD_EXITED ? 0 : information.si_status;
  return result;
}

/* Time in milliseconds in which other processes may report their cleanup. The plugin host allows the same time for the end of
 * leftover processes after the run has returned. */
enum { follow_time = 1000 };

static void close_one(int *descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

timelined_poll_result timelined_command_follow(timelined_command *command) {
  timelined_poll_result result = {0};
  long long now = milliseconds();
  if (command->last == 0) {
    command->last = now + follow_time;
    /* The pipes reach their end only when the host's copies are closed. */
    close_one(&command->writers[0]);
    close_one(&command->writers[1]);
  }
  struct pollfd wanted[2] = {{.fd = command->output, .events = POLLIN}, {.fd = command->diagnostics, .events = POLLIN}};
  int left = command->last > now ? (int)(command->last - now) : 0;
  result.has_ended = left == 0;
  const int count = poll(wanted, 2, left);
  if (count < 0 && errno != EINTR) result.has_ended = 1;
  if (count <= 0) return result;
  result.has_output = (wanted[0].revents & POLLIN) != 0;
  result.has_diagnostics = (wanted[1].revents & POLLIN) != 0;
  if (wanted[0].revents != 0 && !result.has_output) close_one(&command->output);
  if (wanted[1].revents != 0 && !result.has_diagnostics) close_one(&command->diagnostics);
  if (command->output < 0 && command->diagnostics < 0) result.has_ended = 1;
  return result;
}

void timelined_command_close(timelined_command *command) {
  int *descriptors[] = {&command->handle, &command->output, &command->diagnostics, &command->input,
                        &command->writers[0], &command->writers[1]};
  for (unsigned index = 0; index < sizeof descriptors / sizeof *descriptors; index++) close_one(descriptors[index]);
}

int timelined_is_noexec(const char *path) {
  struct statvfs facts;
  return statvfs(path, &facts) == 0 && (facts.f_flag & ST_NOEXEC) != 0;
}

unsigned long timelined_memory_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}
