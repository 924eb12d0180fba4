import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `Pausing and resuming on a real daemon` {
  private static func daemon(_ workshop: Workshop) throws -> DaemonProcess {
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure(
      """
      [job.beat]
      plugin = "steady"
      schedule = \(everySecond)
      [job.steady]
      plugin = "steady"
      schedule = \(everySecond)
      """)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try daemon.line(containing: "steady", "succeeded")
    return daemon
  }

  private static func why(_ daemon: DaemonProcess, _ moment: String) throws -> WhyReply {
    let answer = try daemon.control("why", "steady", moment, "--json")
    return try JSONDecoder().decode(WhyReply.self, from: Data(answer.output.utf8))
  }

  @Test func `entries that fall due in a pause are held, shown, and decided when it ends`() throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(workshop)
    let watcher = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "watch", "steady"], on: daemon.loop)
    try daemon.wait(for: "the watcher") { watcher.printed.contains("watching") }

    let paused = try daemon.control("pause", "steady", "--json").output
    let job = try JSONDecoder().decode(PausedJob.self, from: Data(paused.utf8))
    #expect(job.job == "steady" && !job.wasPaused)
    #expect(try daemon.control("pause", "steady").output.hasPrefix("steady: was paused already, since "))
    let first = Self.wholeSecond(after: job.pausedSince.instant)
    let before = daemon.settled("steady").count
    let beats = daemon.settled("beat").count
    // The first of them may have been due before the pause.
    try daemon.wait(for: "four more entries of the other job") { daemon.settled("beat").count >= beats + 4 }
    // A run that was active when the pause began may end in it.
    #expect(daemon.settled("steady").count <= before + 1)

    let held = try Self.why(daemon, first.description)
    #expect(held.verdict == "held" && held.pausedSince == job.pausedSince, "\(held)")
    #expect(held.headline.contains("what becomes of the entry is decided when it is resumed"))
    #expect(try daemon.control("list").output.contains("paused since "))
    #expect(try daemon.status().pausedCount == 1)
    #expect(try daemon.control("status").output.contains("2, 0 running, 1 paused"))
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(
      try daemon.list().first { $0.name == "steady" }?.pausedSince == job.pausedSince,
      "a reload ends no pause")

    let resumed = try daemon.control("resume", "steady", "--catch-up", "skip")
    #expect(
      resumed.end == .exited(0) && resumed.output.contains("fell due: none is run (skip)"), "\(resumed)")
    let decided = try Self.why(daemon, first.description)
    #expect(decided.verdict == "settled" && decided.record?.outcome == "paused", "\(decided)")
    #expect(decided.record.map { $0.entryCount >= 3 } == true, "\(decided)")
    let after = daemon.settled("steady").count
    try daemon.wait(for: "the job to go on") {
      daemon.settled("steady").dropFirst(after).contains { $0.outcome == "succeeded" }
    }
    #expect(try daemon.control("resume", "steady").output == "steady: was not paused\n")
    for part in ["steady    paused", "steady    resumed"] {
      #expect(watcher.printed.contains(part), "\(watcher.printed)")
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `without an option the job's own policy decides, and the last entry is run`() throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(workshop)
    #expect(try daemon.control("pause", "steady", "beat").output == "steady: paused\nbeat: paused\n")
    let since = try #require(try daemon.list().first { $0.name == "steady" }?.pausedSince).instant
    #expect(try daemon.control("resume", "beat").end == .exited(0))
    let beats = daemon.settled("beat").count
    try daemon.wait(for: "three more entries of the other job") { daemon.settled("beat").count >= beats + 3 }
    let reply = try JSONDecoder().decode(
      ResumeReply.self, from: Data(daemon.control("resume", "steady", "--json").output.utf8))
    #expect(reply.catchUp == "latest" && reply.heldCount >= 2 && reply.pausedSince?.instant == since)
    #expect(reply.takenCount == 1)
    try daemon.line(containing: "steady", "missed entry", "succeeded")
    #expect(try daemon.control("history", "steady").output.contains("catch-up; "))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a removed job comes back paused, also after a restart`() throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(workshop)
    #expect(try daemon.control("pause", "steady").end == .exited(0))
    let since = try #require(try daemon.list().first { $0.name == "steady" }?.pausedSince)
    let beat = "[job.beat]\nplugin = \"steady\"\nschedule = \(everySecond)\n"
    let steady = "[job.steady]\nplugin = \"steady\"\nschedule = \(everySecond)\n"
    try workshop.configure(beat + steady + "enabled = false\n")
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))

    let next = try DaemonProcess(workshop)
    try next.begin()
    try workshop.configure(beat + steady)
    #expect(try next.control("reload").end == .exited(0))
    try next.line(containing: "steady: still paused, since ", "`timelinectl resume steady` lets it go on")
    #expect(try next.list().first { $0.name == "steady" }?.pausedSince == since)
    #expect(try next.control("resume", "steady").output.contains("resumed; it was paused since "))
    try next.line(containing: "steady", "succeeded")
    #expect(try next.stop() == .exited(0))
  }

  @Test func `the reply has the number of entries that are run, for every choice`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    func configure(late schedule: String) throws {
      try workshop.configure(
        """
        [job.beat]
        plugin = "steady"
        schedule = \(everySecond)
        [job.late]
        plugin = "steady"
        schedule = \(schedule)
        missed = { policy = "latest", window = "1s" }
        [job.many]
        plugin = "steady"
        schedule = { periodic = { by = "10ms" } }
        """)
    }
    try configure(late: never)
    let clock = try SetClock(in: workshop)
    let daemon = try DaemonProcess(workshop, arguments: clock.arguments)
    try daemon.begin()
    #expect(try daemon.control("pause", "late", "many").end == .exited(0))
    let due = Self.wholeSecond(after: SystemTime.now() + .hours(1))
    try configure(late: "{ explicit = [\(due)] }")
    #expect(try daemon.control("reload").end == .exited(0))
    try clock.set(to: due - .milliseconds(200), in: daemon)
    let beats = daemon.settled("beat").count
    // At least three seconds, so that the entry has been late for longer than its window.
    try daemon.wait(for: "six more entries of the other job") { daemon.settled("beat").count >= beats + 6 }

    let late = try daemon.control("resume", "late").output
    #expect(
      late.contains("1 entry fell due: it is not run, `timelinectl history late` says why (latest)"),
      "\(late)")
    let many = try daemon.control("resume", "many", "--catch-up", "all").output
    #expect(
      many.contains("fell due: 100 of them are run in order, as its overlap policy lets them; "), "\(many)")
    #expect(try daemon.stop() == .exited(0))
  }

  private static func wholeSecond(after instant: WallInstant) -> WallInstant {
    let seconds = instant.nanosecondsSinceEpoch / 1_000_000_000 + 1
    return WallInstant(secondsSinceEpoch: seconds)
  }
}
