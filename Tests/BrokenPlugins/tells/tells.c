/* Logs that it was opened and that it runs; {"refuse": true} makes it refuse, {"slow": true} take its time, {"key": true}
 * log its run key and how the run before it ended, {"more": 5} log five lines more. */
#include <unistd.h>

#include <timelined_plugin.h>

static timelined_status open_instance(const timelined_opening *opening, void **instance) {
  (void)instance;
  bool refuses = false;
  opening->host->parameter_boolean(opening->parameters, "/refuse", &refuses);
  if (refuses) return TIMELINED_FAIL(opening, "refused");
  TIMELINED_LOG(opening, TIMELINED_INFO, "opened");
  return TIMELINED_OK;
}

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  bool is_slow = false;
  context->host->parameter_boolean(context->parameters, "/slow", &is_slow);
  if (is_slow) usleep(20000);
  TIMELINED_LOG(context, TIMELINED_INFO, "running");
  bool tells_key = false;
  context->host->parameter_boolean(context->parameters, "/key", &tells_key);
  if (tells_key) {
    TIMELINED_LOG(context, TIMELINED_INFO, context->run_key);
    TIMELINED_LOG(context, TIMELINED_INFO, context->previous_result == NULL ? "none" : context->previous_result);
  }
  int64_t more = 0;
  context->host->parameter_integer(context->parameters, "/more", &more);
  while (more-- > 0) TIMELINED_LOG(context, TIMELINED_INFO, "more");
  return TIMELINED_OK;
}

static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD, .name = "tells", .version = "1.0",
                                       .summary = "tells what it does", .open = open_instance, .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
