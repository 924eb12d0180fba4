/* Prints for ever, as fast as it can. */
#include <stdio.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  while (!context->host->is_cancelled(context->call)) puts("and another line of no interest whatsoever");
  fflush(stdout);
  return TIMELINED_CANCELLED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "endless-output", .version = "1.0", .summary = "prints for ever", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
