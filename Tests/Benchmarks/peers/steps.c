// steps.c: every instruction that a process takes between two waits, by stepping through it, where no counter of the processor's is
// to be had and the process cannot run under valgrind.
//
//   steps PROCESS SYSCALL COUNT    the first thread of PROCESS, each time after it has waited in system call number SYSCALL
//                                  and until it does so again, COUNT times
//
// Prints "pass" before each of them and then the address of each instruction in hexadecimal. The process goes on afterwards.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#if defined(__x86_64__)
enum { SYSCALL_BYTES = 2 };
static const unsigned char syscall_instruction[] = {0x0f, 0x05};

static pid_t process;
static struct user_regs_struct registers;

static void fail(const char *what) {
  fprintf(stderr, "steps: %s: %s\n", what, strerror(errno));
  exit(1);
}

// Lets it go on in this way until it stops; false when it stopped for a signal, which it is then handed.
static int go(enum __ptrace_request how) {
  static int signal_to_pass = 0;
  int status;
  if (ptrace(how, process, 0, signal_to_pass) != 0) fail("ptrace");
  signal_to_pass = 0;
  if (waitpid(process, &status, __WALL) != process || !WIFSTOPPED(status)) fail("the process has ended");
  int signal = WSTOPSIG(status) & 0x7f;
  if (signal != SIGTRAP) {
    if (status >> 16 == 0) signal_to_pass = signal;
    return 0;
  }
  if (ptrace(PTRACE_GETREGS, process, 0, &registers) != 0) fail("ptrace");
  return 1;
}

static int is_at_syscall(void) {
  unsigned char bytes[SYSCALL_BYTES];
  struct iovec here = {bytes, sizeof bytes}, there = {(void *)registers.rip, sizeof bytes};
  return process_vm_readv(process, &here, 1, &there, 1, 0) == sizeof bytes && memcmp(bytes, syscall_instruction, sizeof bytes) == 0;
}

int main(int count_of_words, char **words) {
  if (count_of_words != 4) {
    fprintf(stderr, "usage: steps PROCESS SYSCALL COUNT\n");
    return 2;
  }
  process = atoi(words[1]);
  long wait = atol(words[2]);
  if (ptrace(PTRACE_SEIZE, process, 0, PTRACE_O_TRACESYSGOOD) != 0) fail("ptrace");
  if (ptrace(PTRACE_INTERRUPT, process, 0, 0) != 0) fail("ptrace");
  int status;
  if (waitpid(process, &status, __WALL) != process) fail("waitpid");
  for (int left = atoi(words[3]); left > 0; left--) {
    // On its way into a system call it has no result yet.
    do {
      while (!go(PTRACE_SYSCALL)) continue;
    } while ((long)registers.orig_rax != wait || (long)registers.rax <= 0);
    puts("pass");
    for (int is_waiting = 0; !is_waiting;) {
      if (!go(PTRACE_SINGLESTEP)) continue;
      printf("%llx\n", registers.rip);
      is_waiting = (long)registers.rax == wait && is_at_syscall();
    }
  }
  ptrace(PTRACE_DETACH, process, 0, 0);
  return 0;
}
#else
int main(void) {
  fprintf(stderr, "steps: it knows the registers of x86_64 only\n");
  return 2;
}
#endif
