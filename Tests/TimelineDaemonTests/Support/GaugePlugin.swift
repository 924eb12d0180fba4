import TimelineTestSupport

extension Workshop {
  /// Compiles `gauge`, whose runs fail until a file exists. The result of a reaction is the phase and the failures of its upstream's
  /// incident, and the upstream's outcome.
  func compileGauge() throws {
    try compile(
      """
      #include <stdio.h>
      #include <timelined_plugin.h>
      #include <unistd.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        const timelined_host *host = context->host;
        if (context->upstream != NULL) {
          const char *phase = host->parameter_text(context->upstream, "/incident/phase");
          int64_t failures = 0;
          host->parameter_integer(context->upstream, "/incident/failures", &failures);
          const char *outcome = host->parameter_text(context->upstream, "/outcome");
          char text[100];
          snprintf(text, sizeof text, "%s %d %s", phase != NULL ? phase : "entry", (int)failures, outcome);
          host->set_result(context->call, text);
          return TIMELINED_OK;
        }
        const char *path = host->parameter_text(context->parameters, "/file");
        return path != NULL && access(path, F_OK) == 0 ? TIMELINED_OK : TIMELINED_FAIL(context, "no file");
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "gauge", .version = "1.0", .summary = "looks for a file", .run = run};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "gauge")
  }
}
