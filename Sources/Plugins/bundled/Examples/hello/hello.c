// The smallest plugin that shows each part of the contract: it counts its runs in the job's cursor.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  const timelined_host *host = context->host;

  const char *whom = host->parameter_text(context->parameters, "/whom");
  if (whom == NULL) whom = "world";

  uint64_t count = 0;
  if (context->cursor_length == sizeof count) memcpy(&count, context->cursor, sizeof count);
  count += 1;
  if (!host->set_cursor(context->call, &count, sizeof count))
    return TIMELINED_FAIL(context, "the count of runs was not kept: the host took no cursor, update timelined");

  char number[24];
  snprintf(number, sizeof number, "%" PRIu64, count);
  host->log(context->call, TIMELINED_INFO, "saying hello", (const char *const[]){"whom", whom, "count", number, NULL});

  char result[256];
  snprintf(result, sizeof result, "hello, %s (run %s)", whom, number);
  host->set_result(context->call, result);
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD,
    .name = "hello",
    .version = "1.0",
    .summary = "says hello and counts how often it did",
    .parameters_schema = "{\"type\": \"object\", \"additionalProperties\": false,"
                         " \"properties\": {\"whom\": {\"type\": \"string\"}}}",
    .run = run,
};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
