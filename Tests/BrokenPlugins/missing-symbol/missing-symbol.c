/* Needs a function that no library has. */
#include <timelined_plugin.h>

extern int nobody_has_this(void);

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  return nobody_has_this();
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "missing-symbol", .version = "1.0", .summary = "needs a function that nobody has", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
