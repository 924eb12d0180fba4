/* The good neighbor: returns the number of its process. */
#include <stdio.h>
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  char text[32];
  snprintf(text, sizeof text, "%d", (int)getpid());
  context->host->set_result(context->call, text);
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "steady", .version = "1.0", .summary = "does nothing, properly", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
