import TimelineTestSupport

extension Workshop {
  /// Compiles `gate`, a plugin whose runs wait at a named pipe until the test opens the gate, and then log `word`.
  ///
  /// A run also logs whether it is a rehearsal. It ends when it is asked to stop, unless it is `deaf`. Loading the plugin
  /// lasts `seconds`.
  func compileGate(loadingFor seconds: UInt32 = 0) throws {
    try compile(
      """
      #include <poll.h>
      #include <fcntl.h>
      #include <stdlib.h>
      #include <timelined_plugin.h>
      #include <unistd.h>

      static int ends[2];

      \(lingering(for: seconds))

      static timelined_status prepare(const timelined_opening *opening, void **instance) {
        (void)instance;
        return pipe(ends) == 0 ? TIMELINED_OK : TIMELINED_FAIL(opening, "there is no pipe");
      }

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        const timelined_host *host = context->host;
        const char *path = host->parameter_text(context->parameters, "/fifo");
        const char *word = host->parameter_text(context->parameters, "/word");
        bool deaf = false;
        host->parameter_boolean(context->parameters, "/deaf", &deaf);
        host->log(context->call, TIMELINED_INFO, "at the gate",
                  (const char *const[]){"rehearsal", context->is_rehearsal ? "yes" : "no", NULL});
        host->report_progress(context->call, 0.5, "halfway");
        if (path != NULL) {
          struct pollfd waits[] = {{open(path, O_RDWR | O_CLOEXEC), POLLIN, 0}, {ends[0], POLLIN, 0}};
          if (waits[0].fd < 0) return TIMELINED_FAIL(context, "there is no gate; make it with mkfifo");
          while (waits[0].revents == 0 && (deaf || waits[1].revents == 0)) poll(waits, deaf ? 1 : 2, -1);
          char byte;
          bool passed = waits[0].revents != 0 && read(waits[0].fd, &byte, 1) == 1;
          close(waits[0].fd);
          if (!passed) return TIMELINED_CANCELLED;
        }
        host->log(context->call, TIMELINED_NOTICE, word != NULL ? word : "through", NULL);
        return TIMELINED_OK;
      }

      static void cancel(void *instance, const timelined_context *context) {
        (void)instance;
        TIMELINED_LOG(context, TIMELINED_NOTICE, "asked to stop");
        if (write(ends[1], "x", 1) != 1) abort();
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "gate", .version = "1.0", .summary = "waits until it is let go",
          .parameters_schema = "{\\"type\\": \\"object\\", \\"additionalProperties\\": false, \\"properties\\": {"
                               "\\"fifo\\": {\\"type\\": \\"string\\"}, \\"word\\": {\\"type\\": \\"string\\"},"
                               "\\"deaf\\": {\\"type\\": \\"boolean\\"}}}",
          .open = prepare, .run = run, .cancel = cancel};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "gate")
  }

  /// C code that delays the loading of a library by `seconds`.
  private func lingering(for seconds: UInt32) -> String {
    "__attribute__((constructor)) static void linger(void) { for (unsigned s = \(seconds); s > 0;) s = sleep(s); }"
  }

  /// Writes `daemon.toml`; its `[daemon]` table comes first and dates lines in UTC.
  @discardableResult
  func configure(_ jobs: String, daemon: String = "") throws -> String {
    try write("[daemon]\ntime-zone = \"UTC\"\n\(daemon)\n\(jobs)\n", to: "daemon.toml")
  }
}

/// A schedule whose only entry is in the year 2100, for jobs that are run manually.
let never = "{ explicit = [2100-01-01T00:00:00Z] }"
/// Every full second.
let everySecond = "{ periodic = { by = \"1s\" } }"
/// Every full second, with policies that run each entry, however late the machine is.
let eachSecond = everySecond + "\noverlap = \"buffer-all\"\nmissed = \"all\""
