import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `The verbs of a plugin's author` {
  private static let source = #"""
    #include <signal.h>
    #include <stdio.h>
    #include <string.h>
    #include <timelined_plugin.h>
    #include <unistd.h>
    static timelined_status run(void *instance, const timelined_context *context) {
      (void)instance;
      const char *act = context->host->parameter_text(context->parameters, "/act");
      if (act != NULL && strcmp(act, "retry") == 0) return TIMELINED_FAIL_FOR_NOW(context, "not yet");
      if (act != NULL && strcmp(act, "crash") == 0) {
        context->host->log(context->call, TIMELINED_INFO, "about to crash", NULL);
        raise(SIGSEGV);
      }
      while (act != NULL && strcmp(act, "wait") == 0) {
        if (context->host->is_cancelled(context->call)) return TIMELINED_CANCELLED;
        usleep(1000);
      }
      char text[512];
      snprintf(text, sizeof text, "%s %lld %lld %lld %u %llu %d %d %u %.*s %s %lld", context->job, (long long)context->nominal,
               (long long)context->actual, (long long)context->deadline, context->attempt, (unsigned long long)context->entry_count,
               context->mode, context->cadence, context->is_rehearsal, (int)context->cursor_length, (const char *)context->cursor,
               context->previous_result, (long long)context->fencing_token);
      context->host->log(context->call, TIMELINED_WARNING, "hello", (const char *const[]){"a", "1", NULL});
      puts("printed");
      context->host->report_progress(context->call, 0.5, "half");
      context->host->set_cursor(context->call, "\xFFx", 2);
      context->host->set_result(context->call, text);
      return TIMELINED_OK;
    }
    static const timelined_plugin table = {TIMELINED_PLUGIN_HEAD, .name = "told", .version = "1", .summary = "a", .run = run};
    const timelined_plugin *timelined_plugin_entry(const timelined_host *host) { (void)host; return &table; }
    """#

  @Test func `test passes a plugin the given context and shows its results`() throws {
    let workshop = try Workshop()
    let path = try workshop.compile(Self.source)
    let words = [
      "--host", BuiltProgram.host, "--job", "backup", "--nominal", "2027-01-15T08:00:00Z", "--actual",
      "2027-01-15T08:00:01Z", "--deadline", "2027-01-15T08:00:02Z", "--attempt", "3", "--entry-count", "4",
      "--mode", "low-frequency", "--cadence", "minutes", "--rehearsal", "--cursor", "left",
      "--previous-result",
      "done", "--fencing-token", "9",
    ]
    let told =
      "backup 1800000000000000000 1800000001000000000 1800000002000000000 3 4 1 2 1 left done 9"
    let text = try StartedProgram.run([BuiltProgram.control, "plugin", "test", path] + words)
    #expect(text.end == .exited(0) && text.errors.isEmpty, "\(text)")
    for line in [
      "log       warning  hello  a=1", "output    printed", "progress  50%  half", "result    \(told)",
      "cursor    base64: /3g=", "status    ok",
    ] { #expect(text.output.split(separator: "\n").contains(Substring(line)), "\(line)\n\(text.output)") }
    let json = try StartedProgram.run([BuiltProgram.control, "plugin", "test", path, "--json"] + words)
    let value = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(value["result"] as? String == told && value["status"] as? String == "ok")
    #expect(value["cursorBase64"] as? String == "/3g=" && value["cursor"] == nil)
    #expect((value["lines"] as? [[String: Any]])?.count == 2)
    #expect((value["progress"] as? [[String: Any]])?.first?["fraction"] as? Double == 0.5)
  }

  @Test(
    arguments: [
      (["--with", #"{"act": "retry"}"#], 1, "error     not yet\n"),
      (["--with", #"{"act": "retry"}"#, "--expect", "retry"], 0, "status    retry\n"),
      (
        ["--with", #"{"act": "wait"}"#, "--cancel-after", "50ms", "--expect", "cancelled"], 0,
        "status    cancelled, asked to stop\n"
      ),
      (
        ["--with", #"{"act": "wait"}"#, "--call-timeout", "100ms"], 1,
        "the plugin did not return within 100ms"
      ),
      (["--with", #"{"act": "crash"}"#], 1, "its process was killed by SIGSEGV"),
      (["--with", "{"], 64, "--with: expected a JSON object"),
      (["--nominal", "soon"], 64, "--nominal soon: "),
      (["--cadence", "hourly"], 64, "expected live, seconds or"),
      (["--upstream", "7"], 64, "--upstream: expected a JSON object"),
      (["--job", "a b"], 64, "--job a b: expected"),
      (["--expect", "fine"], 64, "expected ok, failed, retry or cancelled"),
      (["--host", "/no/such/host"], 1, "the plugin host was not started: /no/such/host: no such file"),
    ] as [([String], Int32, String)])
  func `test exits with the run's status, and names the fault`(words: [String], status: Int32, part: String)
    throws
  {
    let workshop = try Workshop()
    let host = words.contains("--host") ? [] : ["--host", BuiltProgram.host]
    let answer = try StartedProgram.run(
      [BuiltProgram.control, "plugin", "test", try workshop.compile(Self.source)] + host + words)
    #expect(answer.end == .exited(status) && (answer.output + answer.errors).contains(part), "\(answer)")
  }

  @Test func `output before a crash is kept`() throws {
    let workshop = try Workshop()
    let path = try workshop.compile(Self.source)
    let answer = try StartedProgram.run(
      [BuiltProgram.control, "plugin", "test", path, "--host", BuiltProgram.host, "--json"]
        + ["--with", #"{"act": "crash"}"#])
    let value = try #require(
      try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
    #expect(answer.end == .exited(1) && answer.errors.contains("its process was killed by SIGSEGV"))
    #expect(value["status"] == nil && value["error"] as? String == "its process was killed by SIGSEGV")
    #expect((value["lines"] as? [[String: Any]])?.first?["message"] as? String == "about to crash")
  }

  @Test func `a plugin is named by its file or its name`() throws {
    let workshop = try Workshop()
    try workshop.compile(Self.source, name: "told")
    let words = ["--host", BuiltProgram.host, "--plugins", workshop.path]
    let named = try StartedProgram.run([BuiltProgram.control, "plugin", "test", "told"] + words)
    #expect(named.end == .exited(0), "\(named)")
    let missing = try StartedProgram.run([BuiltProgram.control, "plugin", "test", "nothing"] + words)
    #expect(
      missing.end == .exited(1)
        && missing.errors.contains(
          "there is no plugin \"nothing\": nothing.so was not found in \(workshop.path)")
    )
  }
}
