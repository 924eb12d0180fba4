/* Gives its process and its niceness as the result, and leaves a niceness behind that only root can undo. */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  char text[64];
  const int niceness = getpriority(PRIO_PROCESS, 0);
  snprintf(text, sizeof text, "%d %d", niceness, getpid());
  context->host->set_result(context->call, text);
  return setpriority(PRIO_PROCESS, 0, niceness + 1) == 0 ? TIMELINED_OK : TIMELINED_FAILED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "leaves-niceness", .version = "1.0", .summary = "leaves a niceness behind", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
