/* Reports progress for ever, as fast as it can. */
#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  while (!context->host->is_cancelled(context->call)) context->host->report_progress(context->call, 0.5, "half");
  return TIMELINED_CANCELLED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "endless-progress", .version = "1.0", .summary = "reports progress for ever", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
