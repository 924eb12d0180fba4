import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `The clock of a daemon` {
  private static let start = "2027-03-28T00:00:00Z"

  /// A paused rehearsal with a job that waits at a gate and an hourly job.
  private static func rehearsal(
    _ workshop: Workshop, settings: String = "", gate: String = ""
  ) throws -> DaemonProcess {
    try workshop.compileGate()
    try workshop.configure(
      """
      \(settings)
      [job.hourly]
      plugin = "gate"
      schedule = { periodic = { by = "1h", from = 2027-03-28T00:30:00Z } }
      [job.held]
      plugin = "gate"
      schedule = \(never)
      timeout = "1h"
      \(gate)
      """)
    let daemon = try DaemonProcess(
      workshop,
      arguments: ["--clock", "scaled:0", "--from", start, "--control", workshop.path + "/control.sock"])
    try daemon.begin()
    return daemon
  }

  private static func state(_ answer: FinishedProgram) throws -> ClockState {
    try #require(answer.end == .exited(0), "\(answer)")
    return try JSONDecoder().decode(ClockState.self, from: Data(answer.output.utf8))
  }

  @Test func `is shown, and each change is in the log, in watch and in status`() throws {
    let workshop = try Workshop()
    let daemon = try Self.rehearsal(workshop)
    try daemon.line(containing: "rehearsal paused at \(Self.start)")
    let watcher = try StartedProgram(
      [BuiltProgram.control, "--socket", daemon.socketPath, "watch"], on: daemon.loop)
    try daemon.wait(for: "the watcher") { watcher.printed.contains("watching") }
    #expect(
      try daemon.control("clock").output == """
        clock  scaled:1, paused
        shows  2027-03-28 00:00:00 UTC
        next   hourly at 2027-03-28 00:30:00 UTC, in 30m

        """)
    let stepped = try daemon.control("clock", "step").output
    #expect(
      stepped == """
        clock    scaled:1, paused
        shows    2027-03-28 00:30:00 UTC
        reached  hourly at 2027-03-28 00:30:00 UTC
        next     hourly at 2027-03-28 01:30:00 UTC, in 1h

        """)
    try daemon.wait(for: "the entry") { daemon.settled("hourly").map(\.outcome) == ["succeeded"] }
    let changes = [
      (["step"], "stepped to 2027-03-28 01:30:00 UTC"),
      (["leap", "2027-03-28", "05:00"], "moved ahead by 3h30m to 2027-03-28 05:00:00 UTC"),
      (["speed", "1/1000"], "set to scaled:1/1000"), (["pause"], "paused"),
      (["resume"], "resumed as scaled:1/1000"), (["speed", "0"], "paused"),
    ]
    for (words, _) in changes { #expect(try daemon.control(["clock"] + words).end == .exited(0)) }
    #expect(
      try Self.state(daemon.control("clock", "pause", "--json")).isPaused, "it is, so this is no change")
    let status = try daemon.status()
    #expect(status.clock == "scaled:1/1000" && status.isClockPaused)
    let shown = try daemon.control("status").output
    #expect(shown.contains("scaled:1/1000, paused, a rehearsal; it shows "))
    #expect(shown.contains("2027-03-28 00:00:00 UTC, 5h ago"), "\(shown)")
    #expect(try daemon.stop() == .exited(0))
    try daemon.wait(for: "the end of the watcher") { watcher.result != nil }
    // The complete log and the complete output of the watcher have each change once and in order, and nothing else.
    let told = daemon.lines.filter { $0.contains(" by ") && $0.contains("(timelinectl)") }
    let watched = watcher.printed.split(separator: "\n").filter { $0.contains("clock-controlled") }
    for (lines, head) in [(told, "clock "), (watched.map(String.init), "clock-controlled  ")] {
      try #require(lines.count == changes.count + 1, "the first step and the others: \(lines)")
      for (line, (_, change)) in zip(lines.dropFirst(), changes) {
        #expect(line.contains("\(head)\(change) by "), "\(line)")
      }
    }
  }

  @Test func `applies to timeouts, which expire in a step, but not in a leap or a pause`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    let daemon = try Self.rehearsal(workshop, gate: "with = { fifo = \"\(gate.path)\" }")
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    try daemon.line(containing: "held", "at the gate")
    #expect(try daemon.control("clock", "leap", "in", "12h").end == .exited(0))
    #expect(daemon.settled("held").isEmpty)
    let now = try Self.state(daemon.control("clock", "--json")).now.instant
    // The next entry comes half an hour later, the timeout with the one after it.
    #expect(try Self.state(daemon.control("clock", "step", "--json")).now.instant == now + .minutes(30))
    #expect(daemon.settled("held").isEmpty)
    #expect(try daemon.control("clock", "step").end == .exited(0))
    let line = try daemon.line(containing: "held", "timed-out")
    #expect(line.contains("ran longer than its timeout of 1h"), "\(line)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a step goes to the end of a back-off, and then to the next entry`() throws {
    let workshop = try Workshop()
    try workshop.compile(
      """
      #include <timelined_plugin.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        return context->attempt == 1 ? TIMELINED_FAIL_FOR_NOW(context, "not yet") : TIMELINED_OK;
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "second", .version = "1.0", .summary = "succeeds at last", .run = run};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "second")
    let jobs = """
      [job.flaky]
      plugin = "second"
      schedule = { periodic = { by = "1h", from = 2027-03-28T00:30:00Z } }
      retry = { attempts = 2, backoff = { from = "10m", to = "10m" }, jitter = "0%" }
      """
    let daemon = try Self.rehearsal(workshop, gate: jobs)
    #expect(try daemon.control("pause", "hourly").end == .exited(0))
    let start = try WallInstant(rfc3339: Self.start)
    for (minutes, isEntry) in [(30, true), (40, false), (90, true), (100, false)] as [(Int64, Bool)] {
      let state = try Self.state(daemon.control("clock", "step", "--json"))
      #expect(state.now.instant == start + .minutes(minutes) && (state.reached != nil) == isEntry)
      if isEntry {
        try daemon.wait(for: "the back-off") {
          (try? daemon.list().contains { $0.waiting.first?.reason == "back-off" }) == true
        }
      }
    }
    try daemon.wait(for: "two entries") {
      daemon.settled("flaky").map(\.outcome) == ["succeeded", "succeeded"]
    }
    #expect(daemon.settled("flaky").allSatisfy { $0.line.contains("took 10m") }, "\(daemon.lines)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `at full speed runs in real time during a run, and then jumps to each entry`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    let daemon = try Self.rehearsal(workshop, gate: "with = { fifo = \"\(gate.path)\" }")
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    try daemon.line(containing: "held", "at the gate")
    #expect(try daemon.control("clock", "speed", "max").end == .exited(0))
    let shown = try Self.state(daemon.control("clock", "--json")).now.instant
    #expect(shown < (try WallInstant(rfc3339: Self.start)) + .minutes(30), "a minute is one while it runs")
    #expect(daemon.settled("hourly").isEmpty)
    try gate.open()
    try daemon.wait(for: "the entries of three days") { daemon.settled("hourly").count >= 72 }
    #expect(daemon.settled.allSatisfy { $0.outcome == "succeeded" })
    #expect(try daemon.control("clock", "pause").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a stop ends a pause, so that timeouts hold`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    let daemon = try Self.rehearsal(
      workshop, settings: "drain-timeout = \"100ms\"", gate: "with = { fifo = \"\(gate.path)\" }")
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    try daemon.line(containing: "held", "at the gate")
    #expect(try daemon.stop() == .exited(0))
    #expect(daemon.settled("held").map(\.outcome) == ["cancelled"])
  }

  /// Invalid arguments for a rehearsal, with the exit status and a part of the message.
  private static let wrong: [(words: [String], status: Int32, part: String)] = [
    (["speed", "-1"], 64, "-1: not an option"), (["speed", "abc"], 64, "abc: expected a speed such as 60"),
    (["speed", "2000000000"], 64, "from 0 to 1000000000"), (["speed"], 64, "<speed>"),
    (["leap", "tomorow"], 1, "\"tomorow\" is not a time"), (["leap"], 64, "<time>"),
    (["leap", "tomorow"], 1, "expected: `02:30`, `tomorrow 02:30`, "),
    (["leap", "2h", "ago"], 1, "it does not go back; name a later moment"),
    (["leap", "2027-03-28"], 1, "\"2027-03-28\" is not later than 2027-03-28 00:00:00 UTC"),
    (["leap", "now"], 1, "is not later than"), (["puase"], 64, "did you mean `pause`?"),
  ]

  @Test func `answers invalid arguments with a correction, and does not move`() throws {
    let workshop = try Workshop()
    let daemon = try Self.rehearsal(workshop)
    for row in Self.wrong {
      let answer = try daemon.control(["clock"] + row.words)
      #expect(answer.end == .exited(row.status), "\(row.words): \(answer)")
      #expect(answer.errors.hasPrefix("timelinectl: error: "), "\(row.words): \(answer)")
      #expect(answer.errors.contains(row.part) && answer.output.isEmpty, "\(row.words): \(answer)")
    }
    let state = try Self.state(daemon.control("clock", "--json"))
    #expect(state.now.instant == (try WallInstant(rfc3339: Self.start)) && state.isPaused)
    #expect(try daemon.control("pause", "hourly").end == .exited(0))
    try daemon.child.signal(.terminate)
    #expect(try daemon.finish() == .exited(0))
    let gone = try daemon.control("clock", "pause")
    #expect(gone.end == .exited(69) && gone.errors.contains("is timelined running?"), "\(gone)")
  }

  @Test func `is not changed if it is the system clock, whose offset file is shown`() throws {
    let workshop = try Workshop()
    try workshop.configure("")
    let path = try workshop.write("1h\n", to: "offset")
    let daemon = try DaemonProcess(workshop, arguments: ["--clock-offset-file", path])
    try daemon.begin()
    for words in [["pause"], ["resume"], ["speed", "60"], ["step"], ["leap", "in", "2h"]] {
      let answer = try daemon.control(["clock"] + words)
      #expect(answer.end == .exited(1), "\(answer)")
      #expect(answer.errors.contains("the system's clock, which it does not change: start a rehearsal"))
    }
    let state = try Self.state(daemon.control("clock", "--json"))
    #expect(state.clock == "system" && state.offsetNanoseconds == ElapsedTime.hours(1).nanoseconds)
    #expect(try daemon.control("clock").output.contains("the system's + 1h by --clock-offset-file\n"))
    #expect(
      try daemon.control("status").output.contains("the system's + 1h by --clock-offset-file; it shows"))
    try workshop.write("0s", to: "offset")
    try daemon.child.signal(.user2)
    try daemon.line(containing: "the system clock moved")
    #expect(try daemon.status().clockOffsetNanoseconds == nil)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(
    .enabled(
      if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
  func `is shown to the socket's group, and changed only by the configured users`() throws {
    let workshop = try Workshop()
    let daemon = try Self.rehearsal(workshop, settings: "[control]\ngroup = \"nogroup\"")
    let member = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    #expect(try daemon.control("clock", command: member).end == .exited(0))
    for words in [["pause"], ["resume"], ["speed", "60"], ["step"], ["leap", "in 2h"]] {
      let refused = try daemon.control(["clock"] + words, command: member)
      #expect(refused.end == .exited(77) && refused.errors.contains("permission denied: read-only access"))
    }
    #expect(daemon.settled.isEmpty)
    #expect(try daemon.stop() == .exited(0))
  }
}
