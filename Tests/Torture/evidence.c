/*
 * A plugin that leaves evidence of its own: a line when a run begins and one when it ends, each appended and synced. How long a
 * run lasts and how it ends is a hash of seed, job, nominal instant and attempt, so that whoever judges can compute it too.
 *
 * A line has nine fields, separated by tabs:
 *   start JOB NOMINAL RUN-KEY ATTEMPT PID ENTRY-COUNT ACTUAL SYSTEM-TIME
 *   end   JOB NOMINAL RUN-KEY ATTEMPT PID OUTCOME     ACTUAL SYSTEM-TIME
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "timelined_plugin.h"

static const char schema[] =
    "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"file\", \"seed\"], \"properties\": {"
    "\"file\": {\"type\": \"string\", \"description\": \"Where the evidence goes.\"},"
    "\"seed\": {\"type\": \"integer\", \"description\": \"What the dice are thrown with.\"},"
    "\"shortest\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 0, \"description\": \"Milliseconds.\"},"
    "\"longest\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 0, \"description\": \"Milliseconds.\"},"
    "\"crash\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 0, \"description\": \"Percent of attempts.\"},"
    "\"hang\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 0, \"description\": \"Percent of attempts.\"},"
    "\"fail\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 0, \"description\": \"Percent of attempts.\"},"
    "\"retry\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 0, \"description\": \"Percent of attempts.\"}}}";

static int64_t system_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* One write, so that lines of several processes never mix; the sync makes it evidence. */
static void testify(const timelined_context *context, const char *what, const char *detail) {
  char line[1024];
  int length = snprintf(line, sizeof line, "%s\t%s\t%" PRId64 "\t%s\t%u\t%d\t%s\t%" PRId64 "\t%" PRId64 "\n", what,
                        context->job, context->nominal, context->run_key, context->attempt, (int)getpid(), detail,
                        context->actual, system_time());
  const char *path = context->host->parameter_text(context->parameters, "/file");
  int file = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (file < 0) _exit(99);
  if (write(file, line, (size_t)length) != length || fdatasync(file) != 0) _exit(98);
  close(file);
}

static int64_t number(const timelined_context *context, const char *pointer) {
  int64_t value = 0;
  context->host->parameter_integer(context->parameters, pointer, &value);
  return value;
}

/* FNV-1a with a last stir, for the low bits of short texts. */
static uint64_t dice(const timelined_context *context) {
  char text[256];
  snprintf(text, sizeof text, "%" PRId64 "/%s/%" PRId64 "/%u", number(context, "/seed"), context->job, context->nominal,
           context->attempt);
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *c = text; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ hash >> 33;
}

/* Waits, looking around every few milliseconds; returns whether it was not asked to stop. */
static bool work(const timelined_context *context, int64_t milliseconds) {
  int64_t end = system_time() + milliseconds * 1000000;
  for (int64_t left; (left = end - system_time()) > 0;) {
    if (context->host->is_cancelled(context->call)) return false;
    int64_t nap = left < 5000000 ? left : 5000000;
    nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
  }
  return true;
}

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  char count[24];
  snprintf(count, sizeof count, "%" PRIu64, context->entry_count);
  testify(context, "start", count);
  uint64_t hash = dice(context);
  int64_t shortest = number(context, "/shortest"), longest = number(context, "/longest");
  int64_t lasts = shortest + (int64_t)((hash >> 32) % (uint64_t)(longest - shortest + 1));
  int64_t roll = (int64_t)(hash % 100);
  if ((roll -= number(context, "/crash")) < 0) raise(SIGSEGV);
  if ((roll -= number(context, "/hang")) < 0) {
    for (;;) pause();
  }
  if (!work(context, lasts)) {
    testify(context, "end", "cancelled");
    return TIMELINED_CANCELLED;
  }
  if ((roll -= number(context, "/fail")) < 0) {
    testify(context, "end", "failed");
    context->host->set_error(context->call, "the dice said so");
    return TIMELINED_FAILED;
  }
  if ((roll -= number(context, "/retry")) < 0) {
    testify(context, "end", "retry");
    context->host->set_error(context->call, "the dice said: once more");
    return TIMELINED_RETRY;
  }
  testify(context, "end", "succeeded");
  return TIMELINED_OK;
}

static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD,
                                       .name = "evidence",
                                       .version = "1.0",
                                       .summary = "leaves evidence of its runs",
                                       .parameters_schema = schema,
                                       .run = run};

__attribute__((visibility("default"))) const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
