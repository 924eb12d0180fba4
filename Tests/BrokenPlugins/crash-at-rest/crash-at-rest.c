/* Succeeds, and crashes when its host has nothing to do. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <timelined_plugin.h>

static void *crash_later(void *nothing) {
  usleep(20000);
  raise(SIGSEGV);
  return nothing;
}

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  (void)context;
  pthread_t thread;
  return pthread_create(&thread, NULL, crash_later, NULL) == 0 ? TIMELINED_OK : TIMELINED_FAILED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "crash-at-rest", .version = "1.0", .summary = "crashes when nobody asks it to", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
