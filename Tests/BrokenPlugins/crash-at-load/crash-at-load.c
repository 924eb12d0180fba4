/* Crashes in a constructor, before anything is asked of it. */
#include <signal.h>

#include <timelined_plugin.h>

__attribute__((constructor)) static void crash(void) { raise(SIGSEGV); }

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "crash-at-load", .version = "1.0", .summary = "crashes before it is asked anything", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
