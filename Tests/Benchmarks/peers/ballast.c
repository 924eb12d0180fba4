// ballast.c: a plugin that makes the process that it is loaded in hold memory, for as long as that lives.
#include <stdlib.h>
#include <string.h>
#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  static char *held;
  int64_t bytes = 0;
  context->host->parameter_integer(context->parameters, "/bytes", &bytes);
  if (held != NULL) return TIMELINED_OK;
  held = malloc((size_t)bytes);
  if (held == NULL) return TIMELINED_FAIL(context, "there is not that much memory");
  memset(held, 1, (size_t)bytes);
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "ballast", .version = "1.0", .summary = "holds memory", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
