/* Never returns, and does not listen when it is asked to stop. */
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  TIMELINED_LOG(context, TIMELINED_INFO, "hanging");
  while (pause() == -1) continue;
  return TIMELINED_FAILED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "hang", .version = "1.0", .summary = "never returns and does not listen", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
