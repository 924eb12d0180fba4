// spawn.c: what posix_spawn and wait cost without anything around them.
//
//   spawn one COUNT WORDS...    COUNT commands, one at a time
//   spawn two COUNT WORDS...    COUNT commands, two at a time
//   spawn burst COUNT WORDS...  COUNT commands started without waiting for any, then all are awaited
//   spawn stamp FILE            the command for bursts: appends the wall clock to FILE, 8 bytes, and ends
//
// HOLD=BYTES in the environment keeps that much memory written to meanwhile. Prints one JSON object; times are in
// nanoseconds, and "began" is on the wall clock.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t clock_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void start(char **words) {
  pid_t process;
  int code = posix_spawn(&process, words[0], NULL, NULL, words, environ);
  if (code != 0) {
    fprintf(stderr, "spawn: %s: %s\n", words[0], strerror(code));
    exit(1);
  }
}

static void await_one(void) {
  int status;
  if (waitpid(-1, &status, 0) < 0 || status != 0) {
    fprintf(stderr, "spawn: a command failed\n");
    exit(1);
  }
}

static int stamp(const char *path) {
  int64_t now = clock_now(CLOCK_REALTIME);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  return file >= 0 && write(file, &now, sizeof now) == sizeof now ? 0 : 1;
}

int main(int count_of_words, char **words) {
  if (count_of_words == 3 && strcmp(words[1], "stamp") == 0) return stamp(words[2]);
  int most = count_of_words < 4 ? 0 : strcmp(words[1], "one") == 0 ? 1 : strcmp(words[1], "two") == 0 ? 2 : 0;
  int is_burst = count_of_words >= 4 && strcmp(words[1], "burst") == 0;
  if (most == 0 && !is_burst) {
    fprintf(stderr, "usage: spawn one|two|burst COUNT WORDS... | spawn stamp FILE\n");
    return 2;
  }
  int count = atoi(words[2]);
  if (is_burst) most = count;
  const char *hold = getenv("HOLD");
  if (hold != NULL) {
    char *memory = malloc(strtoull(hold, NULL, 10));
    if (memory == NULL) return 1;
    memset(memory, 1, strtoull(hold, NULL, 10));
    unsetenv("HOLD");
  }
  int64_t began_at = clock_now(CLOCK_REALTIME);
  int64_t began = clock_now(CLOCK_MONOTONIC), started = began;
  for (int index = 0, running = 0; index < count || running > 0;) {
    if (index < count && running < most) {
      start(words + 3);
      index++, running++;
      started = clock_now(CLOCK_MONOTONIC);
    } else {
      await_one();
      running--;
    }
  }
  int64_t ended = clock_now(CLOCK_MONOTONIC);
  printf("{\"count\": %d, \"began\": %lld, \"last_started\": %lld, \"nanoseconds\": %lld}\n", count,
         (long long)began_at, (long long)(started - began), (long long)(ended - began));
  return 0;
}
