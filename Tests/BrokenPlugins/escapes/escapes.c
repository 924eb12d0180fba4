/* Starts a process that leaves its group, its session and its parent, logs its number, and never returns unless it was
 * opened with {"hangs": false}, or with {"obeys": true} and is asked to stop. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  int ends[2];
  if (pipe(ends) != 0) return TIMELINED_FAILED;
  pid_t child = fork();
  if (child == 0) {
    if (setsid() < 0 || fork() != 0) _exit(0);
    if (setsid() < 0) _exit(1);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    pid_t self = getpid();
    if (write(ends[1], &self, sizeof self) != sizeof self) _exit(1);
    while (pause() == -1) continue;
  }
  waitpid(child, NULL, 0);
  pid_t grandchild = 0;
  if (read(ends[0], &grandchild, sizeof grandchild) != sizeof grandchild) return TIMELINED_FAILED;
  char text[32];
  snprintf(text, sizeof text, "%d", (int)grandchild);
  TIMELINED_LOG(context, TIMELINED_INFO, text);
  bool hangs = true;
  context->host->parameter_boolean(context->parameters, "/hangs", &hangs);
  bool obeys = false;
  context->host->parameter_boolean(context->parameters, "/obeys", &obeys);
  while (hangs) {
    if (!obeys) {
      pause();
    } else {
      if (context->host->is_cancelled(context->call)) return TIMELINED_CANCELLED;
      usleep(100);
    }
  }
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "escapes", .version = "1.0", .summary = "leaves a process in a session of its own", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
