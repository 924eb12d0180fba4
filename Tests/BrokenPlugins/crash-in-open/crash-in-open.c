/* Crashes in open. */
#include <signal.h>

#include <timelined_plugin.h>

static timelined_status crash(const timelined_opening *opening, void **instance) {
  (void)opening;
  (void)instance;
  raise(SIGSEGV);
  return TIMELINED_OK;
}

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "crash-in-open", .version = "1.0", .summary = "crashes in open", .open = crash, .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
