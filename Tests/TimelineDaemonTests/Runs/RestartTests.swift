import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineLedger
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `State after a restart` {
  @Test func `a run that the daemon's death cut off is unknown, and the cursor is that of the last success`()
    throws
  {
    let workshop = try Workshop()
    try workshop.compileGate()
    try workshop.compile(directory: "Sources/Plugins/bundled/Examples/hello")
    let gate = try Gate(in: workshop)
    try workshop.configure(
      """
      [job.held]
      plugin = "gate"
      schedule = \(never)
      with = { fifo = "\(gate.path)" }
      [job.hello]
      plugin = "hello"
      schedule = \(never)
      """)
    let first = try DaemonProcess(workshop)
    try first.begin()
    for count in 1...2 {
      #expect(try first.control("trigger", "hello", "--wait").end == .exited(0))
      try first.line(containing: "hello", "count=\(count)")
    }
    let waiting = try StartedProgram(
      [BuiltProgram.control, "-s", first.socketPath, "trigger", "held", "--wait"], on: first.loop)
    try first.line(containing: "held", "at the gate")
    try first.child.signal(.kill)
    #expect(try first.finish() == .signalled(.kill))
    try first.wait(for: "the end of who waited") { waiting.result != nil }
    #expect(waiting.result?.end == .exited(69) && waiting.result?.errors.isEmpty == false)

    let second = try DaemonProcess(workshop)
    try second.begin()
    try second.line(containing: "error: unknown  triggered manually", "the daemon died while it ran")
    let failure = try #require(try second.status().lastFailure)
    #expect(failure.outcome == "unknown")
    #expect(try second.control("trigger", "hello", "--wait").end == .exited(0))
    try second.line(containing: "hello", "count=3")
    #expect(try second.stop() == .exited(0))

    // The run is reported once, and a clean stop leaves no unknown outcome.
    let third = try DaemonProcess(workshop)
    try third.begin()
    #expect(try third.status().lastFailure == failure, "which is the last one, and is told of by the ledger")
    let last = try Dictionary(uniqueKeysWithValues: third.list().map { ($0.name, $0.last?.outcome) })
    #expect(last == ["hello": "succeeded", "held": "unknown"])
    #expect(try third.stop() == .exited(0))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workshop.path + "/state").sorted()
        == ["ledger.sqlite", "starts"],
      "the ledger is one file that is complete, and the start log keeps its room")
  }

  @Test func `entries of a time without a daemon are caught up on by their job's policy`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let now = SystemTime.now()
    let far = try WallInstant(rfc3339: "2200-01-01T00:00:00Z")
    let hourly = ScheduleRule.periodic(try PeriodicSchedule(from: .epoch, by: .hours(1)))
    let twoHoursAgo = ScheduleRule.explicit(try ExplicitSchedule([now - .hours(2), far]))
    let jobs: [(name: String, schedule: ScheduleRule, missed: String)] = [
      ("latest", hourly, "\"latest\""),
      ("recent", twoHoursAgo, "{ policy = \"latest\", window = \"3h\" }"),
      ("stale", twoHoursAgo, "{ policy = \"latest\", window = \"1h\" }"),
    ]
    try workshop.configure(
      jobs.map { job in
        let schedule =
          job.schedule == hourly
          ? "{ periodic = { by = \"1h\" } }" : "{ explicit = [\(now - .hours(2)), \(far)] }"
        return
          "[job.\(job.name)]\nplugin = \"steady\"\nschedule = \(schedule)\nmissed = \(job.missed)\n"
      }.joined())
    try FileManager.default.createDirectory(
      atPath: workshop.path + "/state", withIntermediateDirectories: false)
    // An earlier daemon saw the jobs three days ago and none of their entries.
    let ledger = try Ledger(path: workshop.path + "/state/ledger.sqlite")
    try ledger.adopt(
      jobs: try jobs.map {
        LedgerJob(name: try #require(JobName($0.name)), schedule: $0.schedule.identity)
      }, at: now - .days(3))
    try ledger.close()

    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try daemon.wait(for: "all three") {
      daemon.end != nil
        || Set(daemon.settled.map(\.job)).count == 3
          && daemon.settled.filter { $0.outcome == "succeeded" }.count == 2
    }
    #expect(try daemon.stop() == .exited(0))
    let latest = try #require(daemon.settled("latest").first { $0.outcome == "succeeded" })
    #expect(latest.entry.hasPrefix("missed entry "), "\(latest)")
    let passed = daemon.settled("latest").filter { $0.outcome == "missed" }
    #expect(passed.count == 1 && passed[0].line.contains("for 71 entries"), "\(passed)")
    #expect(daemon.settled("latest").count { $0.outcome == "succeeded" } == 1)
    #expect(daemon.settled("recent").map(\.outcome) == ["succeeded"])
    #expect(daemon.settled("recent").first?.entry.hasPrefix("missed entry ") == true)
    #expect(daemon.settled("stale").map(\.outcome) == ["missed"])

    // Entries that were caught up on are not run again.
    let again = try DaemonProcess(workshop)
    try again.begin()
    #expect(try again.stop() == .exited(0))
    #expect(again.settled.allSatisfy { !$0.entry.hasPrefix("missed") }, "\(again.settled)")
  }

  @Test func `a job whose dates were changed starts anew, even when it has as many as before`() throws {
    let day = ElapsedTime.days(1)
    let base = WallInstant(secondsSinceEpoch: 1_800_000_000)
    let before = ScheduleRule.explicit(try ExplicitSchedule([base, base + day * 3]))
    let after = ScheduleRule.explicit(try ExplicitSchedule([base, base + day * 2]))
    #expect(before.identity != after.identity)
    #expect(before.identity == ScheduleRule.explicit(try ExplicitSchedule([base, base + day * 3])).identity)
  }
}
