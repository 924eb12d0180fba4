/* Reads the credential "key" when it is opened and when it runs; the result has both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <timelined_plugin.h>

static void read_key(char text[64]) {
  char path[512];
  const char *directory = getenv("CREDENTIALS_DIRECTORY");
  snprintf(path, sizeof path, "%s/key", directory == NULL ? "" : directory);
  FILE *file = fopen(path, "r");
  if (file == NULL || fgets(text, 64, file) == NULL) strcpy(text, "none");
  if (file != NULL) fclose(file);
}

static timelined_status open_instance(const timelined_opening *opening, void **instance) {
  (void)opening;
  char *opened = calloc(1, 64);
  read_key(opened);
  *instance = opened;
  return TIMELINED_OK;
}

static timelined_status run(void *instance, const timelined_context *context) {
  char now[64], text[192];
  read_key(now);
  snprintf(text, sizeof text, "%s %s", (const char *)instance, now);
  context->host->set_result(context->call, text);
  return TIMELINED_OK;
}

static void close_instance(void *instance) { free(instance); }

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "reads-credential", .version = "1.0", .summary = "reads a credential", .open = open_instance,
    .run = run, .close = close_instance};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
