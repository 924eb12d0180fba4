/* Crashes in run. */
#include <signal.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  raise(SIGSEGV);
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "crash", .version = "1.0", .summary = "writes to address 0 in run", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
