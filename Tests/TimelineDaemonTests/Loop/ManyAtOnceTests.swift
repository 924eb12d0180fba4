import Testing
import TimelineControl
import TimelineSystem
import TimelineTestSupport

@Suite struct `Verbs for several jobs, runs and outcomes` {
  @Test func `cancel a job's runs, resume every job, look for outcomes, and show progress`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try `The control socket of a real daemon`.daemon(workshop)
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    try daemon.wait(for: "its progress") {
      (try? daemon.list().flatMap(\.running).contains { $0.progressText == "halfway" }) == true
    }
    let run = try #require(try daemon.list().flatMap(\.running).first { $0.progressText != nil })
    let list = try daemon.control("list").output
    #expect(list.contains("running (run \(run.run) 50 % halfway)"), "\(list)")
    let cancelled = try daemon.control("cancel", "held")
    #expect(cancelled.end == .exited(0) && cancelled.output.contains("run \(run.run) of held: cancelled"))
    for (target, status, said) in [
      ("held", 1, "held: no active run: "), ("hedl", 1, "did you mean 'held'?"),
      ("no name", 64, "expected the number of a run or the name of a job"),
    ] as [(String, Int32, String)] {
      let refused = try daemon.control("cancel", target)
      #expect(refused.end == .exited(status) && refused.errors.contains(said), "\(refused)")
    }
    for verb in [["resume"], ["resume", "held", "--all"]] {
      #expect(try daemon.control(verb).end == .exited(64))
    }
    #expect(try daemon.control("resume", "--all").errors == "no job is paused\n")
    #expect(try daemon.control("pause", "held", "failing").end == .exited(0))
    let resumed = try daemon.control("resume", "--all", "--catch-up", "skip").output
    #expect(resumed.hasPrefix("held: resumed") && resumed.contains("\nfailing: resumed"), "\(resumed)")
    #expect(try daemon.status().pausedCount == 0)

    try daemon.line(containing: "steady", "succeeded")
    let outcomes = try daemon.control("history", "--outcome", "cancelled,missed").output
    #expect(outcomes.contains("held") && !outcomes.contains("succeeded"), "\(outcomes)")
    #expect(try daemon.control("history", "--missed").errors == "no entries that ended so yet\n")
    let wrong = try daemon.control("history", "--outcome", "late")
    #expect(wrong.end == .exited(64) && wrong.errors.contains("--outcome late: expected some of succeeded, "))
    try gate.open()
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `next and explain ask the daemon, or read the file that is named`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    let next = try daemon.control("next", "steady", "-n", "150", "--json")
    let entries = next.output.split(separator: "\n")
    #expect(next.end == .exited(0) && Set(entries).count == 150 && next.errors.isEmpty, "\(next)")
    #expect(try daemon.control("next", "steady", "-n", "1").output.contains("every 1s"))
    let explained = try daemon.control("explain", "steady")
    #expect(explained.output.contains("next: ") && explained.errors.isEmpty, "\(explained)")
    // A rule is not looked up as a job.
    let rule = try daemon.control("next", "daily", "-n", "1")
    #expect(rule.end == .exited(0) && rule.errors.isEmpty, "\(rule)")
    let file = try daemon.control("next", "off", "-n", "1", "-c", workshop.path + "/daemon.toml")
    #expect(file.end == .exited(0) && file.errors.isEmpty, "\(file)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `list, status, why and pause show who paused a job and why`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    #expect(try daemon.control("pause", "held", "--reason", "the disk is full").end == .exited(0))
    for words in [["list"], ["status"], ["why", "held", "now"], ["pause", "held"]] {
      let told = try daemon.control(words)
      #expect(told.output.contains("the disk is full") && told.output.contains(" by "), "\(words): \(told)")
    }
    let long = try daemon.control("pause", "steady", "--reason", String(repeating: "x", count: 501))
    #expect(long.end == .exited(64) && long.errors.contains("--reason: expected at most 500 bytes"))
    #expect(try daemon.status().pausedCount == 1)
    #expect(try daemon.control("trigger", "failing", "--wait").end == .exited(1))
    #expect(try daemon.control("history", "failing").output.contains("triggered by "))
    #expect(try daemon.stop() == .exited(0))
  }
}
