import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// One plugin host for all jobs, and `holder` has it.
@Suite struct `Runs without a plugin host, with a real daemon` {
  private let workshop: Workshop
  private let gate: Gate

  init() throws {
    workshop = try Workshop()
    try workshop.compileGate()
    gate = try Gate(in: workshop)
  }

  /// A daemon in which `holder` is at the gate; further jobs pass at once.
  private func daemon(_ jobs: [(name: String, keys: String)], hostsMax: Int = 1) throws -> DaemonProcess {
    let holder = "[job.holder]\nplugin = \"gate\"\nschedule = \(never)\nwith = { fifo = \"\(gate.path)\" }\n"
    let others = jobs.map { "[job.\($0.name)]\nplugin = \"gate\"\n\($0.keys)\n" }
    try workshop.configure(holder + others.joined(), daemon: "plugin-hosts-max = \(hostsMax)")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try daemon.control("trigger", "holder").end == .exited(0))
    try daemon.line(containing: "holder", "at the gate")
    return daemon
  }

  private let wait = "for a plugin host: 1 of 1 in use, by job holder run 1"

  @Test func `are shown as waiting with the reason, and run when a host is free`() throws {
    let daemon = try daemon([("late", "schedule = \(never)")])
    let watcher = try StartedProgram(
      [BuiltProgram.control, "--socket", daemon.socketPath, "watch", "late"], on: daemon.loop)
    try daemon.wait(for: "the watcher") { watcher.printed.contains("watching") }
    #expect(try daemon.control("trigger", "late").output == "late: waits for its turn\n")
    try daemon.wait(for: "what it waits for") { watcher.printed.contains("waiting     run 2  \(wait)") }
    #expect(!watcher.printed.contains("started"))

    let job = try #require(try daemon.list().last)
    #expect(job.running.isEmpty && job.waitingCount == 1)
    #expect(job.waiting.first?.run == 2 && job.waiting.first?.reason == "plugin-host")
    #expect(job.waiting.first?.text == wait)
    #expect(try daemon.control("list").output.contains("waiting (run 2) \(wait)"))
    let status = try daemon.status()
    #expect(status.runningCount == 1 && status.waitingCount == 1)
    let text = try daemon.control("status").output
    #expect(text.contains("1 running, 1 waiting") && text.contains("late (run 2) \(wait)\n"), "\(text)")
    let why = try daemon.control("why", "late", "now").output
    #expect(why.contains(" waits \(wait)\n"), "\(why)")
    let entry = try #require(job.waiting.first?.entry.instant)
    let answer = try daemon.control("why", "late", "\(entry)").output
    #expect(answer.contains("waiting. It is due and waits \(wait)."), "\(answer)")
    #expect(!answer.contains("previous run") && !answer.contains("started"))
    try daemon.line(containing: "job late: run 2 waits \(wait): raise `plugin-hosts-max`")

    try gate.open()
    try daemon.line(containing: "late", "through")
    try daemon.wait(for: "its start") { watcher.printed.contains("started     run 2") }
    try daemon.wait(for: "its end") { daemon.settled("late").count == 1 }
    #expect(daemon.settled("late").map(\.outcome) == ["succeeded"])
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `are reported as started to a trigger once their plugin host is being started`() throws {
    let daemon = try daemon([("late", "schedule = \(never)")], hostsMax: 2)
    #expect(try daemon.control("trigger", "late").output == "late: run 2 started\n")
    try daemon.wait(for: "its end") { daemon.settled("late").count == 1 }
    try gate.open()
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `are given up as limited, or cancelled, without a start, and report a missed entry`() throws {
    let daemon = try daemon([
      ("hasty", "schedule = \(never)\ntimeout = \"200ms\"\non-failure = \"failed\"\non-missed = \"missed\""),
      ("patient", "schedule = \(never)"), ("failed", "schedule = \(never)"),
      ("missed", "schedule = \(never)"),
    ])
    #expect(try daemon.control("trigger", "hasty").end == .exited(0))
    let limited = try daemon.line(containing: "hasty", "limited")
    #expect(limited.contains("no plugin host was free within `timeout` of 200ms"))
    #expect(!limited.contains("took"))
    #expect(try daemon.control("trigger", "patient").end == .exited(0))
    let waiting = try daemon.list().flatMap(\.waiting)
    // The reaction to the missed entry waits as well.
    #expect(waiting.compactMap(\.run).sorted() == [3, 4])
    #expect(
      try daemon.control("cancel", "patient").output
        == "run 4 of patient: cancelled: stopped before its plugin was called\n")
    let rows = try daemon.control("history").output.split(separator: "\n")
    let words = rows.map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }
    for (job, word) in [("hasty", "limited"), ("patient", "cancelled")] {
      let row = try #require(words.first { $0.contains(job) })
      let place = try #require(row.firstIndex(of: job))
      #expect(Array(row[(place + 1)...(place + 4)]) == [word, "-", "-", "-"], "\(row)")
    }
    try gate.open()
    try daemon.line(containing: "missed", "through")
    #expect(daemon.settled("failed").isEmpty)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `are run by the next daemon after a kill, and the one in the host ends as unknown`() throws {
    let keys = "schedule = \(everySecond)\noverlap = \"buffer-all\"\nmissed = \"all\""
    let first = try daemon([("late", keys)])
    var waiting: WaitReport?
    try first.wait(for: "what waits") {
      waiting = try? first.list().last?.waiting.first
      return waiting?.reason == "plugin-host"
    }
    let entry = try #require(waiting?.entry.instant)
    try first.child.signal(.kill)
    #expect(try first.finish() == .signalled(.kill))

    let second = try DaemonProcess(workshop)
    try second.begin()
    try second.wait(for: "both ends") { !second.settled("holder").isEmpty && !second.settled("late").isEmpty }
    #expect(second.settled("holder").map(\.outcome) == ["unknown"])
    #expect(second.settled("late").allSatisfy { $0.outcome == "succeeded" })
    #expect(try second.control("why", "late", "\(entry)").output.contains(": succeeded. "))
    #expect(try second.stop() == .exited(0))
  }

  @Test func `are kept at a stop for the next daemon, while active runs are waited for`() throws {
    let first = try daemon([("late", "schedule = \(never)")])
    #expect(try first.control("trigger", "late").end == .exited(0))
    try first.child.signal(.terminate)
    try first.line(containing: "stopping; waiting for 1 run", "1 run without a plugin host")
    try gate.open()
    #expect(try first.finish() == .exited(0))
    #expect(first.settled("holder").map(\.outcome) == ["succeeded"])
    #expect(first.settled("late").isEmpty)

    let second = try DaemonProcess(workshop)
    try second.begin()
    try second.wait(for: "its end") { !second.settled("late").isEmpty }
    #expect(second.settled("late").map(\.outcome) == ["succeeded"])
    #expect(try second.stop() == .exited(0))
  }
}
