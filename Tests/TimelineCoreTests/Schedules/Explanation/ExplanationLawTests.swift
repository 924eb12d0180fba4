import Testing
import TimelineCore
import TimelineTestSupport

/// Entries and omissions as sentences name them, over random rules, zones and years.
@Suite struct `Laws of explanations` {
  private static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Africa/Casablanca",
    "America/Santiago", "Asia/Beirut", "Europe/Dublin",
  ]

  private static func field(_ range: ClosedRange<Int>, using random: inout SeededGenerator) -> String {
    let (first, second) = (Int.random(in: range, using: &random), Int.random(in: range, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "*"
    case 1: return "*/\([2, 5, 15, 20, 30].randomElement(using: &random) ?? 2)"
    case 2: return "\(min(first, second))-\(max(first, second))"
    case 3: return "\(first),\(second)"
    default: return "\(first)"
    }
  }

  private static func rule(using random: inout SeededGenerator, in zone: Zone) throws -> ScheduleRule {
    // Early hours are those in which clocks are changed.
    let (minute, hour) = (field(0...59, using: &random), field(0...4, using: &random))
    let day = ["*", "*", "*/2", "25-31", "L"].randomElement(using: &random) ?? "*"
    let week = ["*", "*", "0", "1-5"].randomElement(using: &random) ?? "*"
    let policy = DaylightSavingPolicy(
      gap: DaylightSavingPolicy.Gap.allCases.randomElement(using: &random) ?? .runAtEnd,
      fold: DaylightSavingPolicy.Fold.allCases.randomElement(using: &random) ?? .first)
    let cron = CronSchedule(
      expression: try CronExpression(parsing: "\(minute) \(hour) \(day) * \(week)"), zone: zone,
      daylightSaving: policy)
    guard Bool.random(using: &random) else { return .cron(cron) }
    var conditions = ComposedSchedule.Conditions()
    conditions.only = [try CivilWindow(parsing: "00:00-03:00")]
    let union = try? ComposedSchedule([.cron(cron)], conditions: conditions, zone: zone)
    return union.map(ScheduleRule.composed) ?? .cron(cron)
  }

  /// A civil rule of the early hours, without windows.
  private static func civilRule(using random: inout SeededGenerator, in zone: Zone) throws -> ScheduleRule {
    let seconds = Set((0..<4).map { _ in Int.random(in: 0..<300, using: &random) * 60 })
    let unit = CivilRecurrence.Unit.allCases.randomElement(using: &random) ?? .days
    let recurrence = try CivilRecurrence(
      every: Int.random(in: 1...2, using: &random), unit,
      from: try #require(CivilDate(year: 1_988, month: 10, day: Int.random(in: 1...31, using: &random))),
      at: seconds.sorted().compactMap { CivilTime(hour: $0 / 3_600, minute: $0 / 60 % 60) },
      on: unit == .weeks ? [.sunday, .friday] : [], shortMonth: .last)
    let policy = DaylightSavingPolicy(
      gap: DaylightSavingPolicy.Gap.allCases.randomElement(using: &random) ?? .runAtEnd,
      fold: DaylightSavingPolicy.Fold.allCases.randomElement(using: &random) ?? .first)
    return .civil(.civil(recurrence, in: zone, daylightSaving: policy))
  }

  private static func start(using random: inout SeededGenerator) throws -> WallInstant {
    try WallInstant(rfc3339: "\(Int.random(in: 1990...2040, using: &random))-01-01T00:00:00Z")
  }

  @Test(arguments: 0..<8) func `every instant that a sentence names is an entry`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let zone = try ZoneFiles.zone(Self.zones[seed])
    for _ in 0..<40 {
      let rule = try Self.rule(using: &random, in: zone)
      try checkNamedInstants(of: rule, from: Self.start(using: &random), in: zone)
    }
    for _ in 0..<40 {
      let rule = try Self.civilRule(using: &random, in: zone)
      try checkNamedInstants(of: rule, from: Self.start(using: &random), in: zone)
    }
  }

  private func checkNamedInstants(of rule: ScheduleRule, from start: WallInstant, in zone: Zone) throws {
    let promise = try Regex(#"(?:goes on at|it runs at|they run once, at) ([^;,]+)"#)
    for change in rule.explanation(from: start, years: 2).changes {
      for entry in change.entries {
        #expect(rule.latest(atOrBefore: entry) == entry, "\(rule): \(change.words)")
      }
      guard let match = change.words.firstMatch(of: promise), let named = match.output[1].substring else {
        continue
      }
      let next = rule.next(after: change.instant - .nanoseconds(1))
      #expect(next?.text(in: zone) == String(named), "\(rule): \(change.words)")
    }
  }

  @Test(arguments: 0..<8) func `every omission has a sentence`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed + 100))
    let zone = try ZoneFiles.zone(Self.zones[seed])
    for _ in 0..<40 {
      let rule = try Self.rule(using: &random, in: zone)
      guard case .cron = rule else { continue }
      checkOmissions(of: rule, from: try Self.start(using: &random))
    }
    for _ in 0..<40 {
      let rule = try Self.civilRule(using: &random, in: zone)
      checkOmissions(of: rule, from: try Self.start(using: &random))
    }
  }

  private func checkOmissions(of rule: ScheduleRule, from start: WallInstant) {
    let changes = rule.explanation(from: start, years: 2).changes
    let end = start + .hours(8_766) * 2 - .days(1)
    for omission in rule.omissions(after: start, through: end) {
      let isNamed = changes.contains { change in
        change.kind == (omission.outcome == .daylightSavingGap ? .gap : .fold)
          && change.instant - .hours(2) <= omission.first && omission.last <= change.instant + .hours(2)
      }
      #expect(isNamed, "\(rule): \(omission)")
    }
  }

  @Test(arguments: 0..<8) func `an empty day has no entry, and the next one is named`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed + 200))
    let zone = try ZoneFiles.zone(Self.zones[seed])
    for _ in 0..<60 {
      let rule = try Self.rule(using: &random, in: zone)
      let start = try WallInstant(rfc3339: "\(Int.random(in: 1990...2040, using: &random))-01-01T00:00:00Z")
      guard let change = rule.emptyDay(after: start, years: 3) else { continue }
      let next = try #require(rule.next(after: change.instant - .nanoseconds(1)))
      #expect(change.words.hasSuffix("goes on at \(next.text(in: zone))"), "\(rule): \(change.words)")
      let date = zone.civil(at: change.instant - .nanoseconds(1)).date
      #expect(zone.civil(at: next).date != date, "\(rule): \(change.words)")
      let former = rule.latest(atOrBefore: change.instant - .nanoseconds(1))
      #expect(former.map { zone.civil(at: $0).date } != date, "\(rule): \(change.words)")
    }
  }

  @Test(arguments: 0..<8) func `exactly the months that windows empty are named`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed + 300))
    let zone = try ZoneFiles.zone(Self.zones[seed])
    for _ in 0..<20 {
      let day = ["LW", "L", "1", "15W", "28,30"].randomElement(using: &random) ?? "L"
      let cron = CronSchedule(expression: try CronExpression(parsing: "0 9 \(day) * *"), zone: zone)
      let year = Int.random(in: 1990...2040, using: &random)
      var conditions = ComposedSchedule.Conditions()
      conditions.except = try (0..<12).map { _ in
        let (month, day) = (Int.random(in: 10...12, using: &random), Int.random(in: 27...30, using: &random))
        return try CivilWindow(parsing: "\(year)-\(month)-\(day)")
      }
      let rule = ScheduleRule.composed(
        try ComposedSchedule([.cron(cron)], conditions: conditions, zone: zone))
      let start = try WallInstant(rfc3339: "\(year)-01-02T00:00:00Z")
      func month(_ instant: WallInstant) -> Int { zone.civil(at: instant).date.month }
      let named = rule.emptyPeriods(after: start, years: 1).map { month($0.first) }
      var entries: [WallInstant] = []
      while let next = rule.next(after: entries.last ?? start), zone.civil(at: next).date.year == year {
        entries.append(next)
      }
      #expect(
        named == (1...12).filter { !entries.map(month).contains($0) && (day != "1" || $0 > 1) }, "\(rule)")
    }
  }
}
