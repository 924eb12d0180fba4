/* Closes all descriptors but the standard ones, opens others in their place, and returns as if nothing had happened. */
#include <fcntl.h>
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  for (int number = 3; number < 4096; number++) close(number);
  for (int count = 0; count < 8; count++)
    if (open("/dev/null", O_RDWR | O_CLOEXEC) < 0) return TIMELINED_FAILED;
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "close-all", .version = "1.0", .summary = "closes all descriptors", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
