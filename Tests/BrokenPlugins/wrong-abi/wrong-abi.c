/* Speaks only ABI numbers that no host knows. */
#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    .struct_size = sizeof(timelined_plugin), .abi_oldest = 90, .abi_newest = 99, .name = "wrong-abi", .version = "1.0", .summary = "speaks an ABI of the future", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
