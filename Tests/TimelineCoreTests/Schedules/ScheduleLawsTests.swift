import Testing
import TimelineCore
import TimelineTestSupport

/// Laws of every schedule, checked for many kinds of schedules at many instants.
@Suite struct `Laws of schedules` {
  struct Subject: Sendable, CustomTestStringConvertible {
    let rule: ScheduleRule
    /// Instants around which something happens.
    let places: [WallInstant]
    var testDescription: String { rule.description }
  }

  static let subjects: [Subject] = {
    do {
      var subjects: [Subject] = []
      let starts = [
        WallInstant.min, .epoch, try WallInstant(rfc3339: "2026-03-29T00:59:59.999999999Z"), .max,
      ]
      for start in starts {
        for nanoseconds in [1, 7, 16_666_667, 1_000_000_000, 86_400_000_000_000, Int64.max - 1, .max] {
          let schedule = try PeriodicSchedule(from: start, by: .nanoseconds(nanoseconds))
          let last = schedule.latest(atOrBefore: .max) ?? .max
          subjects.append(Subject(rule: .periodic(schedule), places: [start, last]))
        }
      }
      for nanoseconds in [1, 8_333_333, 1_500_000_000, Int64.max] {
        subjects.append(
          Subject(
            rule: .animation(try AnimationSchedule(minimumInterval: .nanoseconds(nanoseconds))),
            places: [.epoch]))
      }
      subjects.append(Subject(rule: .animation(try AnimationSchedule(isPaused: true)), places: [.epoch]))
      for dates in [[], [.min], [.max], [.min, .epoch, .max], (0..<100).map { second($0 * $0 * $0) }]
        as [[WallInstant]]
      {
        subjects.append(Subject(rule: .explicit(try ExplicitSchedule(dates)), places: dates))
      }
      for name in [
        "UTC", "Europe/Berlin", "Africa/Monrovia", "Asia/Kolkata", "Europe/Dublin", "Pacific/Apia",
      ] {
        let zone = try ZoneFiles.zone(name)
        var places = [WallInstant.epoch]
        var transition = zone.nextTransition(after: .min)
        while let found = transition, places.count < 30 {
          places.append(found)
          transition = zone.nextTransition(after: found)
        }
        subjects.append(Subject(rule: .everyMinute(EveryMinuteSchedule(zone: zone)), places: places))
      }
      subjects += try cronSubjects() + calendarSubjects() + civilSubjects() + recurrenceSubjects()
      subjects += try composedSubjects()
      return subjects
    } catch {
      Issue.record(error)
      return []
    }
  }()

  /// Rules that obey a policy and rules that follow real time, in zones that change their clocks oddly.
  static func cronSubjects() throws -> [Subject] {
    let policies = [
      DaylightSavingPolicy(), DaylightSavingPolicy(gap: .shift, fold: .both),
      DaylightSavingPolicy(gap: .skip, fold: .second),
    ]
    return try ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia"].flatMap { name in
      let zone = try ZoneFiles.zone(name)
      let places = Array(
        sequence(first: WallInstant.epoch) { zone.nextTransition(after: $0) }.prefix(20))
      return try zip(["0,59 0-3 * * *", "*/20 30 1-2 * * *", "30 2 29 2 *"], policies).map { text, policy in
        let rule = try CronExpression(parsing: text)
        return Subject(
          rule: .cron(CronSchedule(expression: rule, zone: zone, daylightSaving: policy)), places: places)
      }
    }
  }

  /// The same for rules of the other language, down to the microsecond.
  static func calendarSubjects() throws -> [Subject] {
    try zip(
      ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "UTC"],
      [
        "00..03:00,59:00/7.5", "Sat,Sun *-*~01..08 01,02:30:01.000001,02", "*:00/20:59",
        "2011..2027/4-*-28..31 02:30",
      ]
    ).flatMap { name, text in
      let zone = name == "UTC" ? Zone.utc : try ZoneFiles.zone(name)
      let places = Array(
        sequence(first: WallInstant.epoch) { zone.nextTransition(after: $0) }.prefix(20))
      return try DaylightSavingPolicy.Gap.allCases.map { gap in
        let rule = try CalendarExpression(parsing: text)
        let fold = DaylightSavingPolicy.Fold.allCases[
          DaylightSavingPolicy.Gap.allCases.firstIndex(of: gap) ?? 0]
        return Subject(
          rule: .calendar(
            CalendarSchedule(
              expression: rule, zone: zone, daylightSaving: DaylightSavingPolicy(gap: gap, fold: fold))),
          places: places)
      }
    }
  }

  /// The same for rules that count days, weeks, months and years, with seconds of their own in some minutes.
  static func civilSubjects() throws -> [Subject] {
    let make = `Civil rules in zones`.recurrence
    let rules = [
      try make("3 days", "1970-01-01", "02:00:10 02:00:50 02:30:20 03:00:10", [], .monday, nil),
      try make("2 weeks", "1981-01-08", "01:45 02:10 02:30", [.sunday, .thursday], .sunday, nil),
      try make("1 months", "1970-01-31", "00:00 12:00", [], .monday, .skip),
      try make("97 years", "1904-02-29", "08:00 08:01", [], .monday, .last),
    ]
    return try zip(["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "UTC"], rules).flatMap {
      name, rule in
      let zone = try `Civil rules in zones`.zone(name)
      let places = Array(
        sequence(first: WallInstant.epoch) { zone.nextTransition(after: $0) }.prefix(20))
      return zip(DaylightSavingPolicy.Gap.allCases, DaylightSavingPolicy.Fold.allCases).map { gap, fold in
        let policy = DaylightSavingPolicy(gap: gap, fold: fold)
        return Subject(rule: .civil(.civil(rule, in: zone, daylightSaving: policy)), places: places)
      }
    }
  }

  /// The same for recurrence rules, with dates beside them and dates that are left out near clock changes.
  static func recurrenceSubjects() throws -> [Subject] {
    let make = RecurrenceRules.rule
    let rules = [
      try make(
        "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30", "1971-01-01T00:00:10",
        "1981-03-29T02:45:00 1990-01-01T05:00:00",
        "1981-03-29T02:30:10 1981-03-30T02:30:10"),
      try make("FREQ=MONTHLY;INTERVAL=3;BYDAY=SU;BYHOUR=1,2;BYSETPOS=1,-1,-2", "1980-01-06T02:15:00", "", ""),
      try make(
        "FREQ=YEARLY;BYWEEKNO=1,-1;BYDAY=MO,SU;BYHOUR=0,23;WKST=SU;COUNT=150", "1970-01-01T00:00:00", "", ""),
      try make(
        "FREQ=HOURLY;INTERVAL=7;BYMINUTE=15,45;BYSETPOS=-1;BYMONTH=3,4,10", "1972-02-29T02:00:00", "", ""),
    ]
    return try zip(["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "America/Santiago"], rules)
      .flatMap {
        name, rule in
        let zone = try `Civil rules in zones`.zone(name)
        let places = Array(
          sequence(first: WallInstant.epoch) { zone.nextTransition(after: $0) }.prefix(20))
        return zip(DaylightSavingPolicy.Gap.allCases, DaylightSavingPolicy.Fold.allCases).map { gap, fold in
          let policy = DaylightSavingPolicy(gap: gap, fold: fold)
          return Subject(
            rule: .recurrence(.recurrence(rule, in: zone, daylightSaving: policy)), places: places)
        }
      }
  }

  /// Unions and windows, most of them between two dates: a window that opens every day has many edges.
  static func composedSubjects() throws -> [Subject] {
    let make = `Unions, windows and exclusions`.schedule
    let (start, end) = (second(1_300_000_000), second(1_330_000_000))
    let schedules = [
      try make(["0 */7 * * *", "30 2 * * *"], ["22:00-06:00"], ["Sun"], "Pacific/Apia") {
        ($0.starts, $0.ends) = (start, end)
      },
      try make(["every 11h"], ["Sat,Sun", "2011-12-29..2012-01-02 02:00-03:00"], [], "Europe/Berlin") {
        ($0.starts, $0.limit) = (start, 300)
      },
      try make(["*-02-29 12:00", "*-*~1 00:30"], [], ["2012-01-31"], "Australia/Lord_Howe") { _ in },
      try make(["0 0 * * *"], ["2011-12-24..2012-01-06"], [], "Pacific/Apia") { _ in },
      try make(["*/20 * * * *"], ["22:00-06:00"], ["Wed"], "Pacific/Apia") {
        $0.pick = try EntryPick([3, -1, 1, -4], per: .day)
        ($0.starts, $0.ends) = (start, end)
      },
      try make(["0 18 * * *"], [], ["Sat,Sun"], "Europe/Berlin") {
        $0.pick = try EntryPick([-1, -23], per: .month)
      },
      try make(["every 11h", "*-*~1 00:30"], [], [], "Asia/Beirut") {
        $0.pick = try EntryPick([2, 5, -3], per: .week, weekStart: .sunday)
      },
      try make(["0 0 * * *"], [], [], "Australia/Lord_Howe") { $0.pick = try EntryPick([-9], per: .year) },
      try make(["30 0 * * *", "0 9 28 * *"], [], ["Sat,Sun", "2011-10-01..2011-10-30"], "Asia/Beirut") {
        $0.move = try EntryMove(.nearest, dayMax: 3)
      },
      try make(["every 11h"], ["Mon..Fri 02:00-18:00"], [], "Pacific/Apia") {
        $0.move = try EntryMove(.after, isWithinMonth: true)
        ($0.starts, $0.ends) = (start, end)
      },
      try make(["0 9 28 * *"], [], ["Sat,Sun"], "Europe/Berlin") {
        $0.move = try EntryMove(.before)
        $0.pick = try EntryPick([-1], per: .quarter)
      },
    ]
    return schedules.map { Subject(rule: .composed($0), places: [start, end, second(1_325_239_200)]) }
  }

  static let seed: UInt64 = 0x5EED_0006

  /// Both ends of the range, the subject's places with their neighbors, and random instants.
  static func instants(for subject: Subject) -> [WallInstant] {
    var generator = SeededGenerator(seed: seed)
    var instants = [WallInstant.min, .max, .min + .nanoseconds(1), .max - .nanoseconds(1)]
    for place in subject.places {
      for nanoseconds: Int64 in [0, 1, -1, 60_000_000_000, -60_000_000_000] {
        instants.append(place + .nanoseconds(nanoseconds))
      }
      instants.append(
        place + .nanoseconds(Int64.random(in: -200_000_000_000...200_000_000_000, using: &generator)))
    }
    for _ in 0..<200 { instants.append(WallInstant(nanosecondsSinceEpoch: generator.anyInt64())) }
    return instants
  }

  @Test func `the laws are checked for every kind of rule`() {
    #expect(Self.subjects.count == 100)
    #expect(Set(Self.subjects.map(\.rule.kindName)) == Set(ScheduleRule.KindName.allCases))
  }

  @Test(arguments: subjects) func `next is strictly later and latest finds it`(subject: Subject) {
    for instant in Self.instants(for: subject) {
      guard let next = subject.rule.next(after: instant) else { continue }
      #expect(next > instant, "after \(instant)")
      #expect(subject.rule.latest(atOrBefore: next) == next, "after \(instant)")
      if !subject.rule.isClosedLoop {
        #expect(
          subject.rule.latest(atOrBefore: next - .nanoseconds(1)) == subject.rule.latest(atOrBefore: instant),
          "nothing lies between \(instant) and \(next)")
      }
    }
  }

  @Test(arguments: subjects) func `latest is not later and next comes after it`(subject: Subject) {
    for instant in Self.instants(for: subject) {
      guard let latest = subject.rule.latest(atOrBefore: instant) else { continue }
      #expect(latest <= instant, "at \(instant)")
      #expect(subject.rule.latest(atOrBefore: latest) == latest, "at \(instant)")
      if !subject.rule.isClosedLoop {
        #expect(subject.rule.next(after: latest) == subject.rule.next(after: instant), "at \(instant)")
      }
    }
  }

  @Test(arguments: subjects) func `count agrees with enumeration`(subject: Subject) {
    var generator = SeededGenerator(seed: Self.seed)
    for start in Self.instants(for: subject) {
      var (end, expected) = (start, 0)
      let length = Int.random(in: 0...40, using: &generator)
      while expected < length, let next = subject.rule.next(after: end) {
        (end, expected) = (next, expected + 1)
      }
      #expect(subject.rule.count(after: start, through: end) == expected, "from \(start) to \(end)")
      #expect(subject.rule.count(after: end, through: start) == 0, "from \(end) back to \(start)")
      if expected > 0 {
        #expect(
          subject.rule.count(after: start, through: end - .nanoseconds(1)) == expected - 1, "from \(start)")
      }
    }
  }

  @Test(arguments: subjects) func `counts add up over any cut`(subject: Subject) {
    guard !subject.rule.isClosedLoop else { return }  // An animation has no fixed phase.
    let cuts = Self.instants(for: subject).sorted()
    guard let first = cuts.first, let last = cuts.last else { return }
    let whole = subject.rule.count(after: first, through: last)
    let parts = zip(cuts, cuts.dropFirst()).map { subject.rule.count(after: $0, through: $1) }
    if whole < .max { #expect(parts.reduce(0, +) == whole) }
    #expect(parts.allSatisfy { $0 >= 0 })
  }

  @Test(arguments: subjects) func `entries ascend and are those of next`(subject: Subject) {
    for start in Self.instants(for: subject) {
      let entries = Array(subject.rule.entries(from: start, mode: .normal).prefix(20))
      for (earlier, later) in zip(entries, entries.dropFirst()) {
        #expect(later == subject.rule.next(after: earlier), "from \(start)")
      }
      if case .explicit = subject.rule { continue }
      #expect(
        entries.first == subject.rule.latest(atOrBefore: start) ?? subject.rule.next(after: start),
        "from \(start)")
    }
  }

  @Test func `there are no entries beyond the ends of the range`() throws {
    let daily = try PeriodicSchedule(from: .epoch, by: .days(1))
    #expect(daily.next(after: .min) == .epoch)
    #expect(daily.latest(atOrBefore: .min) == nil)
    #expect(daily.next(after: .max) == nil)
    #expect(daily.latest(atOrBefore: .max)?.description == "2262-04-11T00:00:00Z")
    #expect(Array(daily.entries(from: .max, mode: .normal)).count == 1)
    let finest = try PeriodicSchedule(from: .min, by: .nanoseconds(1))
    #expect(finest.next(after: .max - .nanoseconds(1)) == .max)
    #expect(finest.next(after: .max) == nil)
    #expect(finest.count(after: .min, through: .max) == .max)
    let minutes = EveryMinuteSchedule(zone: .utc)
    #expect(minutes.latest(atOrBefore: .min) == nil)
    #expect(minutes.next(after: .min)?.description == "1677-09-21T00:13:00Z")
    #expect(minutes.next(after: .max) == nil)
    #expect(minutes.count(after: .min, through: .max) == 307_445_735)
    #expect(try AnimationSchedule().next(after: .max) == nil)
  }

  @Test(arguments: [
    "Africa/Monrovia", "Europe/Dublin", "Asia/Kolkata", "America/New_York", "Pacific/Apia", "UTC",
  ])
  func `every minute begins when the local clock shows no seconds`(name: String) throws {
    let zone = try ZoneFiles.zone(name)
    let schedule = EveryMinuteSchedule(zone: zone)
    var changes = [second(0)]
    var transition = zone.nextTransition(after: .min)
    while let found = transition, changes.count < 60 {
      changes.append(found)
      transition = zone.nextTransition(after: found)
    }
    for change in changes {
      let start = change - .seconds(400)
      let expected = (1...800).map { start + .seconds($0) }.filter { zone.civil(at: $0).time.second == 0 }
      var found: [WallInstant] = []
      var instant = start
      while let next = schedule.next(after: instant), next <= start + .seconds(800) {
        found.append(next)
        instant = next
      }
      #expect(found == expected, "\(name) around \(change)")
    }
  }

  @Test func `rules report whether they wait for the run and whether they are fast`() throws {
    let rows: [(rule: ScheduleRule, isClosedLoop: Bool, isFast: Bool)] = try [
      (.periodic(PeriodicSchedule(from: .epoch, by: .nanoseconds(999_999_999))), false, true),
      (.periodic(PeriodicSchedule(from: .epoch, by: .seconds(1))), false, false),
      (.animation(AnimationSchedule()), true, true),
      (.animation(AnimationSchedule(minimumInterval: .seconds(2))), true, false),
      (.animation(AnimationSchedule(isPaused: true)), true, false),
      (.explicit(ExplicitSchedule([second(1), second(2)])), false, false),
      (.explicit(ExplicitSchedule([second(1), second(2), second(2) + .milliseconds(1)])), false, false),
      (.explicit(ExplicitSchedule([])), false, false),
      (.everyMinute(EveryMinuteSchedule(zone: .utc)), false, false),
    ]
    for row in rows {
      #expect(row.rule.isClosedLoop == row.isClosedLoop, "\(row.rule)")
      #expect(row.rule.hasMoreThanOneEntryPerSecond == row.isFast, "\(row.rule)")
    }
  }

  @Test func `a hundred thousand ticks of a thirtieth of a second lose no phase`() throws {
    let schedule = try PeriodicSchedule(from: .epoch, by: .nanoseconds(33_333_333))
    var instant = WallInstant.epoch
    for _ in 0..<100_000 { instant = try #require(schedule.next(after: instant)) }
    #expect(instant.nanosecondsSinceEpoch == 33_333_333 * 100_000)
  }
}
