// peak.c: runs a command to its end and writes how many KiB of memory it had at most to the file named first.
//
// The kernel counts what a process held before it became another program, so whoever starts one must be small itself: what Python
// starts is said to hold as much as Python.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 3) return fputs("peak FILE COMMAND...\n", stderr), 64;
  pid_t child = fork();
  if (child == 0) {
    execv(words[2], words + 2);
    perror(words[2]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return perror("peak"), 71;
  FILE *file = fopen(words[1], "w");
  if (file == NULL || fprintf(file, "%ld\n", usage.ru_maxrss) < 0 || fclose(file) != 0) return perror(words[1]), 73;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
}
