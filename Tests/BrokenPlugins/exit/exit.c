/* Ends its host in run instead of returning. */
#include <stdlib.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  exit(0);
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "exit", .version = "1.0", .summary = "calls exit(0) in run", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
