/* Takes an hour before it is even loaded. */
#include <unistd.h>

#include <timelined_plugin.h>

__attribute__((constructor)) static void linger(void) {
  for (int second = 0; second < 3600; second++) sleep(1);
}

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "slow-load", .version = "1.0", .summary = "takes its time to load", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
