/* Closes the host's descriptor and goes on as if nothing had happened. */
#include <stdio.h>
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  close(3);
  puts("closed");
  while (pause() == -1) continue;
  return TIMELINED_FAILED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "close-socket", .version = "1.0", .summary = "closes descriptor 3 and goes on", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
