/* Takes an hour to open. */
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status open_slowly(const timelined_opening *opening, void **instance) {
  (void)opening;
  (void)instance;
  for (int second = 0; second < 3600; second++) sleep(1);
  return TIMELINED_OK;
}

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "slow-open", .version = "1.0", .summary = "takes its time to open", .open = open_slowly, .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
