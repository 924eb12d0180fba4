import Testing
import TimelineCore
import TimelineTestSupport

/// Random picks against a reader that lists all entries of a period and chooses.
@Suite struct `Picks of random rules` {
  static let seed: UInt64 = 0x5EED_91CC

  /// Zones with changes at night and at midnight, a month and days that clocks enter twice, and a day that they skip.
  static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut", "America/Santiago",
    "America/St_Johns", "Pacific/Apia", "America/Havana",
  ]
  private static let rules = [
    "0 */6 * * *", "0 */2 * * *", "0,30 23,0,1 * * *", "0 12 * * *", "30 2 * * *", "0 0 * * mon",
    "0 9 1,15 * *",
    "every 11h", "every 95m", "*-*~1 23:30", "Mon..Fri 00:00", "*:0/45", "2010..2011-*-31 00:30",
  ]
  private static let windows = [
    "Sat,Sun", "22:00-06:00", "Mon..Fri 08:00-18:00", "2009-10-30..2009-11-02", "2011-12-24..2012-01-06",
    "00:00-00:30", "Wed",
  ]

  /// A number of the period that holds a day, from the date alone.
  private static func number(_ date: CivilDate, _ pick: EntryPick) -> Int {
    switch pick.period {
    case .day: date.daysSinceEpoch
    case .week: (date.daysSinceEpoch + 70_003 - pick.weekStart.rawValue + 1) / 7
    case .month: date.year * 12 + date.month
    case .quarter: date.year * 4 + (date.month + 2) / 3
    case .year: date.year
    }
  }

  /// The entries that `pick` chooses of all entries in whole years.
  static func chosen(_ entries: [WallInstant], _ pick: EntryPick, in zone: Zone) -> [WallInstant] {
    let groups = Dictionary(grouping: entries) { number(zone.civil(at: $0).date, pick) }
    let chosen = groups.values.map { group in
      let picked = pick.positions.map { $0 > 0 ? $0 - 1 : group.count + $0 }.filter(group.indices.contains)
      return Set(picked).map { group[$0] }
    }
    return chosen.flatMap(\.self).sorted()
  }

  static func pick(using random: inout SeededGenerator) throws -> EntryPick {
    let period = EntryPick.Period.allCases.randomElement(using: &random) ?? .day
    let most = [2, 4, 8, 40, 366].randomElement(using: &random) ?? 2
    let positions = Set(
      (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Int.random(in: 1...most, using: &random) * (Bool.random(using: &random) ? 1 : -1)
      })
    return try EntryPick(
      Array(positions), per: period, weekStart: Weekday.allCases.randomElement(using: &random) ?? .monday)
  }

  static func some(_ texts: [String], of count: Int, using random: inout SeededGenerator) -> [String] {
    (0..<count).compactMap { _ in texts.randomElement(using: &random) }
  }

  static func walk(_ schedule: ComposedSchedule, after start: WallInstant, through end: WallInstant)
    -> [WallInstant]
  {
    var (found, instant) = ([WallInstant](), start)
    while let next = schedule.next(after: instant), next <= end {
      found.append(next)
      instant = next
    }
    return found
  }

  static func walkBack(
    _ schedule: ComposedSchedule, after start: WallInstant, through end: WallInstant
  ) -> [WallInstant] {
    var (found, instant) = ([WallInstant](), end)
    while let latest = schedule.latest(atOrBefore: instant), latest > start {
      found.append(latest)
      instant = latest - .nanoseconds(1)
    }
    return found.reversed()
  }

  @Test(arguments: zones) func `next, latest, count and entries are those of the list`(name: String) throws {
    var random = SeededGenerator(seed: Self.seed ^ UInt64(name.utf8.count))
    let zone = try ZoneFiles.zone(name)
    let (first, last) = (second(1_254_355_200), second(1_328_054_400))  // October 2009 to January 2012
    let margin = ElapsedTime.days(370)
    var compared = 0
    for _ in 0..<14 {
      let rules = Self.some(Self.rules, of: Int.random(in: 1...3, using: &random), using: &random)
      let except = Self.some(Self.windows, of: Int.random(in: 0...2, using: &random), using: &random)
      let pick = try Self.pick(using: &random)
      let members = try rules.map { try `Unions, windows and exclusions`.rule($0, in: zone) }
      var conditions = try `Unions, windows and exclusions`.conditions(except: except)
      guard let all = try? ComposedSchedule(members, conditions: conditions, zone: zone) else { continue }
      conditions.pick = pick
      if Bool.random(using: &random) {
        conditions.starts = first + margin + .minutes(Int64.random(in: 0...200_000, using: &random))
      }
      if Bool.random(using: &random) {
        conditions.ends = last - .minutes(Int64.random(in: 0...200_000, using: &random))
      }
      guard let schedule = try? ComposedSchedule(members, conditions: conditions, zone: zone) else {
        continue
      }

      let entries = Self.walk(all, after: first - margin, through: last + margin)
      let (lower, upper) = (first, last - .days(1))
      let expected = Self.chosen(entries, pick, in: zone).filter {
        lower < $0 && $0 <= upper && conditions.starts ?? .min <= $0 && $0 <= conditions.ends ?? .max
      }
      let text = "\(schedule), seed \(Self.seed)"
      #expect(Self.walk(schedule, after: lower, through: upper) == expected, "\(text)")
      #expect(Self.walkBack(schedule, after: lower, through: upper) == expected, "\(text)")
      #expect(schedule.count(after: lower, through: upper) == expected.count, "\(text)")
      let listed = schedule.entries(from: lower, mode: .normal).lazy.filter { $0 > lower }
        .prefix { $0 <= upper }
      #expect(Array(listed) == expected, "\(text)")
      // Questions between entries.
      for entry in entries
      where Int.random(in: 0..<400, using: &random) == 0 && lower < entry && entry < upper {
        #expect(
          schedule.latest(atOrBefore: entry) ?? .min == expected.last { $0 <= entry } ?? schedule.latest(
            atOrBefore: lower) ?? .min, "\(text)")
      }
      compared += expected.isEmpty ? 0 : 1
    }
    #expect(compared >= 5)
  }
}
