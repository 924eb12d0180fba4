/* Logs for ever, as fast as it can. */
#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  while (!context->host->is_cancelled(context->call)) TIMELINED_LOG(context, TIMELINED_INFO, "and another");
  return TIMELINED_CANCELLED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "endless-log", .version = "1.0", .summary = "logs for ever", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
