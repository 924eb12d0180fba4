// nothing.c: a plugin whose runs do nothing, so that what a run costs is all ours.
#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  return TIMELINED_OK;
}

static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD,
                                       .name = "nothing",
                                       .version = "1.0",
                                       .summary = "does nothing",
                                       .run = run,
                                       .instances_max = 256};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
