import Testing
import TimelineCore
import TimelineTestSupport

/// A rule as text and, built beside it and not from it, as sets of numbers.
struct RandomCronRule: CustomStringConvertible {
  struct Field {
    var text: String
    var numbers: Set<Int>
    var beginsWithStar: Bool { text.hasPrefix("*") }
  }

  let minute: Field, hour: Field, day: Field, month: Field, weekday: Field

  var description: String { [minute, hour, day, month, weekday].map(\.text).joined(separator: " ") }
  var fixesTimeOfDay: Bool { !minute.beginsWithStar && !hour.beginsWithStar }

  init(using generator: inout SeededGenerator) {
    minute = Self.field(0...59, stars: 2, using: &generator)
    hour = Self.field(0...23, stars: 2, using: &generator)
    day = Self.field(1...31, stars: 6, using: &generator)
    month = Self.field(1...12, stars: 9, using: &generator)
    weekday = Self.field(0...7, stars: 6, using: &generator)
  }

  /// A list of one to three elements; `stars` of ten fields begin with one.
  private static func field(_ bounds: ClosedRange<Int>, stars: Int, using generator: inout SeededGenerator)
    -> Field
  {
    var parts: [String] = []
    var numbers = Set<Int>()
    let isStar = Int.random(in: 0..<10, using: &generator) < stars
    for _ in 0..<(isStar ? 1 : Int.random(in: 1...3, using: &generator)) {
      let low = Int.random(in: bounds, using: &generator)
      let high = Int.random(in: low...bounds.upperBound, using: &generator)
      let step = Int.random(in: 1...min(7, bounds.count - 1), using: &generator)
      switch isStar ? Int.random(in: 3...5, using: &generator) : Int.random(in: 0...2, using: &generator) {
      case 0: (parts, numbers) = (parts + ["\(low)"], numbers.union([low]))
      case 1: (parts, numbers) = (parts + ["\(low)-\(high)"], numbers.union(low...high))
      case 2:
        (parts, numbers) = (
          parts + ["\(low)-\(high)/\(step)"], numbers.union(stride(from: low, through: high, by: step))
        )
      case 3:
        (parts, numbers) = (
          parts + ["*/\(step)"],
          numbers.union(stride(from: bounds.lowerBound, through: bounds.upperBound, by: step))
        )
      default: (parts, numbers) = (parts + ["*"], numbers.union(bounds))
      }
    }
    return Field(text: parts.joined(separator: ","), numbers: numbers)
  }

  func matches(_ civil: CivilDateTime) -> Bool {
    guard civil.time.second == 0, minute.numbers.contains(civil.time.minute),
      hour.numbers.contains(civil.time.hour),
      month.numbers.contains(civil.date.month)
    else { return false }
    let iso = civil.date.weekday.rawValue
    let isDay = day.numbers.contains(civil.date.day)
    let isWeekday = weekday.numbers.contains(iso) || weekday.numbers.contains(iso % 7)
    return day.beginsWithStar || weekday.beginsWithStar ? isDay && isWeekday : isDay || isWeekday
  }
}

/// The schedule against a reader that looks at every minute and has no ideas.
@Suite struct `Cron rules minute by minute` {
  static let seed: UInt64 = 0xC406

  static let places: [(zone: String, change: String)] = [
    ("Europe/Berlin", "2026-03-29T01:00:00Z"), ("Europe/Berlin", "2026-10-25T01:00:00Z"),
    ("America/New_York", "2026-03-08T07:00:00Z"), ("America/New_York", "2026-11-01T06:00:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T15:00:00Z"), ("Australia/Lord_Howe", "2026-10-03T15:30:00Z"),
    ("America/Santiago", "2026-04-05T03:00:00Z"), ("America/Santiago", "2026-09-06T04:00:00Z"),
    ("Africa/Cairo", "2026-04-23T22:00:00Z"), ("Africa/Cairo", "2026-10-29T21:00:00Z"),
    ("Africa/Casablanca", "2026-02-15T02:00:00Z"), ("Africa/Casablanca", "2026-03-22T02:00:00Z"),
    ("Pacific/Apia", "2011-12-30T10:00:00Z"), ("America/Sao_Paulo", "2018-11-04T03:00:00Z"),
    ("America/Sao_Paulo", "2019-02-17T02:00:00Z"), ("Asia/Kathmandu", "1985-12-31T18:30:00Z"),
    ("Antarctica/Troll", "2026-03-29T01:00:00Z"), ("Pacific/Kwajalein", "1993-08-21T12:00:00Z"),
    ("Asia/Pyongyang", "2018-05-04T15:00:00Z"), ("UTC", "2028-02-29T00:00:00Z"),
  ]

  static func expected(_ rule: RandomCronRule, _ schedule: CronSchedule, around change: WallInstant)
    -> [WallInstant]
  {
    let minutes = (-36 * 60...36 * 60).map { change + .minutes(Int64($0)) }
    guard rule.fixesTimeOfDay else { return minutes.filter { rule.matches(schedule.zone.civil(at: $0)) } }
    var found = Set<WallInstant>()
    // The civil minutes of a clock that is never changed, for long enough on both sides to cover every zone.
    for minute in -64 * 60...64 * 60 {
      let civil = CivilDateTime(change + .minutes(Int64(minute)), offset: 0)
      guard rule.matches(civil) else { continue }
      switch (schedule.zone.instants(of: civil), schedule.daylightSaving.gap, schedule.daylightSaving.fold) {
      case (.one(let instant), _, _): found.insert(instant)
      case (.gap(let transition, _, _), .runAtEnd, _): found.insert(transition)
      case (.gap(_, let later, _), .shift, _): found.insert(later)
      case (.gap, .skip, _): break
      case (.fold(let first, _), _, .first): found.insert(first)
      case (.fold(_, let second), _, .second): found.insert(second)
      case (.fold(let first, let second), _, .both): found.formUnion([first, second])
      case (.outOfRange, _, _): Issue.record("\(civil)")
      }
    }
    return found.filter { minutes[0] <= $0 && $0 <= minutes[minutes.count - 1] }.sorted()
  }

  @Test(arguments: places) func `around a change the entries agree with a check of every minute`(
    place: (zone: String, change: String)
  ) throws {
    var generator = SeededGenerator(
      seed: Self.seed ^ UInt64(place.change.utf8.reduce(0) { $0 &* 31 &+ UInt32($1) }))
    let zone = place.zone == "UTC" ? Zone.utc : try ZoneFiles.zone(place.zone)
    let change = try WallInstant(rfc3339: place.change)
    let (start, end) = (change - .minutes(36 * 60), change + .minutes(36 * 60))
    var ruleCount = 0
    while ruleCount < 18 {
      let rule = RandomCronRule(using: &generator)
      guard let expression = try? CronExpression(parsing: rule.description) else { continue }
      ruleCount += 1
      let (gaps, folds) = (DaylightSavingPolicy.Gap.allCases, DaylightSavingPolicy.Fold.allCases)
      let policy = DaylightSavingPolicy(gap: gaps[ruleCount % 3], fold: folds[ruleCount / 3 % 3])
      let schedule = CronSchedule(expression: expression, zone: zone, daylightSaving: policy)
      let expected = Self.expected(rule, schedule, around: change)
      let name = "\(rule) in \(zone) \(policy), seed \(Self.seed)"
      #expect(expression.fixesTimeOfDay == rule.fixesTimeOfDay, "\(name)")

      var forwards: [WallInstant] = []
      var instant = start - .nanoseconds(1)
      while let next = schedule.next(after: instant), next <= end {
        forwards.append(next)
        instant = next
      }
      #expect(forwards == expected, "\(name)")
      var backwards: [WallInstant] = []
      instant = end
      while let latest = schedule.latest(atOrBefore: instant), latest >= start {
        backwards.append(latest)
        instant = latest - .nanoseconds(1)
      }
      #expect(backwards.reversed() == expected, "\(name)")
      #expect(schedule.count(after: start - .nanoseconds(1), through: end) == expected.count, "\(name)")
      let halves =
        schedule.count(after: start - .nanoseconds(1), through: change)
        + schedule.count(after: change, through: end)
      #expect(halves == expected.count, "\(name)")
    }
  }
}
