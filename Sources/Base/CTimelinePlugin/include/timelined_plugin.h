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
 *     cc -std=gnu17 -shared -fPIC -fvisibility=hidden -o hello.so hello.c
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
 *   the group, and to whatever else the plugin has started, in this run or before, whatever group or session it is in;
 *   when the job's grace period is over, all of that is killed with SIGKILL, the host included. What is still there when
 *   run has returned after that has a second, and is then killed. After a run that nobody asked to stop, what it
 *   has started and left running gets SIGTERM, and a second later SIGKILL; with the job's leftovers = "keep" it runs on, and the
 *   host, after it has closed its instances, does nothing but wait for it. What open has started stays.
 *   The host has no-op handlers for SIGTERM and SIGPIPE; they turn into the default in programs it executes. (A
 *   child between fork and exec still has them and may miss a SIGTERM; one of posix_spawn does not.)
 *   When the daemon is gone, a run is asked to stop in the same way and has two seconds.
 *   With the group goes everything else that the plugin has started: a process that moved to a group or a session of
 *   its own, or whose parent has ended, becomes the host's child and is killed with it. A child that has ended and was
 *   not waited for when run returns is reaped by the host, so wait for what you start before run returns.
 *   The host leads a session without a controlling terminal: /dev/tty cannot be opened.
 *   Standard input is empty; what is written to standard output and standard error goes to the log, line by
 *   line, and a last line without an end when run has returned. Descriptor 3 is the host's.
 * Loading.  The library, and each directory and symbolic link on the way to it, must belong to root or to the user that
 *   the plugin runs as, and be writable by nobody else. A sticky directory such as /tmp may be passed, but not hold
 *   the library. It is loaded by its descriptor, so $ORIGIN in its run path leads nowhere; what it needs must be where the system looks.
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

/* Result of a call of open or run. Any other value counts as TIMELINED_FAILED. */
typedef int32_t timelined_status;
enum {
  TIMELINED_OK = 0,         /* It did what it is there for. */
  TIMELINED_FAILED = 1,     /* It did not, and trying again would not help. */
  TIMELINED_RETRY = 2,      /* It did not, and the same again later may well succeed. */
  TIMELINED_CANCELLED = 3,  /* It stopped because it was asked to. */
  TIMELINED_NO_STATUS = -1, /* Only in timelined_context.previous_status: no previous attempt is known of. */
};

/* Severity of a line of the log. Any other value counts as TIMELINED_INFO. */
typedef int32_t timelined_level;
enum {
  TIMELINED_DEBUG = 0,
  TIMELINED_INFO = 1,
  TIMELINED_NOTICE = 2,
  TIMELINED_WARNING = 3,
  TIMELINED_ERROR = 4,
};

/* Start frequency that a run can expect at present: LIVE in normal mode, and SECONDS or MINUTES, as the daemon is configured,
 * in low-frequency mode. A run should not update anything more often. */
typedef int32_t timelined_cadence;
enum {
  TIMELINED_CADENCE_LIVE = 0,    /* As often as the schedule asks, several times a second included. */
  TIMELINED_CADENCE_SECONDS = 1, /* No more often than about once a second. */
  TIMELINED_CADENCE_MINUTES = 2, /* No more often than about once a minute. */
};

/* Mode of the daemon: which entries it runs. Low-frequency mode leaves out those of animations, on battery, under pressure or
 * because an operator wants it so (timelinectl mode). A run that is active when the mode changes goes on; current_mode tells it. */
typedef int32_t timelined_mode;
enum {
  TIMELINED_MODE_NORMAL = 0,        /* Every entry. */
  TIMELINED_MODE_LOW_FREQUENCY = 1, /* Major entries only. */
};

/* Kind of a value of the parameters. */
typedef int32_t timelined_kind;
enum {
  TIMELINED_KIND_ABSENT = 0, /* Nothing is there, or the pointer is malformed. */
  TIMELINED_KIND_NULL = 1,
  TIMELINED_KIND_BOOLEAN = 2,
  TIMELINED_KIND_INTEGER = 3, /* A number written without fraction and exponent that fits in int64_t. */
  TIMELINED_KIND_NUMBER = 4,  /* Any other number: 1.0 and 1e3 are numbers. */
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
   * Keys are best written in lower case with underscores. Lines beyond 2,000 or 1 MiB at once, and 200 or 64 KiB a
   * second after that, are counted and not kept; nor are those beyond 256 of a call in the daemon's own process. May
   * block for a moment while the daemon is behind. */
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

  /* The reason that open or run did not succeed: what failed, on what, and what to do about it; the last one counts,
   * NULL takes it back. */
  void (*set_error)(timelined_call *call, const char *text);

  /* The job's cursor: `length` bytes of the plugin's own that the daemon stores in one transaction with the end
   * of the run, if that ends with TIMELINED_OK, and hands to the next run. The last one counts; a length of 0
   * removes the cursor. Returns whether it was taken: false when it is longer than TIMELINED_CURSOR_MAX, and
   * within open. */
  bool (*set_cursor)(timelined_call *call, const void *bytes, uint64_t length);

  /* The kind of the value at `pointer`. */
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

  /* The number of elements of the array, or of keys of the object, at `pointer`; 0 for anything else. */
  uint64_t (*parameter_count)(const timelined_parameters *parameters, const char *pointer);

  /* The key with the given index, from 0, of the object at `pointer`; keys are in order of their bytes. */
  const char *(*parameter_key)(const timelined_parameters *parameters, const char *pointer, uint64_t index);

  /* The daemon's mode and cadence at present, which may have changed since the run began: writes them and returns true, or leaves
   * both alone and returns false within open. It returns the values of the context for an in-process run and for a run started by an
   * earlier daemon. Older plugin hosts lack it: check TIMELINED_HAS(context->host, current_mode). */
  bool (*current_mode)(timelined_call *call, timelined_mode *mode, timelined_cadence *cadence);
} timelined_host;

/* Arguments of open. The struct and its strings live until open returns, except where said otherwise. */
typedef struct timelined_opening {
  uint32_t struct_size;                   /* sizeof(timelined_opening) as the host knows it */
  uint32_t is_rehearsal;                  /* 1 when the job's time is not the system's; otherwise 0 */
  const timelined_host *host;             /* lives as long as the process */
  timelined_call *call;                   /* this call of open */
  const timelined_parameters *parameters; /* live until close returns */
  const char *job;                        /* the job's name */
  void *data;                             /* timelined_plugin.data */
} timelined_opening;

/* Arguments of run. The struct and all it points at live until run returns, except where said otherwise. */
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
  timelined_cadence cadence;              /* what it may expect of the daemon as the attempt was decided */
  timelined_mode mode;                    /* the daemon's mode then; see current_mode of the host */
  uint32_t is_rehearsal;                  /* 1 when its time is not the system's; otherwise 0 */
  timelined_status previous_status;       /* how the job's attempt that ended last did: in a further attempt of a run the
                                           * one before it, unless another run of the job has ended since;
                                           * TIMELINED_NO_STATUS if none has since the daemon was started (a cursor
                                           * is what outlives it) */
  const char *previous_result;            /* that attempt's result, or its error; NULL if none */
  const void *cursor;                     /* the job's cursor; NULL if none */
  uint64_t cursor_length;                 /* its length in bytes; 0 if none */

  /* An entry of another job, for a run that was started because of it (on-failure, on-success, on-start...);
   * NULL for any other run. Hosts built before it came do not have it: ask by TIMELINED_HAS(context, upstream). It is asked
   * like parameters, with the same functions; it and its strings live until run returns. It is an object with the
   * texts "job", "entry", "outcome", "reason" and "cause", the integers "attempts" and "entryCount", and
   * where they apply the integer "run" and the texts "startedAt", "endedAt", "firstEntry" and "output", the last lines that the run
   * wrote, at most 4 KiB with ends of lines in between, and the object "schedule" of the other job: "cron" (five fields) or
   * "calendar" (systemd.time(7)) with its "zone", or the integer "period" in seconds. Instants are RFC 3339 in UTC;
   * "outcome" is one of timelined's words, such as "failed"; "waiting" or "running" for an entry that has not ended. */
  const timelined_parameters *upstream;

  /* In a cluster, the fencing token of the run's entry: higher than that of every earlier entry of the job, on whatever node that ran,
   * and the same for every attempt. 0 without a cluster. A resource that keeps the highest token it has seen and refuses lower
   * ones is safe from a node that was stopped in the middle of a run and goes on after another has taken over; without such a
   * resource there is only the node's lease. Hosts built before it came do not have it: TIMELINED_HAS(context, fencing_token). */
  int64_t fencing_token;

  /* The instants, ascending, from which windows and holidays have moved entries to this one, and their number; NULL and 0 for an
   * entry that did not move. They live until run returns. Hosts built before they came do not have them:
   * TIMELINED_HAS(context, moved_from). */
  const int64_t *moved_from;
  uint64_t moved_from_count;
} timelined_context;

/*
 * The plugin's table. It, and all it points at, must live as long as the process and must not change.
 * Members after `reserved` that are NULL or 0 are absent; name, version, summary and run must not be.
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
   * `timelinectl check` holds configurations to it without running anything. Supported are
   *   type enum const multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern
   *   properties patternProperties additionalProperties propertyNames required minProperties maxProperties
   *   dependentRequired dependentSchemas prefixItems items minItems maxItems uniqueItems contains minContains
   *   maxContains allOf anyOf oneOf not if then else, $defs, and $ref to a place in the same schema that does not lead
   *   back to itself. title description default examples deprecated readOnly writeOnly $comment $schema, and keywords
   *   that begin with x-, ask nothing. A schema with any other keyword, such as format, is refused when the plugin is
   *   inspected, and its jobs are not run: nothing is passed over. A pattern has characters, . [ ] ^ $ ( ) | * + ? {n,m},
   *   \d \w \s and their opposites; lookaround, back-references, \b and \p are refused. Differently from the
   *   standard 1.0 is no integer, because parameter_integer does not find one.
   * "x-timelined-command": true at an array of strings says that it is a program and its arguments, and at a string that
   *   it is a program: check then asks whether the job's user can execute the program, also that of a default. One
   *   without a slash is looked for in PATH, which the parameter environment may set, and a relative one in the parameter
   *   working-directory or else the job's.
   * "x-timelined-credential": true at a string says that it is the name of a credential: check then asks whether the job
   *   has one of that name.
   * "x-timelined-hint": "a URL that begins with https://" beside a pattern says what a text must be: check then says so of a
   *   text that does not match, in place of the pattern. */
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
   * run has been entered or after it has returned: a run that is to stop before its instant has come is not called,
   * and run's return is held back until cancel returns. So it may use
   * instance and context, must be safe beside run, and must be quick: set a flag, wake a waiter, close a socket.
   * Absent: the run finds out by is_cancelled. */
  void (*cancel)(void *instance, const timelined_context *context);

  /* Frees what open made; no call follows for this instance. It is not called when the host is killed or
   * crashes, so nothing that must happen may wait for it. Absent: nothing is freed. */
  void (*close)(void *instance);

  /* Limit of instances open in one process, of several jobs and between their runs; still one call at a time.
   * 0 stands for 1, which is right for a plugin that keeps anything of a job outside of its instance. With more, jobs
   * that take turns in a process are not opened anew for each run. The host may keep fewer. */
  uint64_t instances_max;
} timelined_plugin;

/* Whether a table that came from the other side has `member`, and it is neither NULL nor 0. */
#define TIMELINED_HAS(table, member)                                                       \
  ((table)->struct_size >= (uint32_t)((const char *)(&(table)->member + 1) - (const char *)(table)) && \
   !!(table)->member)

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
 *
 * A library can be several plugins, which then share what it links. It is installed under several names, by links, and exports
 * a function of this form for each of them: timelined_plugin_entry_wave for the file wave.so. That one is called where there is
 * one of the file's name, in place of timelined_plugin_entry.
 */
TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host);

#ifdef __cplusplus
}
#endif

#endif
