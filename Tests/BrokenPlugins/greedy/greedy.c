/* Takes memory until there is none and does not ask whether it got any. */
#include <stdlib.h>
#include <string.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  /* 1 GiB in all: more than any test allows, and less than the machine has. */
  for (int megabyte = 0; megabyte < 1024; megabyte++) memset(malloc(1 << 20), 1, 1 << 20);
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "greedy", .version = "1.0", .summary = "takes memory without end", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
