import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Whole conversations with a real host: load, open, run, close, exit.
@Suite struct ConversationTests {
  @Test func `the example in C greets, counts in its cursor and ends in order`() throws {
    let workshop = try Workshop()
    let source = try String(
      contentsOfFile: "\(sourceRoot)/Sources/Plugins/bundled/Examples/hello/hello.c", encoding: .utf8)
    let host = try HostProcess()
    guard case .loaded(let plugin) = try host.load(try workshop.compile(source)) else {
      throw TestFailure("not loaded")
    }
    #expect(
      plugin.name == "hello" && plugin.version == "1.0" && plugin.abiOldest == 1 && plugin.abiNewest == 1)
    #expect(plugin.parametersSchema?.contains("\"whom\"") == true)
    #expect(try host.open(#"{"whom":"you"}"#) == .opened)

    let first = try host.run(1)
    #expect(first.end.status == .succeeded && first.end.text == "hello, you (run 1)")
    #expect(
      first.lines == [
        LogLine(
          run: 1, level: .info, message: "saying hello",
          fields: [.init(key: "whom", value: "you"), .init(key: "count", value: "1")])
      ])
    let second = try host.run(2, cursor: try #require(first.end.cursor))
    #expect(second.end.text == "hello, you (run 2)")

    try host.send(.close(instance: 0))
    #expect(try host.receive() == .closed)
    try host.send(.exit)
    #expect(try host.receive() == nil)
    #expect(try host.end() == .exited(0))
  }

  @Test(.timeLimit(.minutes(10)))
  func `the example in Swift is built with build.sh and fulfills the same contract`() throws {
    let workshop = try Workshop()
    try shell(
      "\(sourceRoot)/Sources/Plugins/bundled/build.sh", "release", workshop.path,
      "\(sourceRoot)/Sources/Plugins/bundled/Examples/greeter")
    let library = "\(workshop.path)/greeter.so"
    let symbols = try shell("nm", "-D", "--defined-only", "--extern-only", library)
    #expect(symbols.split(separator: "\n").count == 1 && symbols.contains("timelined_plugin_entry"))

    let host = try HostProcess()
    guard case .loaded(let plugin) = try host.load(library) else { throw TestFailure("not loaded") }
    #expect(plugin.name == "greeter" && plugin.parametersSchema != nil)
    #expect(
      try host.open("{}")
        == .openFailed(
          OpenFailure(
            status: .failed, text: "the parameter /whom is missing: give text in the job's `with`")))
    #expect(
      try host.open(#"{"whom":[1]}"#)
        == .openFailed(
          OpenFailure(
            status: .failed,
            text: "the parameter /whom must be text, and is an array: correct it in the job's `with`")))
    #expect(try host.open(#"{"whom":"Zoë"}"#) == .opened)
    for number in UInt64(1)...3 {
      let (lines, _, end) = try host.run(number)
      #expect(end.status == .succeeded && end.text == "hello, Zoë" && end.cursor == nil)
      #expect(lines.first?.fields == [.init(key: "whom", value: "Zoë")])
    }
    try host.send(.exit)
    #expect(try host.end() == .exited(0))
  }

  @Test func `a run gets all fields of its context`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        char text[1024];
        snprintf(text, sizeof text, "%u %s %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64 " %d %d %u %d %s %.*s",
          context->attempt, context->job, context->run_key, context->nominal, context->actual, context->deadline,
          context->entry_count, context->cadence, context->mode, context->is_rehearsal, context->previous_status,
          context->previous_result ? context->previous_result : "-", (int)context->cursor_length,
          context->cursor ? (const char *)context->cursor : "");
        host->set_result(context->call, text);
        return TIMELINED_OK;
        """#))
    let host = try HostProcess()
    try host.load(library)
    #expect(try host.open("{}", isRehearsal: true) == .opened)
    try host.send(
      .run(
        try RunRequest(
          run: 7, runKey: "test@1", nominal: .epoch + .seconds(1), actual: .epoch + .seconds(2),
          deadline: .epoch + .seconds(3), cadence: .minutes, mode: .lowFrequency, attempt: 2, entryCount: 5,
          previous: .init(status: .failedForNow, text: "busy"), cursor: Array("here".utf8))))
    try host.expectEnd("2 test test@1 1000000000 2000000000 3000000000 5 2 1 1 2 busy here")
    try host.send(
      .run(try RunRequest(run: 8, runKey: "test@2", nominal: .epoch, actual: .epoch, previous: nil)))
    try host.expectEnd("1 test test@2 0 0 \(Int64.max) 1 0 0 1 -1 - ")
  }

  @Test func `a change of the mode reaches the active run, and no run before or after it`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        timelined_mode mode = -1;
        timelined_cadence cadence = -1;
        if (!TIMELINED_HAS(host, current_mode)) return TIMELINED_FAIL(context, "no current_mode");
        do {
          if (!host->current_mode(context->call, &mode, &cadence)) return TIMELINED_FAIL(context, "not told");
        } while (context->attempt == 2 && mode == context->mode && !host->is_cancelled(context->call));
        char text[64];
        snprintf(text, sizeof text, "%d %d, %d %d", context->mode, context->cadence, mode, cadence);
        host->set_result(context->call, text);
        return TIMELINED_OK;
        """#))
    let host = try HostProcess()
    try host.load(library)
    #expect(try host.open() == .opened)
    for number in UInt64(1)...3 {
      try host.send(
        .run(
          try RunRequest(
            run: number, runKey: "test@\(number)", nominal: .epoch, actual: .epoch, attempt: UInt32(number),
            previous: nil)))
      for told in [number + 1, number] where number == 2 {
        try host.send(.mode(run: told, CurrentMode(told == 2 ? .lowFrequency : .normal, .minutes)))
      }
      try host.expectEnd(number == 2 ? "0 0, 1 2" : "0 0, 0 0")
      try host.send(.mode(run: number, CurrentMode(.lowFrequency, .seconds)))
    }
  }

  @Test func `a run that reacts to another job's entry gets its upstream, and no other run does`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        if (!TIMELINED_HAS(context, upstream)) return TIMELINED_FAIL(context, "no upstream");
        int64_t attempts = -1;
        char text[1024];
        host->parameter_integer(context->upstream, "/attempts", &attempts);
        snprintf(text, sizeof text, "%s %s %" PRId64 " %d of %s", host->parameter_text(context->upstream, "/job"),
          host->parameter_text(context->upstream, "/outcome"), attempts,
          host->parameter_kind(context->upstream, "/run"), host->parameter_json(context->upstream, ""));
        host->set_result(context->call, text);
        return TIMELINED_OK;
        """#))
    let host = try HostProcess()
    try host.load(library)
    try host.open(#"{"job":"mine"}"#)
    let upstream = #"{"attempts":2,"job":"backup","outcome":"failed"}"#
    for number in UInt64(1)...2 {
      #expect(try host.run(number, upstream: upstream).end.text == "backup failed 2 0 of \(upstream)")
      #expect(try host.run(number).end == RunEnd(run: number, failure: "no upstream"))
    }
  }

  @Test(
    arguments: [
      ("return TIMELINED_OK;", .succeeded, ""),
      (
        #"host->set_result(context->call, "a"); host->set_result(context->call, NULL); return 0;"#,
        .succeeded, ""
      ),
      (#"host->set_error(context->call, "no"); return TIMELINED_OK;"#, .succeeded, ""),
      (#"host->set_result(context->call, "yes"); return TIMELINED_FAIL(context, "no");"#, .failed, "no"),
      (#"return TIMELINED_FAIL_FOR_NOW(context, "busy");"#, .failedForNow, "busy"),
      ("return TIMELINED_CANCELLED;", .cancelled, ""),
      (
        "return TIMELINED_FAILED;", .failed,
        "the plugin's run returned failure and did not say why; its author should call set_error"
      ),
      (
        "return 77;", .failed,
        "the plugin's run returned 77, which is no status and did not say why; its author should call set_error"
      ),
      (#"host->set_result(context->call, "\xff" "a"); return 0;"#, .succeeded, "\u{FFFD}a"),
    ] as [(String, RunStatus, String)])
  func `a run ends with the plugin's status and text`(body: String, status: RunStatus, text: String) throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(try workshop.compile(PluginSource.run(body)))
    try host.open()
    let end = try host.run().end
    #expect(end.status == status && end.text == text)
  }

  @Test func `lines, progress and long texts are passed on within their limits`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        host->log(context->call, 99, "odd level", (const char *const[]){"k", NULL});
        host->log(context->call, TIMELINED_ERROR, NULL, NULL);
        host->report_progress(context->call, 0.25, "a quarter");
        host->report_progress(context->call, 0.25, "a quarter");
        host->report_progress(context->call, 7, NULL);
        host->report_progress(context->call, 0.0 / 0.0, "no idea");
        static char big[20000];
        memset(big, 'x', sizeof big - 1);
        host->log(context->call, TIMELINED_INFO, big, NULL);
        if (host->set_cursor(context->call, big, TIMELINED_CURSOR_MAX + 1)) return TIMELINED_FAILED;
        if (!host->set_cursor(context->call, big, TIMELINED_CURSOR_MAX)) return TIMELINED_FAILED;
        host->set_result(context->call, big);
        return TIMELINED_OK;
        """#))
    let host = try HostProcess()
    try host.load(library)
    try host.open()
    let (lines, progress, end) = try host.run()
    #expect(lines.map(\.level) == [.info, .error, .info])
    #expect(lines[0].fields == [.init(key: "k", value: "")])
    #expect(
      lines[2].message.utf8.count == WireLimits.textMax
        && lines[2].message.hasSuffix("... [19999 bytes, cut]"))
    #expect(progress.map(\.millionths) == [250_000, 1_000_000, nil])
    #expect(progress.map(\.text) == ["a quarter", "", "no idea"])
    #expect(
      end.status == .succeeded && end.text.hasSuffix("cut]") && end.cursor?.count == WireLimits.cursorMax)
  }

  @Test func `the name of a call that is over has no effect`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        static timelined_call *old;
        if (old != NULL) {
          host->log(old, TIMELINED_INFO, "ghost", NULL);
          host->set_error(old, "ghost");
          host->set_result(old, "ghost");
          if (host->is_cancelled(old) || host->set_cursor(old, "x", 1)) return TIMELINED_FAILED;
        }
        old = context->call;
        return TIMELINED_OK;
        """#))
    let host = try HostProcess()
    try host.load(library)
    try host.open()
    _ = try host.run(1)
    let second = try host.run(2)
    #expect(second.lines.isEmpty && second.end.status == .succeeded && second.end.text == "")
    #expect(second.end.cursor == nil)
  }

  @Test func `an instance is opened, closed and opened again with other parameters`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        "host->set_result(context->call, *(const char **)instance); return TIMELINED_OK;",
        before: #"""
          static timelined_status open_(const timelined_opening *opening, void **instance) {
            TIMELINED_LOG(opening, TIMELINED_DEBUG, opening->job);
            const char *text = opening->host->parameter_text(opening->parameters, "/text");
            if (text == NULL) return TIMELINED_FAIL_FOR_NOW(opening, "no text yet");
            const char **box = malloc(sizeof *box);
            *box = text;
            *instance = box;
            return TIMELINED_OK;
          }
          static void close_(void *instance) { printf("closed %s\n", *(char **)instance); free(instance); }
          """#,
        extra: ".open = open_, .close = close_"))
    let host = try HostProcess()
    try host.load(library)
    #expect(try host.open() == .openFailed(OpenFailure(status: .failedForNow, text: "no text yet")))
    for text in ["one", "two"] {
      #expect(try host.open(#"{"text":"\#(text)"}"#) == .opened)
      #expect(try host.run().end.text == text)
      try host.send(.close(instance: 0))
      #expect(try host.receive() == .closed)
    }
    for (number, text) in ["three", "four"].enumerated() {
      #expect(try host.open(#"{"text":"\#(text)"}"#, instance: UInt32(number)) == .opened)
    }
    #expect(try host.run(2, instance: 1).end.text == "four")
    #expect(try host.run(3, instance: 0).end.text == "three")
    try host.send(.close(instance: 1))
    #expect(try host.receive() == .closed)
    #expect(try host.run(4, instance: 0).end.text == "three")
    #expect(try host.open("[", instance: 1) != .opened)
    try host.send(.exit)
    #expect(try host.outputToEnd() == "closed one\nclosed two\nclosed four\nclosed three\n")
  }

  @Test(
    arguments: [
      (DaemonMessage.close(instance: 0).encoded(), "\"close\" out of order"),
      ([WireVersion.current, 99], "unknown kind 99"),
      ([WireVersion.current + 1, 1], "version \(WireVersion.current + 1)"),
      ([WireVersion.current, 4, 1], "ended before its fields did"),
      (DaemonMessage.close(instance: 0).encoded() + [0], "went on for 1 bytes"),
    ] as [([UInt8], String)])
  func `a message out of order ends the host and the reason is logged`(bytes: [UInt8], reason: String) throws
  {
    let host = try HostProcess()
    try host.sendRaw(bytes)
    #expect(try host.receive() == nil)
    #expect(try host.outputToEnd().contains(reason))
    #expect(try host.end() == .exited(76))
  }
}

extension HostProcess {
  fileprivate func expectEnd(_ text: String, _ location: SourceLocation = #_sourceLocation) throws {
    guard case .ended(let end) = try receiveAnswer().answer else { throw TestFailure("no end") }
    #expect(end.text == text, sourceLocation: location)
  }
}
