/// Plugins in C, written for one test each.
enum PluginSource {
  /// A plugin whose run is `body`, which can use `context` and `host`; `extra` is added to the table.
  static func run(_ body: String, before: String = "", extra: String = "") -> String {
    """
    #include <timelined_plugin.h>
    #include <inttypes.h>
    #include <signal.h>
    #include <spawn.h>
    #include <stdatomic.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/prctl.h>
    #include <sys/wait.h>
    #include <unistd.h>
    \(before)
    static timelined_status run(void *instance, const timelined_context *context) {
      const timelined_host *host = context->host;
      (void)instance; (void)host;
      \(body)
    }
    static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD, .name = "probe", .version = "0",
      .summary = "for a test", .run = run, \(extra)};
    TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
      (void)host;
      return &table;
    }
    """
  }

  /// A library whose entry function is `body`; a valid table called `good` is available to it.
  static func entry(_ body: String) -> String {
    """
    #include <timelined_plugin.h>
    #include <stdlib.h>
    static timelined_status run(void *instance, const timelined_context *context) {
      (void)instance; (void)context;
      return TIMELINED_OK;
    }
    static const timelined_plugin good = {TIMELINED_PLUGIN_HEAD, .name = "good", .version = "0",
      .summary = "for a test", .run = run};
    static timelined_plugin table;
    const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
      (void)host;
      table = good;
      \(body)
    }
    """
  }

  /// A plugin whose run blocks until cancel writes to a pipe: only its cancel callback can end it.
  static let waitsForCancel = run(
    """
    char byte;
    host->log(context->call, TIMELINED_INFO, "waiting", NULL);
    if (read(ends[0], &byte, 1) != 1) return TIMELINED_FAIL(context, "the pipe broke");
    return host->is_cancelled(context->call) ? TIMELINED_CANCELLED : TIMELINED_OK;
    """,
    before: """
      static int ends[2];
      static timelined_status open_(const timelined_opening *opening, void **instance) {
        (void)opening; (void)instance;
        return pipe(ends) == 0 ? TIMELINED_OK : TIMELINED_FAILED;
      }
      static void cancel(void *instance, const timelined_context *context) {
        (void)instance;
        TIMELINED_LOG(context, TIMELINED_NOTICE, "cancelling");
        if (write(ends[1], "x", 1) != 1) abort();
      }
      """,
    extra: ".open = open_, .cancel = cancel")
}
