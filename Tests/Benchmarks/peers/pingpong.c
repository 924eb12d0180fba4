// pingpong.c: what it takes to send a message to another process and to have its answer, over a pair of sockets that keep
// the boundaries of messages, without anything around it.
//
//   pingpong COUNT             COUNT messages, each as soon as the last was answered
//   pingpong COUNT PAUSE       one every PAUSE nanoseconds, so that both processes have gone to sleep before each
//
// Prints one JSON object with how long each took, in nanoseconds.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 128, ANSWER_BYTES = 32 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void sleep_until(int64_t instant) {
  struct timespec time = {.tv_sec = instant / 1000000000LL, .tv_nsec = instant % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) continue;
}

static void answer(int socket) {
  char bytes[MESSAGE_BYTES];
  while (recv(socket, bytes, sizeof bytes, 0) > 0) {
    if (send(socket, bytes, ANSWER_BYTES, MSG_NOSIGNAL) < 0) break;
  }
}

int main(int count_of_words, char **words) {
  if (count_of_words < 2 || count_of_words > 3) {
    fprintf(stderr, "usage: pingpong COUNT [PAUSE]\n");
    return 2;
  }
  long count = atol(words[1]);
  int64_t pause = count_of_words == 3 ? atoll(words[2]) : 0;
  int sockets[2];
  int64_t *took = calloc((size_t)count, sizeof *took);
  if (count < 1 || took == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) return 1;
  if (fork() == 0) {
    close(sockets[0]);
    answer(sockets[1]);
    _exit(0);
  }
  close(sockets[1]);
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  char bytes[MESSAGE_BYTES] = {0};
  int64_t next = now();
  for (long index = 0; index < count; index++) {
    if (pause > 0) sleep_until(next += pause);
    int64_t began = now();
    if (send(sockets[0], bytes, sizeof bytes, MSG_NOSIGNAL) < 0 || recv(sockets[0], bytes, sizeof bytes, 0) <= 0) return 1;
    took[index] = now() - began;
  }
  printf("{\"nanoseconds\": [");
  for (long index = 0; index < count; index++) printf(index == 0 ? "%lld" : ", %lld", (long long)took[index]);
  printf("]}\n");
  return 0;
}
