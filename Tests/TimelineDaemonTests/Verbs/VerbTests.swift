import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `The verbs that look back and hold on, on a real daemon` {
  /// Output of a verb, line by line, as JSON of one kind.
  static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> [Value] {
    try text.split(separator: "\n").map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
  }

  @Test func `why and history show what happened, for people and as JSON`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try `The control socket of a real daemon`.daemon(workshop)
    try daemon.line(containing: "steady", "succeeded")
    try daemon.line(containing: "steady", "succeeded", after: daemon.lines.count)
    #expect(try daemon.control("trigger", "failing", "--wait").end == .exited(1))

    let entries = try Self.decode(EntryReport.self, daemon.control("history", "--json").output)
    #expect(entries.count >= 3 && entries.map(\.entry.instant) == entries.map(\.entry.instant).sorted())
    let first = try #require(entries.first)
    #expect(first.job == "steady" && first.outcome == "succeeded" && first.attempts == 1)
    #expect(
      first.latenessNanoseconds.map { $0 >= 0 } == true && first.run != nil && first.cause == "schedule")
    let table = try daemon.control("history", "steady").output.split(separator: "\n")
    #expect(
      table.first?.hasPrefix("ENTRY") == true && table.dropFirst().allSatisfy { $0.contains("  succeeded  ") }
    )
    let failures = try Self.decode(EntryReport.self, daemon.control("history", "--failed", "--json").output)
    #expect(failures.map(\.job) == ["failing"] && failures.first?.cause == "trigger")
    let last = try daemon.control("history", "steady", "-n", "1")
    #expect(last.output.split(separator: "\n").count == 2 && last.errors.contains("older ones"), "\(last)")
    #expect(try daemon.control("history", "--until", "2000-01-01").errors == "no entries then\n")

    let answer = try daemon.control("why", "steady", first.entry.instant.description)
    #expect(
      answer.end == .exited(0)
        && answer.output.contains(": succeeded. It ran and reported success.\n\n  entry "))
    let why = try #require(
      Self.decode(
        WhyReply.self, daemon.control("why", "steady", first.entry.instant.description, "--json").output
      ).first)
    #expect(why.verdict == "settled" && why.record == first && why.attempts.count == 1)
    // Without a time: the last entry that did not succeed, else the last one, else the present.
    #expect(try daemon.control("why", "failing").output.contains(": failed. "))
    #expect(
      try daemon.control("why", "steady").output.contains(": succeeded. It ran and reported success.\n"))
    #expect(try daemon.control("why", "held").end == .exited(0))
    let failed = try daemon.control("why", "failing", "now", "--json").output
    #expect(try Self.decode(WhyReply.self, failed).first?.before?.outcome == "failed", "\(failed)")
    let planned = try #require(
      Self.decode(WhyReply.self, daemon.control("why", "held", "2100-01-01", "--json").output).first)
    #expect(planned.verdict == "planned" && planned.after == nil)

    try gate.open()
    #expect(try daemon.control("trigger", "held", "--wait").end == .exited(0))
    let logs = try daemon.control("logs", "held").output
    #expect(logs.hasPrefix("-- ") && logs.hasSuffix("succeeded\nat the gate\nthrough\n"), "\(logs)")
    #expect(try daemon.stop() == .exited(0))
  }

  /// Invalid arguments, with the exit status and a part of the message.
  static let wrong: [(words: [String], status: Int32, part: String)] = [
    (["why", "staedy", "now"], 1, "did you mean 'steady'?"),
    (["why", "steady", "noon"], 1, "`yesterday 02:30`"),
    (["why"], 64, "Missing expected argument '<job>'"), (["why", "staedy"], 1, "did you mean 'steady'?"),
    (["history", "staedy"], 1, "did you mean 'steady'?"),
    (["history", "--since", "noon"], 1, "is not a time"), (["history", "-n", "0"], 64, "from 1 to 1000"),
    (["history", "--since", "now", "--until", "2h ago"], 1, "is before \"now\""),
    (["next", "staedy"], 1, "no job 'staedy': did you mean 'steady'?"),
    (["explain", "Staedy"], 1, "did you mean 'steady'?\n  help: no rule either: "),
    (["next", "dialy"], 1, "help: did you mean \"daily\"?"),
    (["history", "--outcome", "fialed"], 64, ": did you mean 'failed'?"),
    (["logs", "staedy"], 1, "did you mean 'steady'?"),
    (["logs", "steady", "-n", "101"], 64, "from 1 to 100"),
    (["watch", "staedy"], 1, "did you mean 'steady'?"),
    (["pause", "steady", "hedl"], 1, "did you mean 'held'?"),
    (["release", "staedy"], 1, "did you mean 'steady'?"),
    (["resume", "staedy"], 1, "did you mean 'steady'?"),
    (["resume", "steady", "--catch-up", "most"], 64, "latest, all, skip"),
    (
      ["trigger", "off"], 1,
      "timelinectl: error: job 'off': disabled by `enabled = false` in the configuration: "
    ),
    (["cancel", "4711"], 1, "timelinectl: error: no run 4711 is active (no runs are active): "),
    (["cancel", "all"], 1, "timelinectl: error: no job 'all': "),
  ]

  @Test func `invalid arguments are answered with a correction`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    for row in Self.wrong {
      let program = try StartedProgram(
        [BuiltProgram.control, "--socket", daemon.socketPath] + row.words, on: daemon.loop)
      try daemon.wait(for: "the end of \(row.words)") { program.result != nil }
      let result = try #require(program.result)
      #expect(result.end == .exited(row.status), "\(row.words): \(result)")
      #expect(result.errors.hasPrefix("timelinectl: error: "), "\(row.words): \(result)")
      #expect(result.errors.contains(row.part) && result.output.isEmpty, "\(row.words): \(result)")
    }
    #expect(try daemon.status().pausedCount == 0, "a list with one wrong name pauses nothing")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `cancel stops a run, reports its end, and names the active runs`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    let run = try #require(try daemon.list().first { $0.name == "held" }?.running.first?.run)
    let wrong = try daemon.control("cancel", "\(run + 1_000)")
    #expect(wrong.errors.contains("\(run) (held)"), "\(wrong)")
    let logs = try daemon.control("logs", "held", "--json").output
    #expect(
      try Self.decode(RunOutput.self, logs).first?.output == "at the gate", "an active run has output too")
    // Entries that the run overlaps, more than four.
    for _ in 1...5 { _ = try daemon.control("trigger", "held") }
    let cancelled = try daemon.control("cancel", "\(run)")
    #expect(cancelled.end == .exited(0), "\(cancelled)")
    #expect(cancelled.errors == "run \(run) of held is asked to stop\n")
    #expect(cancelled.output.hasPrefix("run \(run) of held: cancelled after "), "\(cancelled)")
    let history = try daemon.control("history", "held").output
    #expect(history.contains("  cancelled  ") && history.split(separator: "\n").count == 7, "\(history)")
    let last = try Self.decode(RunOutput.self, daemon.control("logs", "held", "-n", "1", "--json").output)
    #expect(last.map(\.entry.run) == [run] && last.first?.output.contains("at the gate") == true, "\(last)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(
    .enabled(
      if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
  func `the socket's group may read, and only the configured users may pause and cancel`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(
      workshop, settings: "[control]\ngroup = \"nogroup\"")
    let member = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    #expect(try daemon.control("why", "steady", "now", command: member).end == .exited(0))
    #expect(try daemon.control("history", command: member).end == .exited(0))
    #expect(try daemon.control("logs", "steady", command: member).end == .exited(0))
    let stranger = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=daemon", "--clear-groups"]
    for verb in ["next", "explain", "logs"] {
      let refused = try daemon.control(verb, "steady", command: stranger)
      #expect(
        refused.end == .exited(77) && refused.errors.contains(": permission denied: its group may connect"),
        "\(refused)")
    }
    for verb in ["pause", "resume", "release"] {
      let refused = try daemon.control(verb, "steady", command: member)
      #expect(
        refused.end == .exited(77) && refused.errors.contains("permission denied: read-only access"),
        "\(refused)")
    }
    #expect(
      try daemon.control("cancel", "1", command: member).errors.contains(
        "permission denied: read-only access"))
    #expect(try daemon.stop() == .exited(0))
  }
}
