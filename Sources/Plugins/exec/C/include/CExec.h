/*
 * What Swift's Glibc module does not show of starting and awaiting a command.
 */
#ifndef TIMELINED_EXEC_H
#define TIMELINED_EXEC_H

/* A command that runs, and the reading ends of its pipes; the caller closes all three descriptors. */
typedef struct timelined_command {
  int process;     /* its number */
  int handle;      /* a pidfd: readable when it has ended */
  int output;      /* its standard output; non-blocking */
  int diagnostics; /* its standard error; non-blocking */
} timelined_command;

/* Starts `path` in the caller's process group, with no signal blocked or ignored. `input` is its standard input, all of
 * it, or NULL for none; `directory` is where it starts, or NULL for here. 0, or an errno value, and then nothing is
 * open and nothing runs. */
int timelined_command_start(const char *path, char *const *arguments, char *const *environment,
                            const char *directory, const char *input, unsigned long input_length,
                            timelined_command *command);

/* Waits until an output, a diagnostic or the end is there; an output of -1 is not waited for. */
void timelined_command_wait(const timelined_command *command);

/* Whether it has ended: then 1, and `status` is its exit status and `signal` 0, or `signal` is what ended it. */
int timelined_command_ended(const timelined_command *command, int *status, int *signal);

/* Bytes of address space that this process and its commands may have (RLIMIT_AS), or 0 for any number. */
unsigned long timelined_memory_limit(void);

#endif
