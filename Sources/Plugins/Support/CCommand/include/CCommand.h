/*
 * Functions to start and await a command that Swift's Glibc module lacks.
 */
#ifndef TIMELINED_COMMAND_H
#define TIMELINED_COMMAND_H

/* The text of an environment or of arguments: a vector that ends with NULL. */
typedef char *const *timelined_words;

/* Settings that do not change from one run of a command to the next. */
typedef struct timelined_program {
  timelined_words arguments;
  const char *directory;      /* where it starts, or NULL for here */
  const char *input;          /* its standard input, all of it, or NULL for none */
  unsigned long input_length; /* its length in bytes */
  int takes_input;            /* its standard input is a pipe that the caller writes to, in place of `input` */
} timelined_program;

/* A command that runs; timelined_command_close closes the descriptors. */
typedef struct timelined_command {
  int process;     /* its number, or -1 when it has ended */
  int handle;      /* a pidfd: readable when it has ended; -1 for none */
  int lost;        /* why there is no handle: an errno value, ECHILD for a command that is no child any more */
  int output;      /* where its standard output is read; non-blocking */
  int diagnostics; /* where its standard error is read; non-blocking */
  int input;       /* where its standard input is written if it takes input, else -1; non-blocking, the caller may take it over */
  int writers[2];  /* our copies of what it writes to: with them open, its end is one event and not three */
  long long look;  /* when to look for orphans that have ended, in milliseconds since the machine's start */
  long long last;  /* until when others are followed, likewise, or 0 */
  int look_pause;  /* from that to the look after it, in milliseconds */
} timelined_command;

/* Events of a command that a wait has found. */
typedef struct timelined_poll_result {
  int has_output;      /* there is something to read on standard output */
  int has_diagnostics; /* likewise on standard error */
  int can_write;       /* there is room on its standard input, or nobody reads it */
  int has_ended;       /* it has ended; all that it has printed is there to be read */
  int lost;            /* why nothing more can be known of it, and that is its end: an errno value, or 0 */
  int status;          /* its exit status, if it has */
  int signal;          /* what ended it, or 0 if it exited */
} timelined_poll_result;

/* Starts `path` in the caller's process group, with no signal blocked or ignored. 0, or an errno value, `of_directory` when
 * it is the working directory that cannot be entered; then nothing is open and nothing runs. */
int timelined_command_start(const char *path, const timelined_program *program, timelined_words environment,
                            timelined_command *command, int *of_directory);

/* Waits until there is something to read, `input` (-1 for none) can be written to, or it has ended. Of a command that lasts, it reaps the orphans meanwhile: what has
 * lost its parent becomes a child of the caller's process, which has no other children than those and its commands, one at a
 * time. */
timelined_poll_result timelined_command_wait(timelined_command *command, int input);

/* After the end of a command that was asked to stop: waits until there is something to read of others that were asked with it
 * and write to the same pipes. `has_ended` when nobody does any more, or a second after the first call. */
timelined_poll_result timelined_command_follow(timelined_command *command);

/* Closes what is open; a process that runs goes on. */
void timelined_command_close(timelined_command *command);

/* Whether the file system of `path` executes nothing. */
int timelined_is_noexec(const char *path);

/* Bytes of address space that this process and its commands may have (RLIMIT_AS), or 0 for any number. */
unsigned long timelined_memory_limit(void);

#endif
