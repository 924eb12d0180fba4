/*
 * Functions to start and await a command that Swift's Glibc module lacks.
 */
#ifndef TIMELINED_COMMAND_H
#define TIMELINED_COMMAND_H

/* An environment or arguments: a vector of strings that ends with NULL. */
typedef char *const *timelined_words;

/* Settings that do not change from one run of a command to the next. */
typedef struct timelined_program {
  timelined_words arguments;
  const char *directory;      /* its working directory, or NULL for the caller's */
  const char *input;          /* its whole standard input, or NULL for none */
  unsigned long input_length; /* its length in bytes */
  int takes_input;            /* its standard input is a pipe that the caller writes to, in place of `input` */
} timelined_program;

/* A running command. timelined_command_close closes its descriptors. */
typedef struct timelined_command {
  int process;     /* its number, or -1 when it has ended */
  int handle;      /* a pidfd: readable when it has ended; -1 for none */
  int lost;        /* reason of a missing handle: an errno value, ECHILD for a command that is no child any more */
  int output;      /* the reading end of its standard output; non-blocking */
  int diagnostics; /* the reading end of its standard error; non-blocking */
  int input;       /* the writing end of its standard input if it takes input, else -1; non-blocking, the caller may own it */
  int writers[2];  /* the caller's copies of its output pipes: while they are open, its end is one event and not three */
  long long look;  /* time of the next check for ended orphans, in milliseconds since the machine's start */
  long long last;  /* end of the time for reading the output of other processes, in the same unit, or 0 */
  int look_pause;  /* pause between two checks for orphans, in milliseconds */
} timelined_command;

/* Events of a command, as a wait has found them. */
typedef struct timelined_poll_result {
  int has_output;      /* standard output can be read */
  int has_diagnostics; /* standard error can be read */
  int can_write;       /* its standard input has room, or no reader */
  int has_ended;       /* it has ended; all of its output can be read */
  int lost;            /* reason why its status cannot be read, which counts as its end: an errno value, or 0 */
  int status;          /* its exit status, if it exited */
  int signal;          /* the signal that ended it, or 0 if it exited */
} timelined_poll_result;

/* Starts `path` in the caller's process group, with no signal blocked or ignored. Returns 0 or an errno value. After an error
 * no descriptor is open and no process runs. `of_directory` is set if the error is that of entering the working directory. */
int timelined_command_start(const char *path, const timelined_program *program, timelined_words environment,
                            timelined_command *command, int *of_directory);

/* Waits until output can be read, `input` (-1 for none) can be written to, or the command has ended. Meanwhile reaps orphans
 * that have ended. An orphan is a process that has lost its parent and became a child of the caller's process. The only other
 * child of the caller's process is its one command. */
timelined_poll_result timelined_command_wait(timelined_command *command, int input);

/* Waits for output after the end of a command that was asked to stop: other processes that also got the request may still write
* to the same pipes. `has_ended` is set when no process has the pipes open any more, or 1 s after the first call. */
timelined_poll_result timelined_command_follow(timelined_command *command);

/* Closes all open descriptors; a running process continues. */
void timelined_command_close(timelined_command *command);

/* Returns whether the file system of `path` is mounted with noexec. */
int timelined_is_noexec(const char *path);

/* Returns the number of bytes of address space that this process and each of its commands may use (RLIMIT_AS); 0 for no
 * limit. */
unsigned long timelined_memory_limit(void);

#endif
