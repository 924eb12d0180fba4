import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineJSON
import TimelineSystem
import TimelineTestSupport

@Suite struct `The plugin process` {
  struct Case: CustomTestStringConvertible, Sendable {
    /// Commands of /bin/sh after it has read the line of the run.
    var script: String
    var status = AttemptResult.Status.succeeded
    var retry = false
    var message = ""
    var lines: [String] = []
    var testDescription: String { script }
  }

  /// The parameters of a job whose program reads the line of its run into `$run` and then runs `script`.
  private func parameters(_ script: String, parameters: String = "{}") throws -> String {
    let command = JSONText.array(["/bin/sh", "-c", "read -r run; \(script)"].map(JSONText.quoted))
    return #"{"command": \#(command), "parameters": \#(parameters)}"#
  }

  @Test(arguments: [
    Case(script: #"echo '{"status":"ok"}'"#),
    Case(script: #"echo '{"result":"done","status":"ok"}'"#, message: "done"),
    Case(
      script: #"echo '{"result":"one"}'; echo '{"result":"two"}'; echo '{"status":"ok"}'; cat"#,
      message: "two"),
    Case(
      script:
        #"echo '{"log":"a","level":"warning","fields":{"n":1,"b":"x"}}'; echo oops >&2; echo '{"status":"ok"}'"#,
      lines: ["a", "oops"]),
    Case(
      script: #"echo '{"error":"no disk"}'; echo '{"status":"failed"}'; exit 1"#, status: .failed,
      message: "no disk"),
    Case(script: #"echo '{"error":"busy","status":"retry"}'"#, status: .failed, retry: true, message: "busy"),
    Case(
      script: #"echo '{"status":"failed"}'"#, status: .failed,
      message: #"said "failed" and not why: print {"error""#),
    Case(script: #"echo '{"status":"cancelled"}'"#, status: .cancelled),
    Case(script: "exit 0", status: .failed, message: "/bin/sh ended without a status: its last line must be"),
    Case(
      script: "echo no >&2; exit 3", status: .failed, retry: true,
      message: #"exited with status 3; last line of output: "no""#, lines: ["no"]),
    Case(
      script: #"echo '{"status":"ok"}'; exit 3"#, status: .failed, retry: true,
      message: "exited with status 3"),
    Case(script: "kill -KILL $$", status: .failed, retry: true, message: "killed by signal 9"),
    Case(
      script: "echo hello; exec sleep 60", status: .failed,
      message: "it is not JSON: expected a value at byte 1; print one JSON object a line"),
    Case(script: "echo 'hello you'", status: .failed, message: "the line: hello you"),
    Case(script: "echo '[1]'", status: .failed, message: "it is JSON, but not an object"),
    Case(
      script: #"echo '{"statu":"ok"}'"#, status: .failed,
      message: #"the key "statu" is unknown: there are cursor"#),
    Case(
      script: #"echo '{"level":"info"}'"#, status: .failed,
      message: #"the key "level" stands only beside "log""#),
    Case(script: #"echo '{"log":1}'"#, status: .failed, message: #"the value of "log" is not a text"#),
    Case(
      script: #"echo '{"status":"fine"}'"#, status: .failed,
      message: #"the value of "status" is none of "ok", "failed", "retry", "cancelled""#),
    Case(
      script: #"echo '{"progress":"half"}'"#, status: .failed,
      message: "neither a number from 0 to 1 nor null"),
    Case(
      script: #"echo '{"status":"ok"}'; echo '{"status":"ok"}'"#, status: .failed,
      message: "a line came after the status"),
    Case(
      script: "head -c 70000 /dev/zero | tr '\\0' x; exec sleep 60", status: .failed,
      message: "a line is longer than 65536 bytes"),
    Case(
      script: #"printf '{"cursor":"%s"}\n' "$(head -c 17000 /dev/zero | tr '\0' x)"; exec sleep 60"#,
      status: .failed,
      message: "the new cursor was not taken: it has 17002 bytes"),
    Case(script: #"exec <&-; echo '{"status":"ok"}'"#),
  ])
  func `a program's last line decides on the result, and an invalid line ends it`(example: Case) throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("process", job: "script", parameters: parameters(example.script))
    let end = try stage.finish(run)
    #expect(end.outcome.status == example.status, "\(end.outcome.message)")
    #expect(end.outcome.isWorthRetrying == example.retry)
    #expect(
      example.message.isEmpty || end.outcome.message.contains(example.message), "\(end.outcome.message)")
    #expect(stage.lines(of: run, .log).sorted() == example.lines.sorted())
  }

  @Test(arguments: [
    ("{}", "the parameter /command is missing"), (#"{"command": []}"#, "the parameter /command is empty"),
    (
      #"{"command": ["a"], "parameters": 7}"#,
      "the parameter /parameters must be an object, and is an integer"
    ),
    (#"{"command": ["/no/such/program"]}"#, "/no/such/program was not started: no such file or directory"),
    (#"{"command": ["no-such-program"]}"#, "no-such-program was not found in PATH"),
    (#"{"command": ["a"], "working-directory": "b"}"#, "it must be an absolute path"),
  ])
  func `the failure of a wrong parameter names its key and the remedy`(parameters: String, expected: String)
    throws
  {
    let end = try Stage(Fixtures.bundled).run("process", parameters: parameters)
    #expect(end.outcome.status == .failed)
    #expect(end.outcome.message.contains(expected), "\(end.outcome.message)")
  }

  @Test func `a program reads the facts of its run in one line`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start(
      "process", job: "told",
      parameters: parameters(
        #"printf '%s\n' "$run" >&2; echo '{"status":"ok"}'"#, parameters: #"{"a": [1, "b"]}"#)
    ) {
      $0.attempt.number = 3
      ($0.attempt.mode, $0.attempt.cadence) = (.lowFrequency, .minutes)
      $0.attempt.entryCount = 2
      $0.attempt.upstream = .sample
      $0.attempt.movedFrom = [WallInstant(secondsSinceEpoch: 0), WallInstant(secondsSinceEpoch: 86_400)]
      $0.cursor = Array(#"{"n":7}"#.utf8)
    }
    #expect(try stage.finish(run).outcome.status == .succeeded)
    let line = try JSONValue(parsing: try #require(stage.lines(of: run, .log).first))
    for (pointer, expected) in [
      ("/run/job", #""told""#), ("/run/attempt", "3"), ("/run/entryCount", "2"),
      ("/run/nominal", #""2027-01-15T08:00:00Z""#), ("/run/deadline", "null"),
      ("/run/mode", #""low-frequency""#),
      ("/run/cadence", #""minutes""#), ("/run/rehearsal", "false"), ("/run/cursor/n", "7"),
      ("/run/upstream/job", #""backup""#), ("/run/previous", "null"), ("/run/fencingToken", "null"),
      ("/run/movedFrom", #"["1970-01-01T00:00:00Z","1970-01-02T00:00:00Z"]"#),
      ("/run/parameters", #"{"a":[1,"b"]}"#),
    ] { #expect(line.value(at: pointer)?.description == expected, "\(pointer)") }
  }

  @Test func `a run line that is longer than a pipe reaches a program that reads late`() throws {
    let stage = try Stage(Fixtures.bundled)
    let long = #"{"text": "\#(String(repeating: "x", count: 48_000))"}"#
    let run = try stage.start(
      "process",
      parameters:
        #"{"command": ["/bin/sh", "-c", "sleep 0.2; read -r run; echo '{\"status\":\"ok\"}' $(echo ${#run} >&2)"], "parameters": \#(long)}"#
    ) { $0.cursor = Array(JSONText.quoted(String(repeating: "\u{7F}", count: 2_700)).utf8) }
    #expect(try stage.finish(run).outcome.status == .succeeded)
    #expect(Int(try #require(stage.lines(of: run, .log).first)) ?? 0 > 64_000)
  }

  @Test(arguments: [(#"{"n":8}"#, #"{"n":8}"#), ("null", ""), (#""a""#, #""a""#)])
  func `a cursor is kept as JSON`(cursor: String, kept: String) throws {
    let end = try Stage(Fixtures.bundled).run(
      "process", parameters: parameters(#"echo '{"cursor":\#(cursor)}'; echo '{"status":"ok"}'"#))
    #expect(String(decoding: try #require(end.cursor), as: UTF8.self) == kept)
  }

  @Test func `a program reads a line at a stop and may clean up`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start(
      "process",
      parameters: parameters(
        #"trap '' TERM; echo '{"progress":0.5,"text":"half"}'; read -r more; echo "{\"log\":\"tidy\",\"status\":\"cancelled\"}"; echo "$more" >&2"#
      ))
    try stage.wait(for: "progress") {
      stage.events.contains { if case .progress = $0 { true } else { false } }
    }
    stage.hosts.askToStop(run, .cancel)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    #expect(stage.lines(of: run, .log).sorted() == ["tidy", #"{"cancel":{}}"#].sorted())
  }

  @Test func `a rehearsal runs no program`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("process", parameters: parameters("exit 1")) { $0.isRehearsal = true }
    #expect(try stage.finish(run).outcome.status == .succeeded)
    #expect(stage.allLines(of: run).first?.hasSuffix("was not run; set rehearse = true to run it") == true)
  }
}
