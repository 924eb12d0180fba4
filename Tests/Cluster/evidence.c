/*
 * A plugin that leaves evidence of its runs in a cluster: a line when an attempt begins and one when it ends, each appended and synced.
 * The node is the network namespace that the process is in, because the definition of a job is the same on all nodes. Between the lines
 * it shows its fencing token to a register, a resource that refuses lower tokens than it has seen.
 *
 * A line has ten fields, separated by tabs:
 *   start JOB NOMINAL RUN-KEY ATTEMPT TOKEN NAMESPACE BOOT-TIME SYSTEM-TIME CURSOR
 *   end   JOB NOMINAL RUN-KEY ATTEMPT TOKEN NAMESPACE BOOT-TIME SYSTEM-TIME OUTCOME
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "timelined_plugin.h"

static const char schema[] =
    "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"directory\"], \"properties\": {"
    "\"directory\": {\"type\": \"string\", \"description\": \"Where the evidence and the register's socket are.\"},"
    "\"shortest\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 20, \"description\": \"Milliseconds.\"},"
    "\"longest\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 150, \"description\": \"Milliseconds.\"},"
    "\"retry\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 0, \"description\": \"Percent of attempts.\"}}}";

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t number(const timelined_context *context, const char *pointer) {
  int64_t value = 0;
  context->host->parameter_integer(context->parameters, pointer, &value);
  return value;
}

static void name_file(const timelined_context *context, const char *name, char *path, size_t size) {
  const char *directory = context->host->parameter_text(context->parameters, "/directory");
  if (!directory || (size_t)snprintf(path, size, "%s/%s", directory, name) >= size) _exit(99);
}

static int64_t token(const timelined_context *context) {
  return TIMELINED_HAS(context, fencing_token) ? context->fencing_token : 0;
}

/* One write, so that lines of several processes never mix; the sync makes it evidence. */
static void testify(const timelined_context *context, const char *what, const char *detail) {
  char path[512], line[1024];
  struct stat space;
  if (stat("/proc/self/ns/net", &space) != 0) _exit(97);
  int length = snprintf(line, sizeof line, "%s\t%s\t%" PRId64 "\t%s\t%u\t%" PRId64 "\t%ju\t%" PRId64 "\t%" PRId64 "\t%s\n", what,
                        context->job, context->nominal, context->run_key, context->attempt, token(context),
                        (uintmax_t)space.st_ino, now(CLOCK_BOOTTIME), now(CLOCK_REALTIME), detail);
  name_file(context, "evidence", path, sizeof path);
  int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) _exit(99);
  if (write(file, line, (size_t)length) != length || fdatasync(file) != 0) _exit(98);
  close(file);
}

/* Shows the token to the register. It is a file's socket, so that a node that is cut off from the store reaches it. */
static bool is_refused(const timelined_context *context) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  name_file(context, "register", address.sun_path, sizeof address.sun_path);
  int line = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 2}, sizeof(struct timeval));
  char text[256], reply[16] = "";
  int length = snprintf(text, sizeof text, "%s\t%" PRId64 "\t%" PRId64, context->job, token(context), context->nominal);
  if (connect(line, (struct sockaddr *)&address, sizeof address) == 0 && send(line, text, (size_t)length, MSG_NOSIGNAL) == length &&
      recv(line, reply, sizeof reply - 1, 0) < 0)
    reply[0] = 0;
  close(line);
  return strcmp(reply, "refused") == 0;
}

/* FNV-1a with a last stir, for the low bits of short texts. */
static uint64_t dice(const timelined_context *context) {
  char text[256];
  snprintf(text, sizeof text, "%s/%" PRId64 "/%u", context->job, context->nominal, context->attempt);
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *c = text; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ hash >> 33;
}

/* Waits, looking around every few milliseconds; returns whether it was not asked to stop. */
static bool work(const timelined_context *context, int64_t milliseconds) {
  int64_t end = now(CLOCK_BOOTTIME) + milliseconds * 1000000;
  for (int64_t left; (left = end - now(CLOCK_BOOTTIME)) > 0;) {
    if (context->host->is_cancelled(context->call)) return false;
    nanosleep(&(struct timespec){.tv_nsec = left < 20000000 ? left : 20000000}, NULL);
  }
  return true;
}

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  char cursor[64] = "-";
  if (context->cursor_length > 0 && context->cursor_length < sizeof cursor) {
    memcpy(cursor, context->cursor, context->cursor_length);
    cursor[context->cursor_length] = 0;
  }
  testify(context, "start", cursor);
  uint64_t hash = dice(context);
  int64_t shortest = number(context, "/shortest"), longest = number(context, "/longest");
  if (is_refused(context)) {
    testify(context, "end", "refused");
    context->host->set_error(context->call, "the register has seen a higher token");
    return TIMELINED_FAILED;
  }
  if (!work(context, shortest + (int64_t)((hash >> 32) % (uint64_t)(longest - shortest + 1)))) {
    testify(context, "end", "cancelled");
    return TIMELINED_CANCELLED;
  }
  if ((int64_t)(hash % 100) < number(context, "/retry")) {
    testify(context, "end", "retry");
    context->host->set_error(context->call, "the dice said: once more");
    return TIMELINED_RETRY;
  }
  testify(context, "end", "succeeded");
  snprintf(cursor, sizeof cursor, "%" PRId64, token(context));
  context->host->set_cursor(context->call, cursor, strlen(cursor));
  return TIMELINED_OK;
}

static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD,
                                       .name = "evidence",
                                       .version = "1.0",
                                       .summary = "leaves evidence of its runs in a cluster",
                                       .parameters_schema = schema,
                                       .run = run};

__attribute__((visibility("default"))) const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
