import Testing
import TimelineClocks
import TimelineCore

@testable import TimelineDaemon

/// The time of a rehearsal on a simulated base clock.
@Suite struct RehearsalTimeTests {
  private static let base = WallInstant(secondsSinceEpoch: 1_800_000_000)
  private static let start = WallInstant(secondsSinceEpoch: 1_900_000_000)

  typealias Change = @Sendable (inout RehearsalTime, WallInstant) -> Void

  /// One change, ten seconds of the base clock after the former, and the time in seconds after the start just before it.
  struct Row: Sendable {
    let seconds: Int64
    let change: Change
  }

  static let courses: [(name: String, speed: Speed, rows: [Row], end: Int64)] = [
    (
      "speed 0 stands still until it is resumed, then at real pace", 0,
      [Row(seconds: 0) { _, _ in }, Row(seconds: 0) { $0.resume(at: $1) }], 10
    ),
    (
      "a pause keeps the speed", 60,
      [Row(seconds: 600) { $0.pause(at: $1) }, Row(seconds: 600) { $0.resume(at: $1) }], 1_200
    ),
    (
      "a new speed counts from now on, and ends a pause", 60,
      [Row(seconds: 600) { $0.pause(at: $1) }, Row(seconds: 600) { $0.set(.speed(1), at: $1) }], 610
    ),
    (
      "max is real pace between deadlines", 60,
      [Row(seconds: 600) { $0.set(.max, at: $1) }, Row(seconds: 610) { $0.pause(at: $1) }], 610
    ),
    (
      "a leap goes on as before", 60,
      [Row(seconds: 600) { $0.leap(to: start + .hours(1), at: $1) }, Row(seconds: 4_200) { _, _ in }], 4_800
    ),
    (
      "a leap of a paused clock leaves it paused", 0,
      [Row(seconds: 0) { $0.leap(to: start + .hours(1), at: $1) }, Row(seconds: 3_600) { _, _ in }], 3_600
    ),
    (
      "no leap leads back", 60,
      [Row(seconds: 600) { $0.leap(to: start, at: $1) }, Row(seconds: 1_200) { _, _ in }], 1_800
    ),
  ]

  @Test(arguments: courses.indices)
  func `follows each change of its pace`(index: Int) {
    let course = Self.courses[index]
    var time = RehearsalTime(
      base: Self.base, virtual: Self.start, pace: course.speed == .paused ? nil : .speed(course.speed))
    var base = Self.base
    for row in course.rows {
      base = base + .seconds(10)
      #expect(time.now(base: base) == Self.start + .seconds(row.seconds), "\(course.name)")
      row.change(&time, base)
    }
    #expect(time.now(base: base + .seconds(10)) == Self.start + .seconds(course.end), "\(course.name)")
  }

  @Test(arguments: [false, true], [false, true])
  func `continues from its own time when the base clock is set`(isPaused: Bool, isBack: Bool) {
    var time = RehearsalTime(base: Self.base, virtual: Self.start, pace: .speed(60))
    let base = Self.base + .seconds(10)
    if isPaused { time.pause(at: base) }
    let step = isBack ? ElapsedTime.zero - .hours(1) : .hours(1)
    time.follow(step, at: base + step)
    #expect(time.isPaused == isPaused)
    #expect(time.now(base: base + step) == Self.start + .seconds(600))
    let later = time.now(base: base + step + .seconds(1))
    #expect(later == Self.start + .seconds(isPaused ? 600 : 660))
  }

  @Test
  func `wakes when it shows the deadline, never while it is paused, and at max at once if nothing runs`() {
    var time = RehearsalTime(base: Self.base, virtual: Self.start, pace: .speed(60))
    let deadline = Self.start + .minutes(10)
    let now = Self.base + .seconds(1)
    #expect(time.wakeInstant(for: deadline, at: now, isIdle: true) == Self.base + .seconds(10))
    time.pause(at: now)
    #expect(time.wakeInstant(for: deadline, at: now, isIdle: true) == nil)
    time.set(.max, at: now)
    #expect(time.wakeInstant(for: deadline, at: now, isIdle: true) == now)
    #expect(time.wakeInstant(for: deadline, at: now, isIdle: false) == now + .minutes(9))
    time.pause(at: now)
    #expect(time.wakeInstant(for: deadline, at: now, isIdle: true) == nil)
    time.resume(at: now)
    #expect(time.leapsToDeadlines(isIdle: true) && !time.leapsToDeadlines(isIdle: false))
  }

  @Test(
    arguments: [
      ("60", .speed(60)), ("0.5", .speed(0.5)), ("max", .max),
      ("0", nil), ("0.0", nil),
    ] as [(String, RehearsalTime.Pace?)])
  func `a pace is the same after writing and reading`(text: String, pace: RehearsalTime.Pace?) throws {
    #expect(try RehearsalTime.Pace(parsing: text) == pace)
    if let pace { #expect(try RehearsalTime.Pace(parsing: "\(pace)") == pace) }
  }

  @Test(arguments: ["", "-1", "abc", "MAX", "1e3", "2000000000", "1/0"])
  func `an invalid pace is refused`(text: String) {
    #expect(throws: SpeedError.self) { try RehearsalTime.Pace(parsing: text) }
  }
}
