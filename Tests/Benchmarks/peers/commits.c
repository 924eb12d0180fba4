// commits.c: what the disk takes, with no database: `commits DIRECTORY ENTRIES BATCH` appends 600 bytes for each entry to a file in
// DIRECTORY and waits for the disk after each batch, as a log of group commits must. Prints the count and the time.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
  if (count != 4) return 64;
  char path[4096];
  snprintf(path, sizeof path, "%s/commits.log", words[1]);
  const long entries = atol(words[2]), batch = atol(words[3]), bytes = 600 * batch;
  char *log = malloc(bytes);
  memset(log, 'x', bytes);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return perror(path), 1;
  const long long start = now();
  for (long done = 0; done < entries; done += batch)
    if (write(file, log, bytes) != bytes || fdatasync(file) != 0) return perror(path), 1;
  printf("{\"count\":%ld,\"nanoseconds\":%lld}\n", entries, now() - start);
  unlink(path);
}
