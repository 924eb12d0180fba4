extension PluginTemplate {
  static let c = PluginTemplate(
    sharedLibrary: [File(path: "@name@.c", text: source)], language: "C",
    needs:
      "It needs a C compiler and `timelined_plugin.h`, which `timelined-dev` installs. "
      + "With the header elsewhere: `make INCLUDE=/path/to/include`.",
    build: """
      CFLAGS ?= -O2 -Wall -Wextra
      INCLUDE ?= $(if $(TIMELINED_KIT),$(TIMELINED_KIT)/Sources/CTimelinePlugin/include)

      @name@.so: @name@.c
      \tumask 022 && $(CC) -std=gnu17 $(CFLAGS) $(if $(INCLUDE),-I$(INCLUDE)) -shared -fPIC -fvisibility=hidden -o $@ $<

      clean:
      \trm -f @name@.so
      """,
    where: "| `@name@.c` | the plugin |")

  private static let source = #"""
    /* A plugin of timelined: says a word, and counts its runs in the cursor. */
    #include <stdio.h>
    #include <string.h>
    #include <time.h>

    #include <timelined_plugin.h>

    /* The job's parameters, `with` in its configuration. `timelinectl check` holds them to this. */
    static const char schema[] =
        "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"word\"], \"properties\": {"
        "\"word\": {\"type\": \"string\", \"minLength\": 1, \"description\": \"The word that is said.\"},"
        "\"wait\": {\"type\": \"integer\", \"minimum\": 0, \"maximum\": 3600, \"default\": 0,"
        " \"description\": \"Seconds that a run takes.\"}}}";

    /* Before the first run of a job: looks at the parameters, so that a mistake is told before any work. */
    static timelined_status open_job(const timelined_opening *opening, void **instance) {
      (void)instance;
      const char *word = opening->host->parameter_text(opening->parameters, "/word");
      if (word == NULL || *word == '\0')
        return TIMELINED_FAIL(opening, "the parameter /word is no text, or missing: give one in the job's `with`");
      return TIMELINED_OK;
    }

    /* The number of runs so far; the cursor is bytes without an end. */
    static long long count_of(const timelined_context *context) {
      char text[24] = "";
      long long count = 0;
      if (context->cursor_length < sizeof text) memcpy(text, context->cursor_length ? context->cursor : "", context->cursor_length);
      return sscanf(text, "%lld", &count) == 1 ? count : 0;
    }

    /* Waits; returns false as soon as the run is asked to stop. */
    static bool wait_for(const timelined_context *context, int64_t seconds) {
      const struct timespec moment = {.tv_nsec = 10000000};
      for (int64_t left = seconds * 100; left > 0; left--) {
        if (context->host->is_cancelled(context->call)) return false;
        context->host->report_progress(context->call, 1 - left / (seconds * 100.0), "waiting");
        nanosleep(&moment, NULL);
      }
      return true;
    }

    static timelined_status run(void *instance, const timelined_context *context) {
      (void)instance;
      const char *word = context->host->parameter_text(context->parameters, "/word");
      int64_t wait = 0;
      context->host->parameter_integer(context->parameters, "/wait", &wait);
      if (!wait_for(context, wait)) return TIMELINED_CANCELLED;

      char text[24], result[256];
      int length = snprintf(text, sizeof text, "%lld", count_of(context) + 1);
      snprintf(result, sizeof result, "%.200s, run %s", word, text);
      TIMELINED_LOG(context, TIMELINED_INFO, word);
      context->host->set_cursor(context->call, text, (uint64_t)length);
      context->host->set_result(context->call, result);
      return TIMELINED_OK;
    }

    static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD, .name = "@name@", .version = "1.0",
                                           .summary = "says a word", .parameters_schema = schema,
                                           .open = open_job, .run = run};

    TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
      (void)host;
      return &table;
    }

    """#
}
