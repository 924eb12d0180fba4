/* Starts a process that outlives it if it can, says its number, and never returns. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  pid_t child = fork();
  if (child == 0) {
    signal(SIGTERM, SIG_IGN);
    while (pause() == -1) continue;
  }
  char text[32];
  snprintf(text, sizeof text, "%d", (int)child);
  TIMELINED_LOG(context, TIMELINED_INFO, text);
  while (pause() == -1) continue;
  return TIMELINED_FAILED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "forks", .version = "1.0", .summary = "leaves children behind and never returns", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
