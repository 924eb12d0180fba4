/*
 * timelined_plugin.h: the whole contract between timelined and a plugin.
 *
 * A plugin is a shared library that exports one function, timelined_plugin_entry. The host (the program
 * timeline-host, one process for each plugin) loads the library, asks that function for the plugin's table, and
 * calls the functions in the table. The plugin answers through the host's table, which it is handed with each
 * call. Nothing else crosses the border: no symbol of the host is linked, and none is promised.
 *
 * A complete plugin:
 *
 *     #include <timelined_plugin.h>
 *
 *     static timelined_status run(void *instance, const timelined_context *context) {
 *       (void)instance;
 *       context->host->set_result(context->call, "hello");
 *       return TIMELINED_OK;
 *     }
 *
 *     static const timelined_plugin table = {
 *         TIMELINED_PLUGIN_HEAD, .name = "hello", .version = "1.0", .summary = "says hello", .run = run};
 *
 *     const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
 *       (void)host;
 *       return &table;
 *     }
 *
 *     cc -std=c17 -shared -fPIC -fvisibility=hidden -o hello.so hello.c
 *
 * RULES THAT HOLD EVERYWHERE
 *
 * Growth.  Every struct begins with struct_size: the size of the struct as its writer knew it. Structs grow only
 *   at the end. A member that lies beyond struct_size is absent, and so is a function pointer that is NULL;
 *   TIMELINED_HAS asks for both. Members called reserved are zero, and a table that breaks this is refused.
 *   The ABI's number changes only when something that was there before changes its meaning. Each side states the
 *   range of numbers that it can speak; they use the highest number that both know, and without one the library
 *   is refused.
 * Text.  Strings are UTF-8 and end with a NUL. Bytes that are not UTF-8 are replaced by U+FFFD.
 * Time.  Instants are nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
 * Memory.  Each side frees only what it allocated itself. What the host hands over is the host's, may not be
 *   changed, and lives as long as its comment says. What the plugin hands to the host in a call is copied before
 *   that call returns. The plugin's table, and every string in it, lives as long as the process.
 * Threads.  The entry function, open, run and close are called on the host's main thread, one after the other.
 *   Only cancel is called on another thread, while run is running. The functions of the host may be called on
 *   any thread of the plugin's.
 * Processes.  The host leads a process group of its own, and what the plugin starts belongs to it unless the
 *   plugin moves it away. When a run is to stop, the host calls cancel and then sends SIGTERM to all others in
 *   the group; when the job's grace period is over, the whole group is killed with SIGKILL, the host included.
 *   When run has returned after that, the host kills with SIGKILL whatever the plugin has started and is still there,
 *   in this run or before, whatever group or session it is in. After a run that nobody asked to stop it stays.
 *   The host has no-op handlers for SIGTERM and SIGPIPE; they turn into the default in programs it executes. (A
 *   child between fork and exec still has them and may miss a SIGTERM; one of posix_spawn does not.)
 *   When the daemon is gone, a run is asked to stop in the same way and has two seconds.
 *   With the group goes everything else that the plugin has started: a process that moved to a group or a session of
 *   its own, or whose parent has ended, becomes the host's child and is killed with it. A child that has ended and was
 *   not waited for when run returns is reaped by the host, so wait for what you start before run returns.
 *   Standard input is empty; what is written to standard output and standard error goes to the log, line by
 *   line. Descriptor 3 is the host's.
 * Loading.  The library and the folders above it must be writable by none but their owners and root. It is loaded
 *   by its descriptor, so $ORIGIN in its run path leads nowhere; what it needs must be where the system looks.
 *   Replace an installed library by renaming a new one over it, never by writing into it: processes run from it.
 * Ends.  A plugin that crashes or calls exit() ends its host and nothing else: its run has failed, and the
 *   next one has a new host. A library is never unloaded.
 */
#ifndef TIMELINED_PLUGIN_H
#define TIMELINED_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ABI numbers that this header describes. */
enum {
  TIMELINED_ABI_OLDEST = 1,
  TIMELINED_ABI_NEWEST = 1,
};

/* How a call of open or run ended. Any other value counts as TIMELINED_FAILED. */
typedef int32_t timelined_status;
enum {
  TIMELINED_OK = 0,         /* It did what it is there for. */
  TIMELINED_FAILED = 1,     /* It did not, and trying again would not help. */
  TIMELINED_RETRY = 2,      /* It did not, and the same again later may well succeed. */
  TIMELINED_CANCELLED = 3,  /* It stopped because it was asked to. */
  TIMELINED_NO_STATUS = -1, /* Only in timelined_context.previous_status: there is no previous run. */
};

/* How much a line of the log matters. Any other value counts as TIMELINED_INFO. */
typedef int32_t timelined_level;
enum {
  TIMELINED_DEBUG = 0,
  TIMELINED_INFO = 1,
  TIMELINED_NOTICE = 2,
  TIMELINED_WARNING = 3,
  TIMELINED_ERROR = 4,
};

/* What a run may expect of the daemon just now. */
typedef int32_t timelined_cadence;
enum {
  TIMELINED_CADENCE_LIVE = 0,    /* As often as the schedule asks, several times a second included. */
  TIMELINED_CADENCE_SECONDS = 1, /* No more often than about once a second. */
  TIMELINED_CADENCE_MINUTES = 2, /* No more often than about once a minute. */
};

/* How much the timeline asks of the machine just now. */
typedef int32_t timelined_mode;
enum {
  TIMELINED_MODE_NORMAL = 0,        /* Every entry. */
  TIMELINED_MODE_LOW_FREQUENCY = 1, /* Major entries only: on battery, under pressure, or by hand. */
};

/* What a value of the parameters is. */
typedef int32_t timelined_kind;
enum {
  TIMELINED_KIND_ABSENT = 0, /* Nothing is there, or the pointer is malformed. */
  TIMELINED_KIND_NULL = 1,
  TIMELINED_KIND_BOOLEAN = 2,
  TIMELINED_KIND_INTEGER = 3, /* A number without a fraction that fits in int64_t. */
  TIMELINED_KIND_NUMBER = 4,  /* Any other number. */
  TIMELINED_KIND_TEXT = 5,
  TIMELINED_KIND_ARRAY = 6,
  TIMELINED_KIND_OBJECT = 7,
};

/* timelined_context.deadline of a run that may take as long as it likes. */
#define TIMELINED_NO_DEADLINE INT64_MAX

/* The longest text or cursor that is kept, in bytes. Longer text is cut and marked; a longer cursor is refused. */
enum {
  TIMELINED_MESSAGE_MAX = 4096,        /* A line of the log, a result, an error: one screenful. */
  TIMELINED_CURSOR_MAX = 16384,        /* A cursor: a place in the work, not the work. */
  TIMELINED_LOG_FIELDS_MAX = 32,       /* Fields of one line of the log; further ones are dropped. */
  TIMELINED_SCHEMA_MAX = 32768,        /* timelined_plugin.parameters_schema. */
  TIMELINED_PARAMETERS_MAX = 49152,    /* A job's parameters as JSON text. */
};

/* The call of open or run that is going on, to be handed back to the host's functions. It is a name and points
 * at nothing. It is good until the call returns; after that, functions given it do nothing. */
typedef struct timelined_call timelined_call;

/* A job's parameters (with = {...} in the configuration). They are the host's and live until close returns. */
typedef struct timelined_parameters timelined_parameters;

/*
 * The host's table. It lives as long as the process, and is the same for each call.
 * No function in it fails in a way that the plugin must handle.
 *
 * `call` is timelined_opening.call within open and timelined_context.call within run. `pointer` is a JSON
 * Pointer (RFC 6901): "" is the whole, "/command/0" the first element of the array under "command"; "~1" stands
 * for a slash in a key and "~0" for a tilde. Strings that these functions return are the host's, may be kept
 * until close returns, and are NULL where there is nothing to return.
 */
typedef struct timelined_host {
  uint32_t struct_size; /* sizeof(timelined_host) as the host knows it */
  uint32_t abi_oldest;  /* the ABI numbers that the host can speak */
  uint32_t abi_newest;
  uint32_t reserved; /* zero */

  /* Writes one line to the log, with the names of the job and the run added by the daemon.
   * `fields` is NULL, or pairs of key and value that end with a NULL key:
   *     (const char *const[]){"status", "200", "url", url, NULL}
   * Keys are best written in lower case with underscores. Lines beyond 2,000 or 1 MiB in a second are counted and not
   * kept. May block for a moment while the daemon is behind. */
  void (*log)(timelined_call *call, timelined_level level, const char *message, const char *const *fields);

  /* Says how far the run is: `fraction` from 0 to 1 (values outside are clamped, not-a-number means "no idea"),
   * and a line of text for people, or NULL. Only the latest is kept. */
  void (*report_progress)(timelined_call *call, double fraction, const char *text);

  /* Whether the run has been asked to stop. It becomes true before cancel is called and stays true. Costs a few
   * nanoseconds. False within open. */
  bool (*is_cancelled)(timelined_call *call);

  /* The run's result, one line for people and for the next run; the last one counts, NULL takes it back.
   * Kept only if run returns TIMELINED_OK. */
  void (*set_result)(timelined_call *call, const char *text);

  /* Why open or run did not succeed: what failed, on what, and what to do about it; the last one counts, NULL
   * takes it back. */
  void (*set_error)(timelined_call *call, const char *text);

  /* The job's cursor: `length` bytes of the plugin's own that the daemon stores in one transaction with the end
   * of the run, if that ends with TIMELINED_OK, and hands to the next run. The last one counts; a length of 0
   * removes the cursor. Returns whether it was taken: false when it is longer than TIMELINED_CURSOR_MAX, and
   * within open. */
  bool (*set_cursor)(timelined_call *call, const void *bytes, uint64_t length);

  /* What the value at `pointer` is. */
  timelined_kind (*parameter_kind)(const timelined_parameters *parameters, const char *pointer);

  /* The value at `pointer` as JSON text, objects in order of their keys, without spaces. */
  const char *(*parameter_json)(const timelined_parameters *parameters, const char *pointer);

  /* The text at `pointer`, or NULL when what is there is not text. */
  const char *(*parameter_text)(const timelined_parameters *parameters, const char *pointer);

  /* Each of these three writes the value at `pointer` to `value` and returns true, or leaves `value` alone and
   * returns false when what is there is of another kind. parameter_number takes integers too. */
  bool (*parameter_integer)(const timelined_parameters *parameters, const char *pointer, int64_t *value);
  bool (*parameter_number)(const timelined_parameters *parameters, const char *pointer, double *value);
  bool (*parameter_boolean)(const timelined_parameters *parameters, const char *pointer, bool *value);

  /* How many elements the array, or keys the object, at `pointer` has; 0 for anything else. */
  uint64_t (*parameter_count)(const timelined_parameters *parameters, const char *pointer);

  /* The key with the given index, from 0, of the object at `pointer`; keys are in order of their bytes. */
  const char *(*parameter_key)(const timelined_parameters *parameters, const char *pointer, uint64_t index);
} timelined_host;

/* What open is told. The struct and its strings live until open returns, except where said otherwise. */
typedef struct timelined_opening {
  uint32_t struct_size;                   /* sizeof(timelined_opening) as the host knows it */
  uint32_t is_rehearsal;                  /* 1 when the job's time is not the system's; otherwise 0 */
  const timelined_host *host;             /* lives as long as the process */
  timelined_call *call;                   /* this call of open */
  const timelined_parameters *parameters; /* live until close returns */
  const char *job;                        /* the job's name */
  void *data;                             /* timelined_plugin.data */
} timelined_opening;

/* What run is told. The struct and all it points at live until run returns, except where said otherwise. */
typedef struct timelined_context {
  uint32_t struct_size;                   /* sizeof(timelined_context) as the host knows it */
  uint32_t attempt;                       /* 1 for the first attempt of a run */
  const timelined_host *host;             /* lives as long as the process */
  timelined_call *call;                   /* this call of run */
  const timelined_parameters *parameters; /* live until close returns */
  const char *job;                        /* the job's name */
  const char *run_key;                    /* the same for every attempt of one entry: for idempotence keys */
  int64_t nominal;                        /* the instant that the schedule names */
  int64_t actual;                         /* the instant at which the daemon decided to start */
  int64_t deadline;                       /* when it will be asked to stop, or TIMELINED_NO_DEADLINE */
  uint64_t entry_count;                   /* entries it stands for: 1, and one more for each missed one */
  timelined_cadence cadence;              /* what it may expect of the daemon just now */
  timelined_mode mode;                    /* the daemon's mode */
  uint32_t is_rehearsal;                  /* 1 when its time is not the system's; otherwise 0 */
  timelined_status previous_status;       /* how the job's previous run ended, or TIMELINED_NO_STATUS */
  const char *previous_result;            /* that run's result, or its error; NULL if none */
  const void *cursor;                     /* the job's cursor; NULL if none */
  uint64_t cursor_length;                 /* its length in bytes; 0 if none */

  /* How an entry of another job ended, for a run that was started because of it (on-failure, on-missed, on-recovery);
   * NULL for any other run. Hosts built before it came do not have it: ask by TIMELINED_HAS(context, story). It is asked
   * like parameters, with the same functions; it and its strings live until run returns. It is an object with the
   * texts "job", "entry", "disposition", "reason", "cause" and "endedAt", the integers "attempts" and "entryCount", and
   * where they apply the integer "run" and the texts "startedAt" and "firstEntry". Instants are RFC 3339 in UTC;
   * "disposition" is one of timelined's words, such as "failed". */
  const timelined_parameters *story;
} timelined_context;

/*
 * The plugin's table. It, and all it points at, must live as long as the process and must not change.
 * Members after `reserved` that are NULL are absent; name, version, summary and run must not be.
 */
typedef struct timelined_plugin {
  uint32_t struct_size; /* sizeof(timelined_plugin) as the plugin knows it */
  uint32_t abi_oldest;  /* the ABI numbers that the plugin can speak */
  uint32_t abi_newest;
  uint32_t reserved; /* zero */

  const char *name;    /* one word: how the plugin is called in messages */
  const char *version; /* the plugin's own version, in its own form */
  const char *summary; /* one line for people: what it does */

  /* A JSON Schema (draft 2020-12) for the job's parameters, an object; NULL when there are none to check.
   * `timelinectl check` holds configurations to it without running anything. */
  const char *parameters_schema;

  /* The plugin's own; handed back in timelined_opening.data. The host never looks at it. */
  void *data;

  /* Prepares for runs of one job: once before the first run, and again in a new process when the host ended.
   * Writes whatever it likes to `instance` (NULL from the start), which is handed back in each later call.
   * Anything but TIMELINED_OK means that there is no instance: what was allocated must have been freed, close
   * is not called, and the run that needed it ends with that status and the text given to set_error.
   * Absent: `instance` is NULL. */
  timelined_status (*open)(const timelined_opening *opening, void **instance);

  /* Does the work for one entry. One run at a time; concurrent runs of a job have a process each.
   * Should return soon after is_cancelled has become true, or cancel was called. */
  timelined_status (*run)(void *instance, const timelined_context *context);

  /* Asks the run that is running to stop. Called on another thread, at most once for a run, and never before
   * run has been entered or after it has returned: run's return is held back until cancel returns. So it may use
   * instance and context, must be safe beside run, and must be quick: set a flag, wake a waiter, close a socket.
   * Absent: the run finds out by is_cancelled. */
  void (*cancel)(void *instance, const timelined_context *context);

  /* Frees what open made; no call follows for this instance. It is not called when the host is killed or
   * crashes, so nothing that must happen may wait for it. Absent: nothing is freed. */
  void (*close)(void *instance);
} timelined_plugin;

/* Whether a table that came from the other side has `member`, and it is not NULL. */
#define TIMELINED_HAS(table, member)                                                       \
  ((table)->struct_size >= (uint32_t)((const char *)(&(table)->member + 1) - (const char *)(table)) && \
   (table)->member != NULL)

/* The first members of a timelined_plugin, for a designated initialiser in C. */
#define TIMELINED_PLUGIN_HEAD                                                              \
  .struct_size = sizeof(timelined_plugin), .abi_oldest = TIMELINED_ABI_OLDEST, .abi_newest = TIMELINED_ABI_NEWEST

/* Short forms; `at` is a timelined_opening or timelined_context pointer. */
#define TIMELINED_LOG(at, level, message) ((at)->host->log((at)->call, (level), (message), NULL))
#define TIMELINED_FAIL(at, text) ((at)->host->set_error((at)->call, (text)), (timelined_status)TIMELINED_FAILED)
#define TIMELINED_FAIL_FOR_NOW(at, text) \
  ((at)->host->set_error((at)->call, (text)), (timelined_status)TIMELINED_RETRY)

#if defined(__GNUC__)
#define TIMELINED_EXPORT __attribute__((visibility("default")))
#else
#define TIMELINED_EXPORT
#endif

/*
 * The one function that a plugin exports. It is called once, before anything else, and must only return the
 * table: it is also called by tools that look at a plugin without running it. `host` lives as long as the
 * process; a plugin that can speak several ABI numbers may look at its range and choose a table. NULL refuses
 * the host.
 */
TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host);

#ifdef __cplusplus
}
#endif

#endif
