/* Aborts in run. */
#include <stdlib.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  abort();
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "abort", .version = "1.0", .summary = "aborts in run", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
