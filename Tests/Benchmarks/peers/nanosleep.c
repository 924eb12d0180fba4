// nanosleep.c: how late a bare thread is that sleeps to absolute instants of the wall clock: the limit for every scheduler here.
// `nanosleep COUNT EVERY [AHEAD]` sleeps to COUNT multiples of EVERY nanoseconds, which divide a second, and prints how late it woke
// after each, in nanoseconds, a line each. With AHEAD it sleeps to so many nanoseconds before, and spins the rest.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

int main(int count, char **words) {
  if (count != 3 && count != 4) return 64;
  prctl(PR_SET_TIMERSLACK, 1);
  long every = atol(words[2]), ahead = count == 4 ? atol(words[3]) : 0;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  for (int left = atoi(words[1]); left > 0; left--) {
    struct timespec due = {now.tv_sec, (now.tv_nsec / every + 1) * every};
    if (due.tv_nsec >= 1000000000) due = (struct timespec){now.tv_sec + 1, 0};
    struct timespec wake = {due.tv_sec, due.tv_nsec - ahead};
    if (wake.tv_nsec < 0) wake = (struct timespec){due.tv_sec - 1, wake.tv_nsec + 1000000000};
    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &wake, NULL) != 0) continue;
    long long late;
    do {
      clock_gettime(CLOCK_REALTIME, &now);
      late = (now.tv_sec - due.tv_sec) * 1000000000LL + now.tv_nsec - due.tv_nsec;
    } while (late < 0);
    printf("%lld\n", late);
    fflush(stdout);
  }
}
