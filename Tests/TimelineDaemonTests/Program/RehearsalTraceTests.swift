import Foundation
import Testing
import TimelineClocks
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLoading
import TimelineRehearsal
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// A rehearsal of the night in which clocks are put forward, changed while it runs, beside the dry run of the same night.
@Suite struct `A rehearsal whose clock is changed has the trace of the dry run` {
  private static let jobs = """
    [daemon]
    time-zone = "Europe/Berlin"
    [job.poll]
    plugin = "steady"
    schedule = { cron = "0 * * * *" }
    overlap = "buffer-all"
    missed = "all"
    [job.backup]
    plugin = "steady"
    schedule = { cron = "30 2 * * *" }
    [job.skipper]
    plugin = "steady"
    schedule = { cron = "15 2 * * *", dst = { gap = "skip" } }
    [job.report]
    plugin = "steady"
    schedule = { cron = "0 12 * * *" }
    missed = "skip"
    """
  private static let from = "2027-03-27T23:59:00Z"
  /// 03:00 on the next day. Every job has had another entry before it.
  private static let until = "2027-03-29T01:00:00Z"

  private let workshop: Workshop
  private let definitions: [JobDefinition]
  private let start: WallInstant
  private let end: WallInstant

  init() throws {
    workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let path = try workshop.write(Self.jobs, to: "daemon.toml")
    definitions = try Loader(path: path, installation: Installation()).read(
      refusingForeignWriters: false, refusingUnknownPlugins: false, now: SystemTime.now()
    ).definitions
    start = try WallInstant(rfc3339: Self.from)
    end = try WallInstant(rfc3339: Self.until)
  }

  /// One settled record, or several in a row.
  struct Mark: Hashable, CustomStringConvertible {
    var job: String
    var entry: WallInstant
    var count: Int
    var outcome: String

    var description: String { "\(entry) \(job) \(outcome)" + (count > 1 ? " \(count)" : "") }
  }

  private static func sorted(_ marks: [Mark]) -> [Mark] {
    marks.sorted { ($0.entry, $0.job) < ($1.entry, $1.job) }
  }

  /// Runs that end at once, and at most one leap.
  private struct World: SimulatedWorld {
    var leap: (at: WallInstant, by: ElapsedTime)?

    mutating func course(
      of attempt: @autoclosure () -> Attempt, expected: ElapsedTime
    ) -> SimulatedCourse { SimulatedCourse(lasting: .zero) }

    mutating func nextInterruption() -> (at: WallInstant, what: SimulatedInterruption)? {
      defer { leap = nil }
      return leap.map { ($0.at, .clockStep($0.by)) }
    }
  }

  private func simulated(leap: (at: WallInstant, by: ElapsedTime)) -> [Mark] {
    let engine = EngineState(jobs: definitions, startedAt: start, claims: .grant, horizon: end)
    var simulation = Simulation(of: engine, from: start, in: World(leap: leap))
    var marks: [Mark] = []
    simulation.run { if case .settle(let record) = $0 { marks.append(Mark(record)) } }
    return marks
  }

  private var dryRun: [Mark] {
    var dryRun = DryRun(jobs: definitions, from: start, until: end)
    let names = dryRun.summary.jobs.map(\.name.text)
    var marks: [Mark] = []
    dryRun.run { row in
      guard case .entry(let entry) = row else { return }
      marks.append(
        Mark(job: names[entry.job], entry: entry.entry, count: entry.count, outcome: entry.outcome.rawValue))
    }
    return marks
  }

  /// The engine on the time of a rehearsal, whose base clock the test sets.
  private struct Rehearsal {
    var base = WallInstant(secondsSinceEpoch: 1_800_000_000)
    var time: RehearsalTime
    var engine: EngineState
    var armed: WallInstant?
    var marks: [Mark] = []

    init(_ jobs: [JobDefinition], from: WallInstant, until: WallInstant, speed: Speed) {
      time = RehearsalTime(base: base, virtual: from, pace: speed == .paused ? nil : .speed(speed))
      engine = EngineState(jobs: jobs, startedAt: from, horizon: until)
      handle(.wake)
    }

    mutating func handle(_ event: EngineEvent) {
      var events = [event]
      while !events.isEmpty {
        for effect in engine.handle(events.removeFirst(), at: time.now(base: base)) {
          switch effect {
          case .arm(let instant): armed = instant
          case .start(let attempt):
            events.append(.attemptEnded(attempt.run, AttemptResult(status: .succeeded)))
          case .claim(let keys):
            events.append(.claimsAnswered(keys.map { ClaimAnswer(entry: $0, verdict: .granted) }))
          case .settle(let record): marks.append(Mark(record))
          default: break
          }
        }
      }
    }

    /// Advances the base clock by `length`.
    mutating func run(for length: ElapsedTime) {
      let end = base + length
      while let armed, let wake = time.wakeInstant(for: armed, at: base, isIdle: true), wake <= end {
        base = max(base, wake)
        if time.leapsToDeadlines(isIdle: true) { time.leap(to: armed, at: base) }
        handle(.wake)
      }
      base = end
    }

    mutating func step() {
      if let armed { time.leap(to: armed, at: base) }
      handle(.wake)
    }

    mutating func leap(by length: ElapsedTime) {
      time.leap(to: time.now(base: base) + length, at: base)
      handle(.clockStepped(by: length))
    }
  }

  @Test func `on a simulated base clock, without a leap`() {
    var rehearsal = Rehearsal(definitions, from: start, until: end, speed: 0)
    rehearsal.run(for: .hours(1))
    #expect(rehearsal.marks.isEmpty, "speed 0 stands still")
    for _ in 0..<2 { rehearsal.step() }
    #expect(rehearsal.marks.count == 4 && rehearsal.time.isPaused, "one entry, and three at the clock change")
    rehearsal.time.set(.speed(3_600), at: rehearsal.base)
    rehearsal.run(for: .seconds(4))
    rehearsal.time.pause(at: rehearsal.base)
    rehearsal.run(for: .hours(1))
    rehearsal.time.resume(at: rehearsal.base)
    rehearsal.run(for: .milliseconds(500))
    let count = rehearsal.marks.count
    rehearsal.time.set(.max, at: rehearsal.base)
    rehearsal.run(for: .nanoseconds(1))
    #expect(count < rehearsal.marks.count && rehearsal.armed == nil)
    #expect(Self.sorted(rehearsal.marks) == Self.sorted(dryRun))
  }

  @Test func `on a simulated base clock, with a leap`() {
    var rehearsal = Rehearsal(definitions, from: start, until: end, speed: 3_600)
    rehearsal.run(for: .milliseconds(3_500))
    let leap = (at: rehearsal.time.now(base: rehearsal.base), by: ElapsedTime.hours(10))
    rehearsal.leap(by: leap.by)
    rehearsal.run(for: .minutes(1))
    #expect(rehearsal.marks.contains { $0.job == "report" && $0.outcome == "missed" })
    #expect(rehearsal.marks == simulated(leap: leap))
  }

  @Test func `in a real daemon at 3600 times real pace`() throws {
    let socket = workshop.path + "/control.sock"
    let daemon = try DaemonProcess(
      workshop, arguments: ["--clock", "scaled:0", "--from", Self.from, "--control", socket])
    try daemon.begin()
    func clock(_ words: String...) throws -> ClockState {
      let answer = try daemon.control(["clock"] + words + ["--json"])
      try #require(answer.end == .exited(0), "\(answer)")
      return try JSONDecoder().decode(ClockState.self, from: Data(answer.output.utf8))
    }
    func settled(_ job: String, _ count: Int) throws {
      try daemon.wait(for: "\(count) entries of \(job)") { daemon.settled(job).count >= count }
    }
    #expect(try clock().now.instant == start)
    let first = try clock("step")
    #expect(first.reached?.job == "poll" && first.now.instant == start + .minutes(1) && first.isPaused)
    try settled("poll", 1)
    #expect(try clock("step").now.instant == start + .minutes(61))
    try settled("poll", 2)
    #expect(try clock("speed", "3600").clock == "scaled:3600")
    try settled("poll", 4)
    let paused = try clock("pause")
    #expect(try clock().now == paused.now && paused.isPaused)
    // A time of day is the next one, in the zone of the daemon.
    let there = try clock("leap", "13:00")
    #expect(there.now.instant == start + .minutes(661) && there.isPaused)
    try settled("poll", 12)
    #expect(try clock("speed", "max").clock == "scaled:max")
    try settled("backup", 2)
    #expect(try clock("pause").isPaused)

    let rows = try daemon.control("history", "--until", Self.until, "-n", "1000", "--json").output.split(
      separator: "\n"
    ).map {
      try JSONDecoder().decode(EntryReport.self, from: Data($0.utf8))
    }
    let marks = rows.map(Mark.init)
    let leap = (at: paused.now.instant, by: there.now.instant - paused.now.instant)
    #expect(Self.sorted(marks) == Self.sorted(simulated(leap: leap)))
    #expect(try daemon.stop() == .exited(0))
  }
}

extension `A rehearsal whose clock is changed has the trace of the dry run`.Mark {
  init(_ record: EntryRecord) {
    self.init(
      job: record.entry.job.text, entry: record.entry.nominal, count: record.entryCount,
      outcome: record.outcome.rawValue)
  }

  init(_ row: EntryReport) {
    self.init(job: row.job, entry: row.entry.instant, count: row.entryCount, outcome: row.outcome ?? "open")
  }
}
