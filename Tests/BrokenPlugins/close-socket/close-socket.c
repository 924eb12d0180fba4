/* Closes the host's descriptor and goes on as if nothing had happened. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  for (int number = 3; number < 4096; number++) {
    struct stat file;
    if (fstat(number, &file) == 0 && S_ISSOCK(file.st_mode)) close(number);
  }
  puts("closed");
  while (pause() == -1) continue;
  return TIMELINED_FAILED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "close-socket", .version = "1.0", .summary = "closes the host's socket and goes on", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
