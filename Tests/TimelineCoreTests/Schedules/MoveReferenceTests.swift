import Testing
import TimelineCore
import TimelineTestSupport

/// Random moves against a reader that moves each entry of a list by itself.
@Suite struct `Moves of random rules` {
  typealias Picks = `Picks of random rules`
  typealias Unions = `Unions, windows and exclusions`

  static let seed: UInt64 = 0x5EED_90FE
  private static let rules = [
    "0 */6 * * *", "0 * * * *", "30 2 * * *", "0 12 * * *", "0 0 * * mon", "0 9 1,15 * *", "30 0 * * *",
    "0 0,9,20 * * *", "every 11h", "every 95m", "*-*~1 23:30", "2010..2011-*-31 00:30", "15 1,2,3 * * sun",
  ]
  private static let windows = [
    "Sat,Sun", "22:00-06:00", "Mon..Fri 08:00-18:00", "2009-10-30..2009-11-02", "2011-12-24..2012-01-06",
    "00:00-00:30", "Wed", "2010-03-01..2010-07-31", "Sat 22:00-06:00", "2011-10-28..2011-11-02",
  ]
  private static let only = [
    ["Mon..Fri"], ["Mon..Fri 08:00-18:00", "Sat"], ["Tue,Thu", "2011-11-01..2011-11-03"],
  ]

  /// A rule with its policy for clock changes.
  private static func rule(_ text: String, _ policy: DaylightSavingPolicy, in zone: Zone) throws
    -> ScheduleRule
  {
    guard let cron = try? CronExpression(parsing: text) else { return try Unions.rule(text, in: zone) }
    return .cron(CronSchedule(expression: cron, zone: zone, daylightSaving: policy))
  }

  /// A reader that asks windows about a single local time, on a clock that is never changed.
  struct Reader {
    let move: EntryMove
    let policy: DaylightSavingPolicy
    let zone: Zone
    let windows: ComposedSchedule

    init(
      _ conditions: ComposedSchedule.Conditions, _ move: EntryMove, _ policy: DaylightSavingPolicy,
      _ zone: Zone
    )
      throws
    {
      let second = ScheduleRule.periodic(try PeriodicSchedule(from: .epoch, by: .seconds(1)))
      windows = try ComposedSchedule([second], conditions: conditions, zone: .utc)
      (self.move, self.policy, self.zone) = (move, policy, zone)
    }

    func isOpen(_ local: CivilDateTime) -> Bool {
      guard let instant = local.instant(offset: 0) else { return false }
      return windows.latest(atOrBefore: instant) == instant
    }

    /// The instant at which an entry lies; `nil` if it is excluded.
    func landing(of entry: WallInstant) -> WallInstant? {
      let civil = zone.civil(at: entry)
      if isOpen(civil) { return entry }
      let forth = Array(1...move.dayMax)
      let back = forth.map { -$0 }
      var steps =
        switch move.direction {
        case .before: back
        case .after: forth
        case .nearest: forth.flatMap { [-$0, $0] }
        }
      if move.isWithinMonth, move.direction != .nearest { steps += move.direction == .after ? back : forth }
      for step in steps {
        guard let date = CivilDate(daysSinceEpoch: civil.date.daysSinceEpoch + step) else { continue }
        if move.isWithinMonth, (date.year, date.month) != (civil.date.year, civil.date.month) { continue }
        let local = CivilDateTime(date: date, time: civil.time)
        guard isOpen(local), let instant = instant(of: local) else { continue }
        let shown = zone.civil(at: instant)
        if shown.date == date, isOpen(shown) { return instant }
      }
      return nil
    }

    private func instant(of local: CivilDateTime) -> WallInstant? {
      switch zone.instants(of: local) {
      case .one(let instant): instant
      case .fold(let first, let second): policy.fold == .second ? second : first
      case .gap(let transition, let later, _):
        policy.gap == .skip ? nil : policy.gap == .shift ? later : transition
      case .outOfRange: nil
      }
    }
  }

  /// A random schedule with a move, its reader, and the schedule of its rules alone.
  struct Case {
    let schedule: ComposedSchedule, all: ComposedSchedule, reader: Reader
    let conditions: ComposedSchedule.Conditions

    init?(in zone: Zone, _ first: WallInstant, _ last: WallInstant, using random: inout SeededGenerator)
      throws
    {
      let policy = DaylightSavingPolicy(
        gap: DaylightSavingPolicy.Gap.allCases.randomElement(using: &random) ?? .skip,
        fold: DaylightSavingPolicy.Fold.allCases.randomElement(using: &random) ?? .both)
      let texts = Picks.some(rules, of: Int.random(in: 1...2, using: &random), using: &random)
      let members = try texts.map { try rule($0, policy, in: zone) }
      let except = Picks.some(windows, of: Int.random(in: 1...3, using: &random), using: &random)
      var conditions = try Unions.conditions(
        Int.random(in: 0..<3, using: &random) == 0 ? only.randomElement(using: &random) ?? [] : [],
        except: except)
      let move = try EntryMove(
        EntryMove.Direction.allCases.randomElement(using: &random) ?? .after,
        dayMax: [1, 2, 3, 7, 31].randomElement(using: &random) ?? 7,
        isWithinMonth: Bool.random(using: &random))
      // A period has no policy, and the calendar rules have the default.
      let isCron = texts.first { !$0.hasPrefix("every ") }.map { (try? CronExpression(parsing: $0)) != nil }
      let own = isCron == true ? policy : DaylightSavingPolicy()
      guard let reader = try? Reader(conditions, move, own, zone) else { return nil }
      self.reader = reader
      all = try ComposedSchedule(members, zone: zone)
      conditions.move = move
      if Int.random(in: 0..<3, using: &random) == 0 { conditions.pick = try Picks.pick(using: &random) }
      if Bool.random(using: &random) {
        conditions.starts = first + .minutes(Int64.random(in: 0...100_000, using: &random))
      }
      if Bool.random(using: &random) {
        conditions.ends = last - .minutes(Int64.random(in: 0...100_000, using: &random))
      }
      guard let schedule = try? ComposedSchedule(members, conditions: conditions, zone: zone) else {
        return nil
      }
      (self.schedule, self.conditions) = (schedule, conditions)
    }
  }

  /// A stretch of 200 days from a day in 2010 or 2011 on.
  private static func stretch(using random: inout SeededGenerator) -> (first: WallInstant, last: WallInstant)
  {
    let first = second(1_256_000_000) + .hours(Int64.random(in: 0..<17_000, using: &random))
    return (first, first + .days(200))
  }

  @Test(arguments: Picks.zones) func `next, latest, count and entries are those of the list`(name: String)
    throws
  {
    var random = SeededGenerator(seed: Self.seed ^ UInt64(name.utf8.count))
    let zone = try ZoneFiles.zone(name)
    var compared = 0
    for _ in 0..<14 {
      let (first, last) = Self.stretch(using: &random)
      guard let one = try Case(in: zone, first, last, using: &random) else { continue }
      let (schedule, conditions) = (one.schedule, one.conditions)
      // A pick needs whole years, and the days from which an entry moves into them.
      let margin = ElapsedTime.days(conditions.pick == nil ? 70 : 440)
      let own = Picks.walk(one.all, after: first - margin, through: last + margin)
      let landings = own.map(one.reader.landing)
      let entries = Array(Set(landings.compactMap(\.self))).sorted()
      let picked = conditions.pick.map { Picks.chosen(entries, $0, in: zone) } ?? entries
      let expected = picked.filter {
        first < $0 && $0 <= last && conditions.starts ?? .min <= $0 && $0 <= conditions.ends ?? .max
      }
      let text = "\(schedule), seed \(Self.seed), \(name)"
      #expect(Picks.walk(schedule, after: first, through: last) == expected, "\(text)")
      #expect(Picks.walkBack(schedule, after: first, through: last) == expected, "\(text)")
      #expect(schedule.count(after: first, through: last) == expected.count, "\(text)")
      let listed = schedule.entries(from: first, mode: .normal).lazy.filter { $0 > first }
        .prefix { $0 <= last }
      #expect(Array(listed) == expected, "\(text)")
      for entry in expected where Int.random(in: 0..<40, using: &random) == 0 {
        let origins = zip(own, landings).filter { $0.0 != entry && $0.1 == entry }.map { $0.0 }
        #expect(schedule.origins(of: entry) == origins, "\(entry) of \(text)")
      }
      let excluded = zip(own, landings).filter { $0.0 != $0.1 && first < $0.0 && $0.0 <= last }
        .filter { conditions.starts ?? .min <= $0.0 && $0.0 <= conditions.ends ?? .max }
      let rows = ScheduleRule.composed(schedule).omissions(after: first, through: last)
        .filter { $0.outcome == .excluded }
      #expect(rows.reduce(0) { $0 + $1.count } == excluded.count, "\(text)")
      let known = Set(expected)
      let moved = excluded.filter { pair in pair.1.map(known.contains) ?? false }.count
      let named = rows.filter { $0.reason.contains("; moved to ") }.reduce(0) { $0 + $1.count }
      // An entry near an end of the stretch can move out of it.
      #expect(moved <= named && named <= moved + 24 * 62, "\(text)")
      compared += moved > 0 ? 1 : 0
    }
    #expect(compared >= 4)
  }

  @Test func `an entry is found from any instant between two entries`() throws {
    var random = SeededGenerator(seed: Self.seed)
    let zone = try ZoneFiles.zone("Europe/Berlin")
    for _ in 0..<12 {
      let (first, last) = Self.stretch(using: &random)
      guard let one = try Case(in: zone, first, last, using: &random) else { continue }
      let entries = Picks.walk(one.schedule, after: first, through: last)
      for _ in 0..<60 {
        let instant = first + .minutes(Int64.random(in: 0..<(200 * 1_440), using: &random))
        if let next = entries.first(where: { $0 > instant }) {
          #expect(one.schedule.next(after: instant) == next, "\(instant) of \(one.schedule)")
        }
        if let latest = entries.last(where: { $0 <= instant }) {
          #expect(one.schedule.latest(atOrBefore: instant) == latest, "\(instant) of \(one.schedule)")
        }
      }
    }
  }
}
