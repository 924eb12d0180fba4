/* Keeps a megabyte of every run, and returns how many it has. */
#include <stdio.h>
#include <stdlib.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  static int runs = 0;
  static volatile char *kept = NULL;
  (void)instance;
  kept = malloc(1 << 20);
  for (int page = 0; kept != NULL && page < 256; page++) kept[page * 4096] = 1;
  char text[32];
  snprintf(text, sizeof text, "%d", ++runs);
  context->host->set_result(context->call, text);
  return TIMELINED_OK;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "leak", .version = "1.0", .summary = "keeps a megabyte of every run", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
