#include "CExec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
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

/* Request to a child, its answer, and its stack until its program begins. Until then the child shares the memory of this process,
 * which goes on: nothing here may be touched before the command has ended. */
struct timelined_spawn_request {
  const char *path;
  timelined_program program;
  timelined_words environment;
  int input;
  int writers[2];
  volatile int step; /* how far it has come */
  volatile int code; /* why the program did not begin */
  /* Deep enough for a dozen system calls and what the C library needs for each. */
  char stack[16384] __attribute__((aligned(64)));
};

/* One that no command has, for whichever thread comes first. */
static _Atomic(timelined_spawn_request *) spare_request = NULL;

static timelined_spawn_request *take_request(void) {
  timelined_spawn_request *request = atomic_exchange(&spare_request, NULL);
  return request != NULL ? request : aligned_alloc(64, sizeof(timelined_spawn_request));
}

static void give_back(timelined_spawn_request *request) {
  timelined_spawn_request *expected = NULL;
  if (!atomic_compare_exchange_strong(&spare_request, &expected, request)) free(request);
}

/* Runs in the child between its start and its program. It writes no memory but its own variables, `step`, `code` and, when a call
 * fails, errno: that of the thread that started it, which reads none until the program has begun or ended. */
static int run_child(void *argument) {
  timelined_spawn_request *request = argument;
  const timelined_program *program = &request->program;
  /* Those that this process catches or ignores, so that one that comes from now on does what it does to a program. */
  unsigned long signals = program->changed;
  for (int number = 1; signals != 0; number++, signals >>= 1) {
    if (signals & 1) signal(number, SIG_DFL);
  }
  /* The host's socket may have been opened without close-on-exec, and is nobody else's. */
  if (dup2(request->input, 0) >= 0 && dup2(request->writers[0], 1) >= 0 && dup2(request->writers[1], 2) >= 0 &&
      close_range(3, ~0U, 0) == 0) {
    request->step = TIMELINED_STEP_DIRECTORY;
    if (program->directory == NULL || chdir(program->directory) == 0) {
      request->step = TIMELINED_STEP_PROGRAM;
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, NULL);
      execve(request->path, program->arguments, request->environment);
    }
  }
  request->code = errno;
  _exit(127);
}

/* Starts it in this process's memory, so that the cost does not grow with that, and with its handle. The C library's posix_spawn
 * does likewise, and besides asks the kernel about each of 64 signals, maps a stack, and stands still until the program begins: to
 * wake up for that takes a processor from the command. The child starts without signals: one for the group must find this process's
 * handlers or none. */
static int spawn(timelined_spawn_request *request, timelined_command *command) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  request->step = TIMELINED_STEP_START;
  request->code = 0;
  command->process =
      clone(run_child, request->stack + sizeof request->stack, CLONE_VM | CLONE_PIDFD | SIGCHLD, request, &command->handle);
  int code = command->process < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
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

/* Pipes that no command has had yet, a reader's number above a writer's. They are made while another one runs, when nobody
 * waits for them, and taken by whichever thread comes first. */
enum { no_pipe = -1 };
static _Atomic int64_t spare[2] = {-1, -1};

static int take_pipe(int which, int *reader, int *writer) {
  int64_t pipe = atomic_exchange(&spare[which], no_pipe);
  if (pipe == no_pipe) return open_pipe(reader, writer);
  *reader = (int)(pipe >> 32);
  *writer = (int)(pipe & 0x7FFFFFFF);
  return 0;
}

/* A process that may have no more descriptors does without: the next command asks again and says so. */
static void make_spare_pipes(void) {
  for (int which = 0; which < 2; which++) {
    int reader = -1, writer = -1;
    int64_t expected = no_pipe;
    if (atomic_load(&spare[which]) != no_pipe) continue;
    if (open_pipe(&reader, &writer) == 0 &&
        atomic_compare_exchange_strong(&spare[which], &expected, (int64_t)reader << 32 | writer))
      continue;
    if (reader >= 0) close(reader);
    if (writer >= 0) close(writer);
  }
}

int timelined_command_start(const char *path, const timelined_program *program, timelined_words environment,
                            timelined_command *command) {
  *command = (timelined_command){.process = -1, .handle = -1, .output = -1, .diagnostics = -1, .writers = {-1, -1}};
  command->request = take_request();
  int input = program->input == NULL ? nothing() : input_file(program->input, program->input_length);
  int code = command->request == NULL || input < 0 ? errno : 0;
  if (code == 0) code = take_pipe(0, &command->output, &command->writers[0]);
  if (code == 0) code = take_pipe(1, &command->diagnostics, &command->writers[1]);
  if (code == 0) {
    timelined_spawn_request *request = command->request;
    request->path = path;
    request->program = *program;
    request->environment = environment;
    request->input = input;
    memcpy(request->writers, command->writers, sizeof request->writers);
    code = spawn(request, command);
  }
  if (input >= 0 && program->input != NULL) close(input);
  if (code != 0)
    timelined_command_close(command);
  else
    make_spare_pipes();
  return code;
}

/* The first look is taken when most commands are long over. Where nothing is found the pause doubles, so that a command that
 * sleeps for hours wakes nobody more than once a minute; where something is, it is as at first, so that no more pile up than
 * a command can start meanwhile. */
enum { look_pause_first = 1000, look_pause_last = 60000 };

/* Milliseconds since the machine's start; the kernel is not asked for them. */
static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Reaps the children of this process that have ended, until one of them is the command: that has ended too, and when its run
 * is over the host reaps all. Whether there were any. */
static int reap_orphans(pid_t command) {
  for (int found = 0;; found = 1) {
    siginfo_t ended = {0};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0 || ended.si_pid == command)
      return found;
    /* One that cannot be reaped would be found for ever. */
    if (waitpid(ended.si_pid, NULL, WNOHANG) <= 0) return found;
  }
}

/* Milliseconds until the next look at the orphans, which is taken here when its time has come. */
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

/* Whether there is something to read. A pipe that cannot be read any more is given up: it would be ready for ever. */
static int is_readable(int *descriptor, short revents) {
  if (revents & (POLLIN | POLLHUP)) return 1;
  if (revents != 0) *descriptor = -1;
  return 0;
}

/* The end of a command of which nothing can be known any more. */
static timelined_poll_result lose(timelined_command *command, timelined_poll_result result, int code) {
  /* It has ended where the kernel has no such child; otherwise it may run, and what its child was told stays its own. */
  if (code == ECHILD) command->process = -1;
  result.has_ended = 1;
  result.lost = code;
  return result;
}

/* Between two looks at a command that has ended and cannot be reaped, as while a debugger holds it. */
enum { held_pause = 5 };

/* The handle is looked at before the pipes, so what was printed before the end is seen with it. */
timelined_poll_result timelined_command_wait(timelined_command *command) {
  struct pollfd wanted[3] = {
      {.fd = command->handle, .events = POLLIN},
      {.fd = command->output, .events = POLLIN},
      {.fd = command->diagnostics, .events = POLLIN},
  };
  timelined_poll_result result = {0};
  const int count = poll(wanted, 3, until_look(command));
  if (count < 0 && errno != EINTR) return lose(command, result, errno);
  if (count <= 0) return result;
  result.has_output = is_readable(&command->output, wanted[1].revents);
  result.has_diagnostics = is_readable(&command->diagnostics, wanted[2].revents);
  if (wanted[0].revents == 0) return result;
  siginfo_t information = {0};
  int code;
  do {
    code = waitid((idtype_t)3 /* P_PIDFD, which glibc 2.36 names */, (id_t)command->handle, &information,
                  WEXITED | WNOHANG);
  } while (code < 0 && errno == EINTR);
  if (code < 0) return lose(command, result, errno);
  if (information.si_pid == 0) {
    poll(NULL, 0, held_pause);
    return result;
  }
  command->process = -1;
  result.has_ended = 1;
  result.step = command->request->step;
  result.code = command->request->code;
  result.status = information.si_code == CLD_EXITED ? information.si_status : 0;
  result.signal = information.si_code == CLD_EXITED ? 0 : information.si_status;
  return result;
}

/* Time in milliseconds, the same that the plugin host allows after the run has returned: enough to report a cleanup. */
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
    /* With our copies open the pipes have no end. */
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
  int *descriptors[] = {&command->handle, &command->output, &command->diagnostics, &command->writers[0],
                        &command->writers[1]};
  for (unsigned index = 0; index < sizeof descriptors / sizeof *descriptors; index++) close_one(descriptors[index]);
  /* The memory of a process that still runs is left to it, for as long as it may need it. */
  if (command->request != NULL && command->process < 0) give_back(command->request);
  command->request = NULL;
}

int timelined_is_noexec(const char *path) {
  struct statvfs facts;
  return statvfs(path, &facts) == 0 && (facts.f_flag & ST_NOEXEC) != 0;
}

unsigned long timelined_changed_signals(void) {
  unsigned long changed = 0;
  for (int number = 1; number <= 64; number++) {
    struct sigaction current;
    if (sigaction(number, NULL, &current) == 0 && current.sa_handler != SIG_DFL) changed |= 1UL << (number - 1);
  }
  return changed;
}

unsigned long timelined_memory_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}
