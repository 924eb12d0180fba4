import Testing
import TimelineCore
import TimelineTestSupport

/// A merge must give what asking every schedule for its next entry gives, whatever meets in a block.
@Suite struct `Merging schedules` {
  /// The simple way: of all next entries the earliest, of equal ones the first.
  static func expected(
    _ schedules: [ScheduleRule], after start: WallInstant, through end: WallInstant, count: Int
  ) -> [ScheduleMerge.Entry] {
    var upcoming = schedules.map { $0.next(after: start) }
    var found: [ScheduleMerge.Entry] = []
    while found.count < count {
      var earliest: Int?
      for (index, instant) in upcoming.enumerated() {
        guard let instant else { continue }
        if let best = earliest.flatMap({ upcoming[$0] }), best <= instant { continue }
        earliest = index
      }
      guard let earliest, let instant = upcoming[earliest], instant <= end else { break }
      found.append(ScheduleMerge.Entry(instant: instant, schedule: earliest))
      upcoming[earliest] = schedules[earliest].next(after: instant)
    }
    return found
  }

  static func periodic(_ start: Int64, _ interval: Int64) throws -> ScheduleRule {
    .periodic(
      try PeriodicSchedule(from: WallInstant(nanosecondsSinceEpoch: start), by: .nanoseconds(interval)))
  }

  static func cron(
    _ text: String, _ zone: Zone, _ policy: DaylightSavingPolicy = DaylightSavingPolicy()
  ) throws -> ScheduleRule {
    .cron(CronSchedule(expression: try CronExpression(parsing: text), zone: zone, daylightSaving: policy))
  }

  static func calendar(_ text: String, _ zone: Zone) throws -> ScheduleRule {
    .calendar(CalendarSchedule(expression: try CalendarExpression(parsing: text), zone: zone))
  }

  private func check(
    _ schedules: [ScheduleRule], after start: WallInstant, through end: WallInstant = .max, count: Int,
    _ comment: String
  ) {
    let expected = Self.expected(schedules, after: start, through: end, count: count)
    let merge = ScheduleMerge(schedules, after: start, through: end)
    #expect(Array(merge.prefix(count)) == expected, "\(comment)")
    var (blocks, byBlocks) = (merge, [ScheduleMerge.Entry]())
    var sizes: [Int] = []
    while byBlocks.count < count {
      let size = blocks.nextBlock { entries in
        for index in entries.indices { byBlocks.append(entries[index]) }
        return entries.count
      }
      guard let size else { break }
      sizes.append(size)
    }
    #expect(Array(byBlocks.prefix(count)) == expected, "\(comment), by blocks")
    #expect(
      sizes.allSatisfy { 1...max(ScheduleMerge.entryCountMax, schedules.count) ~= $0 }, "\(comment), \(sizes)"
    )
  }

  static let seed: UInt64 = 0x5EED_0012

  /// A rule of any kind.
  static func anyRule(_ generator: inout SeededGenerator, around start: WallInstant) throws -> ScheduleRule {
    let zoneName = ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "UTC", "America/Santiago"]
      .randomElement(using: &generator)
    let zone = try ZoneFiles.zone(zoneName ?? "UTC")
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
    switch ScheduleRule.KindName.allCases.randomElement(using: &generator) ?? .periodic {
    case .periodic where Bool.random(using: &generator):
      let intervals: [Int64] = [1_000_000_000, 30_000_000_000, 3_600_000_000_000, 777_777_777_777]
      return try periodic(start.nanosecondsSinceEpoch, intervals.randomElement(using: &generator) ?? 1)
    case .periodic:
      let start = start.nanosecondsSinceEpoch + Int64.random(in: -9...9, using: &generator) * 250_000_000
      return try periodic(start, Int64.random(in: 1...4, using: &generator) * 250_000_000)
    case .animation:
      return .animation(try AnimationSchedule(minimumInterval: .milliseconds(1_750)))
    case .everyMinute: return .everyMinute(EveryMinuteSchedule(zone: zone))
    case .explicit:
      let dates = (0..<20).map { _ in
        start + .milliseconds(500 * Int64.random(in: 0..<500_000, using: &generator))
      }
      return .explicit(try ExplicitSchedule(Array(Set(dates)).sorted()))
    case .cron:
      let policy = DaylightSavingPolicy(
        gap: DaylightSavingPolicy.Gap.allCases.randomElement(using: &generator) ?? .shift,
        fold: DaylightSavingPolicy.Fold.allCases.randomElement(using: &generator) ?? .both)
      let text = pick([
        "* * * * *", "*/5 9-17 * * 1-5", "30 2 * * *", "0,30 0-4 * * *", "*/20 30 1-2 * * *", "0 0 1 * *",
        "0 0 29 2 *", "* * * * * *", "15 3 L * *",
      ])
      return try cron(text, zone, policy)
    case .calendar:
      return try calendar(
        pick(["*:00/20:59", "00..03:00,59:00/7.5", "Sat,Sun *-*~1..8 02:30", "*-*-* 02:30:00.5"]), zone)
    case .civil:
      let rule = try `Civil rules in zones`.recurrence(
        pick(["1 days", "2 days", "1 weeks", "1 months"]), from: "2010-01-05",
        at: pick(["02:30", "00:00 01:45 02:10:30 23:59:59"]))
      return .civil(.civil(rule, in: zone))
    case .recurrence:
      let rule = try RecurrenceRules.rule(
        pick([
          "FREQ=DAILY;BYHOUR=0,2;BYMINUTE=30", "FREQ=MONTHLY;BYDAY=-1SU,1MO;BYSETPOS=1",
          "FREQ=HOURLY;INTERVAL=5",
        ]),
        from: "2010-01-05T02:30:00", rdates: "2026-03-29T01:45:00")
      return .recurrence(.recurrence(rule, in: zone))
    case .composed:
      var conditions = ComposedSchedule.Conditions()
      conditions.only = [try CivilWindow(parsing: pick(["Mon..Sat 01:00-18:00", "22:00-06:00"]))]
      if Bool.random(using: &generator) { conditions.ends = start + .days(40) }
      return .composed(
        try ComposedSchedule(
          [
            try cron("*/15 * * * *", zone), try cron("5 2,3 * * *", zone),
            try periodic(0, 86_400_500_000_000),
          ],
          conditions: conditions, zone: zone))
    }
  }

  @Test(arguments: 0..<24)
  func `random rules of all kinds agree with a simple merge`(round: Int) throws {
    var generator = SeededGenerator(seed: Self.seed &+ UInt64(round))
    // The last days before clocks are changed in Berlin, Samoa's lost day, Lord Howe's half hour, and an ordinary day.
    let starts = [
      "2026-03-28T12:00:00Z", "2011-12-29T22:00:00Z", "2026-10-03T10:00:00Z", "2026-06-15T00:00:00Z",
    ]
    let start = try WallInstant(rfc3339: starts[round % 4])
    let rules = try (0..<Int.random(in: 1...30, using: &generator)).map { _ in
      try Self.anyRule(&generator, around: start)
    }
    check(rules, after: start, count: 2_500, "seed \(Self.seed) round \(round)")
    check(
      rules, after: start - .nanoseconds(1), through: start + .days(2), count: 1_500,
      "seed \(Self.seed) round \(round), to an end")
  }

  @Test func `a dense schedule keeps blocks within their bound and others in their places`() throws {
    let start = WallInstant(secondsSinceEpoch: 1_750_000_000)
    let rules = [
      try Self.periodic(start.nanosecondsSinceEpoch, 1), try Self.cron("* * * * * *", .utc),
      try Self.periodic(start.nanosecondsSinceEpoch - 3, 7), try Self.cron("0 0 1 1 *", .utc),
    ]
    check(rules, after: start - .microseconds(30), count: 70_000, "every nanosecond")
  }

  @Test func `hundreds of schedules that share few instants keep their order`() throws {
    let start = WallInstant(secondsSinceEpoch: 1_750_000_000)
    // All in one bucket of the sort, in the order that takes most moves.
    let rules = try (0..<300).map { index in
      try Self.periodic(start.nanosecondsSinceEpoch + Int64(300 - index), 1_000_000_000)
    }
    check(rules, after: start, count: 3_000, "within a microsecond")
    let equal = try (0..<100).map { _ in try Self.cron("*/7 * * * *", .utc) }
    check(equal, after: start, count: 2_500, "equal rules")
  }

  @Test func `more schedules than a block has room for can fall due at one instant`() throws {
    let count = ScheduleMerge.entryCountMax + 5_000
    let daily = try Self.cron("0 0 * * *", .utc)
    let merge = ScheduleMerge(
      Array(repeating: daily, count: count), after: .epoch, through: .epoch + .days(2))
    var found = 0
    for entry in merge {
      #expect(entry.schedule == found % count && entry.instant == .epoch + .days(Int64(1 + found / count)))
      found += 1
    }
    #expect(found == 2 * count)
  }

  @Test func `sparse schedules take few blocks`() throws {
    let rules = [try Self.cron("0 0 29 2 *", .utc), try Self.calendar("2026-01-01 12:00", .utc)]
    check(rules, after: .epoch, count: 1_000, "every four years")
    var (merge, blocks) = (ScheduleMerge(rules, after: .epoch), 0)
    while merge.nextBlock({ $0.count }) != nil { blocks += 1 }
    #expect(blocks < 30, "\(blocks) blocks for 72 entries")
  }

  @Test func `both ends of time are reached and not passed`() throws {
    let rules = [
      try Self.periodic(.min, 1_000_000_000_000_000_000), try Self.periodic(.max, 5),
      .explicit(try ExplicitSchedule([.min, .epoch, .max])), .explicit(ExplicitSchedule()),
      .animation(try AnimationSchedule(minimumInterval: .days(9_000))),
      .animation(try AnimationSchedule(isPaused: true)),
    ]
    check(rules, after: .min, count: 1_000, "all of time")
    check(rules, after: .epoch, through: .epoch, count: 10, "no time")
    check(rules, after: .max, count: 10, "after the last instant")
    check([], after: .min, count: 10, "nobody")
  }
}
