/* Starts processes that start processes, until the system refuses, logs that it did, and never returns. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <timelined_plugin.h>

/* More than any test allows, so that a limit that does not hold is no catastrophe. */
enum { CHILDREN_MAX = 200 };

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  pid_t here = getpid();
  int code = 0;
  for (int count = 0; count < CHILDREN_MAX && code == 0; count++) {
    pid_t child = fork();
    if (child < 0) code = errno;
    if (child == 0) {
      fork();
      break;
    }
  }
  if (getpid() == here) TIMELINED_LOG(context, TIMELINED_INFO, code == 0 ? "not stopped" : strerror(code));
  for (;;) pause();
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "fork-bomb", .version = "1.0", .summary = "starts processes without end", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
