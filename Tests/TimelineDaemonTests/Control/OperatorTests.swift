import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `The operator of a change` {
  private static func why(_ daemon: DaemonProcess, _ entry: Timestamp) throws -> WhyReply {
    let answer = try daemon.control("why", "held", "\(entry.instant)", "--json")
    return try JSONDecoder().decode(WhyReply.self, from: Data(answer.output.utf8))
  }

  @Test func `is in the log, in the ledger over a restart, and in answers`() throws {
    let workshop = try Workshop()
    var (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    let user = CurrentProcess.effectiveUser
    let name = user == 0 ? "root (uid 0), process " : "(uid \(user)), process "
    let pause = Control.Pause(jobs: ["held"], reason: "disk\nswap")
    let paused: PauseReply = try daemon.call("Pause", pause)
    #expect(paused.jobs.first?.by?.uid == user && paused.jobs.first?.by?.pid == CurrentProcess.pid)
    #expect(paused.jobs.first?.reason == "disk\\u{a}swap")
    try daemon.line(containing: "held", "paused by", name, "disk\\u{a}swap")
    let again: PauseReply = try daemon.call("Pause", Control.Pause(jobs: ["held"], reason: "other"))
    #expect(again.jobs.first?.wasPaused == true && again.jobs.first?.reason == "disk\\u{a}swap")

    #expect(try daemon.control("trigger", "held").end == .exited(0))
    try daemon.line(containing: "held", "triggered by", name, "(timelinectl)")
    let run = try #require(try daemon.list().first { $0.name == "held" }?.running.first)
    #expect(try daemon.control("cancel", "\(run.run)").end == .exited(0))
    try daemon.line(containing: "held", "cancelled by", name, "run \(run.run)")
    try daemon.wait(for: "the end of the run") {
      daemon.settled("held").contains { $0.outcome == "cancelled" }
    }
    #expect(try daemon.control("reload").end == .exited(0))
    try daemon.line(containing: "reload requested by", name)
    #expect(try daemon.stop() == .exited(0))
    try daemon.line(containing: "stop requested by", name, "process \(CurrentProcess.pid)")

    daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let job = try #require(try daemon.list().first { $0.name == "held" })
    #expect(job.pausedBy?.uid == user && job.pauseReason == "disk\\u{a}swap")
    let history = try daemon.control("history", "held", "--json").output
    let entry = try JSONDecoder().decode(EntryReport.self, from: Data(history.utf8))
    #expect(entry.by?.program == "timelinectl" && entry.cancelledBy?.uid == user)
    let why = try Self.why(daemon, entry.entry)
    #expect(why.pausedBy?.uid == user && why.pauseReason == "disk\\u{a}swap")
    let lines = why.details.map { "\($0.name): \($0.text)" }
    for verb in ["triggered", "cancelled", "paused"] {
      #expect(lines.contains { $0.hasPrefix(verb) && $0.contains(name) }, "\(lines)")
    }
    #expect(try daemon.control("resume", "held").end == .exited(0))
    #expect(try daemon.list().first { $0.name == "held" }?.pausedBy == nil)
    #expect(try daemon.stop() == .exited(0))
  }

  /// Arguments that make each call that changes something, and the log line that follows, if the action does not name it.
  private static let uses: [String: (words: [String], log: String?)] = [
    "Reload": (["reload"], nil), "Trigger": (["trigger", "held"], nil), "Pause": (["pause", "held"], nil),
    "Resume": (["resume", "held"], nil), "Cancel": (["cancel", "held"], nil), "Stop": (["stop"], nil),
    "SetMode": (["mode", "normal"], nil),
    "PauseClock": (["clock", "pause"], "clock paused by"),
    "ResumeClock": (["clock", "resume"], "clock resumed as scaled:1 by"),
    "SetClockSpeed": (["clock", "speed", "0"], "clock paused by"),
    "StepClock": (["clock", "step"], "clock stepped to"),
    "LeapClock": (["clock", "leap", "in 1m"], "clock moved ahead by"),
  ]
  /// Only nodes of a cluster activate jobs and leave: Tests/Cluster has three. Only a job that waits for the clock is released:
  /// RunKeyTests has one. A rehearsal has no file to copy: LedgerUseTests has one. Only past entries are repeated: RerunTests and
  /// BackfillTests have some.
  private static let untried: Set = [
    "ActivateJobs", "LeaveCluster", "Release", "Backup", "Rerun", "Backfill", "ChangeBackfill",
  ]

  @Test func `is in the log after each method that changes something`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.configure(
      """
      [job.later]
      plugin = "gate"
      schedule = { explicit = [2027-03-28T12:00:00Z] }
      [job.held]
      plugin = "gate"
      schedule = \(never)
      with = { fifo = "\(gate.path)" }
      """)
    let daemon = try DaemonProcess(
      workshop,
      arguments: [
        "--clock", "scaled:1", "--from", "2027-03-28T00:00:00Z", "--control", workshop.path + "/control.sock",
      ])
    try daemon.begin()
    let calls = ControlHandlers().calls.filter { $0.access == .change && !Self.untried.contains($0.name) }
    for call in calls.filter({ $0.name != "Stop" }) + calls.filter({ $0.name == "Stop" }) {
      let use = try #require(Self.uses[call.name], "\(call)")
      let action = try #require(call.audit.flatMap(OperatorAction.Verb.init(rawValue:)))
      let start = daemon.lines.count
      let answer = try daemon.control(use.words)
      #expect(answer.end == .exited(0), "\(call): \(answer)")
      try daemon.line(containing: use.log ?? "\(action.past) by", "(timelinectl)", after: start)
    }
    #expect(try daemon.finish() == .exited(0))
  }
}
