// Samples the machine's load and keeps the highest value in the job's cursor: a plugin for an animation.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  const timelined_host *host = context->host;

  double load;
  if (getloadavg(&load, 1) != 1)
    return TIMELINED_FAIL_FOR_NOW(context, "the load of the machine could not be read: is /proc mounted?");

  double highest = load;
  if (context->cursor_length == sizeof highest) memcpy(&highest, context->cursor, sizeof highest);
  if (load >= highest) {
    highest = load;
    host->set_cursor(context->call, &highest, sizeof highest);
  }

  char result[64];
  snprintf(result, sizeof result, "load %.2f, highest %.2f", load, highest);
  host->set_result(context->call, result);
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD,
    .name = "sampler",
    .version = "1.0",
    .summary = "samples the load of the machine",
    .parameters_schema = "{\"type\": \"object\", \"additionalProperties\": false}",
    .run = run,
};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
