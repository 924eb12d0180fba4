import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// The verbs `backfill` and `backfills`, on a socket that plays the daemon.
@Suite struct BackfillVerbTests {
  private static let start = WallInstant(secondsSinceEpoch: 1_795_000_000)

  private static func report(
    _ state: BackfillReport.State, done: Int = 0, failed: Int = 0, of total: Int = 40, reason: String? = nil
  ) -> BackfillReport {
    let isPlan = state == .planned
    let isOpen = state.isOpen
    return BackfillReport(
      job: "report", from: start, until: start + .hours(40), outcomes: ["failed"], state: state,
      reason: reason,
      totalCount: total, doneCount: done, succeededCount: done - failed, failedCount: failed,
      unrecordedCount: 2, activeRuns: isOpen ? [7] : [], requestedAt: isPlan ? nil : start + .hours(50),
      endedAt: isOpen || isPlan ? nil : start + .hours(51),
      estimateNanoseconds: isOpen || isPlan ? 1_200_000_000_000 : nil,
      firstEntries: isPlan ? [start, start + .hours(1)] : [], zone: "UTC")
  }

  /// A daemon that starts a backfill in the first of `states`, and then reports the others one by one; `requests` gets the
  /// requests.
  private static func daemon(
    _ workshop: Workshop, _ states: [BackfillReport],
    requests: @escaping (Control.Backfill) -> Void = { _ in }
  ) throws -> ScriptedDaemon {
    var rest = states
    func next() -> BackfillReport { rest.count > 1 ? rest.removeFirst() : rest[0] }
    return try ScriptedDaemon(in: workshop) { connection, call in
      switch call.method {
      case Control.Backfill.fullName:
        requests(try call.read(as: Control.Backfill.self))
        connection.reply(to: call.id, BackfillReply(backfill: next()))
      case Control.ChangeBackfill.fullName:
        let change = try call.read(as: Control.ChangeBackfill.self).change
        #expect(["pause", "resume", "cancel"].contains(change))
        connection.reply(to: call.id, BackfillReply(backfill: next()))
      default:
        _ = try call.read(as: Control.Backfills.self)
        connection.reply(to: call.id, BackfillsReply(backfills: [next()]))
      }
    }
  }

  @Test func `a dry run shows the number, the first entries and the length`() throws {
    let workshop = try Workshop()
    var request: Control.Backfill?
    let daemon = try Self.daemon(workshop, [Self.report(.planned)]) { request = $0 }
    let plan = try daemon.control(
      "backfill", "report", "--from", "2h ago", "--until", "now", "--outcomes", "failed,lost",
      "--newest-first",
      "--parallel", "3", "--pace", "10s", "--unrecorded", "--dry-run", "--yes", "--utc")
    #expect(plan.end == .exited(0), "\(plan)")
    for part in [
      "40 to run again", "2 without a record: --unrecorded runs them too", "2026-11-18 11:06:40 UTC",
      "and 38 more",
      "oldest first, one at a time", "about 20m, by the last runs",
    ] { #expect(plan.output.contains(part), "\(part) in: \(plan)") }
    let sent = try #require(request)
    #expect(sent.job == "report" && sent.from == "2h ago" && sent.until == "now")
    #expect(sent.outcomes == ["failed", "lost"] && sent.isNewestFirst == true && sent.parallel == 3)
    #expect(sent.paceNanoseconds == 10_000_000_000 && sent.includesUnrecorded == true)
    #expect(sent.isDryRun == true && sent.isConfirmed == true)
  }

  @Test func `a backfill is started, and goes on without the program`() throws {
    let workshop = try Workshop()
    var request: Control.Backfill?
    let daemon = try Self.daemon(workshop, [Self.report(.running)]) { request = $0 }
    let started = try daemon.control("backfill", "report", "--from", "2026-11-18")
    #expect(started.end == .exited(0), "\(started)")
    #expect(
      started.output == "report: backfill running, 0 of 40 entries done, about 20m left; run 7 is active\n")
    #expect(started.errors.contains("2 entries are left out without a record: --unrecorded"), "\(started)")
    let sent = try #require(request)
    #expect(sent.until == nil && sent.outcomes == nil && sent.isDryRun == nil && sent.isConfirmed == nil)
    let empty = try Self.daemon(Workshop(), [Self.report(.ended, of: 0)])
    let none = try empty.control("backfill", "report", "--from", "2026-11-18", "--wait")
    #expect(none.end == .exited(0) && none.output.hasPrefix("report: no entries to run again\n"), "\(none)")
  }

  @Test(arguments: [
    (BackfillReport.State.ended, 0, Int32(0)), (.ended, 1, 1), (.cancelled, 0, 1),
  ])
  func `a wait ends with the backfill, and with its failures`(
    state: BackfillReport.State, failed: Int, status: Int32
  ) throws {
    let workshop = try Workshop()
    let states = [
      Self.report(.running), Self.report(.suspended, done: 1, reason: "the job is paused"),
      Self.report(state, done: 40, failed: failed),
    ]
    let waited = try Self.daemon(workshop, states).control(
      "backfill", "report", "--from", "2026-11-18", "--wait")
    #expect(waited.end == .exited(status), "\(waited)")
    #expect(waited.output.contains("report: backfill \(state.rawValue), 40 of 40 entries done"), "\(waited)")
    #expect(
      waited.errors.contains("note: report: the backfill is suspended: the job is paused\n"), "\(waited)")
    #expect(waited.errors.contains("`timelinectl gaps report --from ") == (failed > 0), "\(waited)")
    #expect(!waited.errors.contains("["), "no bar without a terminal: \(waited)")
    let lines = try Self.daemon(Workshop(), states).control(
      "backfill", "report", "--from", "2026-11-18", "--wait", "--json")
    let replies = try lines.output.split(separator: "\n").map {
      try JSONDecoder().decode(BackfillReport.self, from: Data($0.utf8))
    }
    #expect(replies == states && lines.end == .exited(status), "\(lines)")
  }

  @Test func `an interrupted wait names the way to the backfill, and cancels nothing`() throws {
    let workshop = try Workshop()
    var questions = 0
    let daemon = try ScriptedDaemon(in: workshop) { connection, call in
      if call.method == Control.Backfill.fullName {
        return connection.reply(to: call.id, BackfillReply(backfill: Self.report(.running)))
      }
      _ = try call.read(as: Control.Backfills.self)
      questions += 1
      connection.reply(to: call.id, BackfillsReply(backfills: [Self.report(.running)]))
    }
    let program = try daemon.start(["backfill", "report", "--from", "2026-11-18", "--wait"])
    #expect(daemon.loop.run(atMost: DaemonProcess.patience) { questions > 0 })
    #expect(try program.child.signal(.interrupt))
    let result = try daemon.end(of: program)
    #expect(result.end == .signalled(.interrupt), "\(result)")
    for part in [
      "the backfill goes on", "`timelinectl backfills report`", "`timelinectl backfill report --cancel`",
    ] {
      #expect(result.errors.contains(part), "\(part) in: \(result)")
    }
  }

  @Test func `a question without a terminal names the option that answers it`() throws {
    let workshop = try Workshop()
    let daemon = try ScriptedDaemon(in: workshop) { connection, call in
      if try call.read(as: Control.Backfill.self).isConfirmed == true {
        return connection.reply(to: call.id, BackfillReply(backfill: Self.report(.running)))
      }
      connection.fail(
        call.id, ControlError.backfillQuestion(job: "report", reason: "20000 entries would be run").varlink)
    }
    let asked = try daemon.control("backfill", "report", "--from", "2026-11-18")
    #expect(asked.end == .exited(1) && asked.output.isEmpty, "\(asked)")
    #expect(
      asked.errors == "timelinectl: error: report: 20000 entries would be run: confirm with --yes\n")
    let sure = try daemon.control("backfill", "report", "--from", "2026-11-18", "--yes")
    #expect(sure.end == .exited(0), "\(sure)")
  }

  @Test func `a table has the open backfills and those that have ended`() throws {
    let workshop = try Workshop()
    let states = [
      Self.report(.running, done: 12, failed: 1), Self.report(.suspended, reason: "the schedule has changed"),
      Self.report(.ended, done: 40),
    ]
    let daemon = try ScriptedDaemon(in: workshop) { connection, call in
      let job = try call.read(as: Control.Backfills.self).job
      connection.reply(to: call.id, BackfillsReply(backfills: job == "none" ? [] : states))
    }
    let table = try daemon.control("backfills", "--utc")
    let lines = table.output.split(separator: "\n")
    #expect(table.end == .exited(0) && lines.count == 4, "\(table)")
    #expect(lines[0].split(separator: " ").first == "JOB" && lines[1].contains("12 of 40"), "\(table)")
    #expect(lines[1].contains("20m") && lines[2].hasSuffix("the schedule has changed"), "\(table)")
    #expect(lines[3].contains("ended") && lines[3].contains("40 of 40"), "\(table)")
    let json = try daemon.control("backfills", "report", "--json")
    #expect(json.output.split(separator: "\n").count == 3 && json.end == .exited(0), "\(json)")
    let none = try daemon.control("backfills", "none")
    #expect(none.end == .exited(0) && none.errors == "no backfills\n" && none.output.isEmpty, "\(none)")
  }

  @Test(arguments: ["--pause", "--resume", "--cancel"])
  func `a change shows the state after it`(option: String) throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(workshop, [Self.report(.paused, done: 3, reason: "by ada")])
    let changed = try daemon.control("backfill", "report", option)
    #expect(changed.end == .exited(0), "\(changed)")
    #expect(changed.output.hasPrefix("report: backfill paused: by ada, 3 of 40 entries done"), "\(changed)")
  }

  /// Arguments that contradict one another, and the reason.
  static let contradictions: [(words: [String], reason: String)] = [
    (["report"], "--from: missing"),
    (["--from", "now"], "Missing expected argument '<job>'"),
    (["report", "--pause", "--cancel"], "--pause and --cancel: expected one of them"),
    (["report", "--pause", "--from", "now"], "leave out --from"),
    (["report", "--cancel", "--yes"], "leave out --yes"),
    (["report", "--resume", "--wait"], "leave out --wait"),
    (["report", "--from", "now", "--dry-run", "--wait"], "leave out --wait"),
    (["report", "--from", "now", "--outcomes", "faild"], "did you mean 'failed'?"),
    (["report", "--from", "now", "--outcomes", "failed,"], "expected some of failed, timed-out"),
    (["report", "--from", "now", "--outcomes", "succeeded"], "expected some of failed, timed-out"),
    (["report", "--from", "now", "--parallel", "0"], "expected a number from 1 to 100"),
    (["report", "--from", "now", "--pace", "0s"], "above 0s"),
    (["report", "--from", "now", "--pace", "2d"], "expected at most "),
  ]

  @Test(arguments: contradictions)
  func `arguments that contradict one another are refused`(row: (words: [String], reason: String)) throws {
    let result = try StartedProgram.run([BuiltProgram.control, "backfill"] + row.words)
    #expect(result.end == .exited(64), "\(result)")
    #expect(result.errors.contains(row.reason), "\(row.reason) in: \(result)")
    #expect(result.errors.contains("Usage: timelinectl backfill "), "\(result)")
  }
}
