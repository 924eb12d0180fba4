import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Unions, windows and exclusions` {
  /// A rule in either language, or `every 20s`.
  static func rule(_ text: String, in zone: Zone) throws -> ScheduleRule {
    if text.hasPrefix("every ") {
      return .periodic(
        try PeriodicSchedule(from: .epoch, by: ElapsedTime(parsing: String(text.dropFirst(6)))))
    }
    if let cron = try? CronExpression(parsing: text) {
      return .cron(CronSchedule(expression: cron, zone: zone))
    }
    return .calendar(CalendarSchedule(expression: try CalendarExpression(parsing: text), zone: zone))
  }

  static func conditions(_ only: [String] = [], except: [String] = []) throws -> ComposedSchedule.Conditions {
    var conditions = ComposedSchedule.Conditions()
    conditions.only = try only.map { try CivilWindow(parsing: $0) }
    conditions.except = try except.map { try CivilWindow(parsing: $0) }
    return conditions
  }

  static func schedule(
    _ rules: [String], only: [String] = [], except: [String] = [], zone name: String = "Europe/Berlin",
    change: (inout ComposedSchedule.Conditions) throws -> Void = { _ in }
  ) throws -> ComposedSchedule {
    let zone = try ZoneFiles.zone(name)
    var conditions = try conditions(only, except: except)
    try change(&conditions)
    return try ComposedSchedule(rules.map { try rule($0, in: zone) }, conditions: conditions, zone: zone)
  }

  static let rows: [(rules: [String], only: [String], except: [String], from: String, expected: [String])] = [
    (["0 * * * *", "0,30 * * * *"], [], [], "2026-06-01T00:00:00Z", ["00:30", "01:00", "01:30", "02:00"]),
    (["15 10 * * *", "daily UTC"], [], [], "2026-06-01T00:00:00Z", ["08:15", "22:00", "08:15", "22:00"]),
    // Friday 17:00 in Berlin is 15:00 in UTC; then comes Monday.
    (["0 * * * *"], ["Mon..Fri 08:00-18:00"], [], "2026-06-05T14:00:00Z", ["15:00", "06:00", "07:00"]),
    (["0 */4 * * *"], ["22:00-06:00"], [], "2026-06-01T12:00:00Z", ["22:00", "02:00", "22:00"]),
    (["0 */4 * * *"], ["Sat 22:00-06:00"], [], "2026-06-01T12:00:00Z", ["22:00", "02:00", "22:00"]),
    (["0 12 * * *"], [], ["Sat,Sun"], "2026-06-05T12:00:00Z", ["10:00", "10:00"]),
    (["0 12 * * *"], [], ["2026-12-24..2026-12-31"], "2026-12-23T00:00:00Z", ["11:00", "11:00"]),
    (["0 0 * * *"], ["2026-12-24..2026-12-25"], [], "2026-01-01T00:00:00Z", ["23:00", "23:00"]),
    (
      ["every 20s"], ["10:00-10:01"], ["Mon"], "2026-06-01T00:00:00Z",
      ["08:00", "08:00:20", "08:00:40", "08:00"]
    ),
    // The hours are those of the clock: on the short day the window of the gap does not open.
    (["*/30 * * * *"], ["02:00-03:00"], [], "2026-03-28T00:00:00Z", ["01:00", "01:30", "00:00", "00:30"]),
    (["*/30 * * * *"], ["02:00-03:00"], [], "2026-10-25T00:00:00Z", ["00:30", "01:00", "01:30", "01:00"]),
  ]

  @Test(arguments: rows) func `entries are those of any rule that lie in open windows`(
    row: (rules: [String], only: [String], except: [String], from: String, expected: [String])
  ) throws {
    let schedule = try Self.schedule(row.rules, only: row.only, except: row.except)
    var instant = try WallInstant(rfc3339: row.from)
    var found: [String] = []
    while found.count < row.expected.count, let next = schedule.next(after: instant) {
      found.append("\("\(next)".dropFirst(11).dropLast())")
      instant = next
    }
    #expect(found.map { $0.hasSuffix(":00") && $0.count == 8 ? String($0.dropLast(3)) : $0 } == row.expected)
  }

  /// Windows of a minute each; while dates exclude the day none of them has an effect.
  static let minutes = (0..<64).map { number in
    let (hour, minute) = (number / 4, number % 4 * 15 + 1)
    func text(_ minute: Int) -> String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
    return "\(text(minute))-\(text(minute + 1))"
  }

  static let farRows: [(only: [String], except: [String], after: String, next: String?, latest: String?)] = [
    (
      ["2026-12-24..2026-12-31"], ["03:00-05:00", "11:45-13:15", "18:00-20:00"], "2000-01-01T00:00:00Z",
      "2026-12-23T23:00:00Z", nil
    ),
    (
      ["2000-01-01", "2027-12-31"], minutes, "2000-06-01T00:00:00Z", "2027-12-30T23:00:00Z",
      "2000-01-01T22:00:00Z"
    ),
    (
      ["2000-01-01", "2027-12-31"], minutes, "2027-12-01T00:00:00Z", "2027-12-30T23:00:00Z",
      "2000-01-01T22:00:00Z"
    ),
    (["00:00-24:00"], ["1677-01-01..2299-12-31"], "2026-06-01T00:00:00Z", nil, nil),
    (
      ["00:00-24:00"], ["1677-01-01..2199-12-31"] + minutes.dropLast(), "2026-06-01T00:00:00Z",
      "2199-12-31T23:00:00Z", nil
    ),
    (
      ["2200-03-01..2200-03-02 04:00-05:00"], minutes.dropLast(), "1900-01-01T00:00:00Z",
      "2200-03-01T03:00:00Z", nil
    ),
    (["1903-07-01"], minutes.dropLast(), "2200-01-01T00:00:00Z", nil, "1903-07-01T22:00:00Z"),
  ]

  @Test(arguments: farRows) func `a stretch that dates exclude is skipped in one step, with any windows`(
    row: (only: [String], except: [String], after: String, next: String?, latest: String?)
  ) throws {
    guard row.next != nil || row.latest != nil else {
      #expect(throws: ScheduleError.self) {
        try Self.schedule(["0 * * * *"], only: row.only, except: row.except)
      }
      return
    }
    let schedule = try Self.schedule(["0 * * * *"], only: row.only, except: row.except)
    let place = try WallInstant(rfc3339: row.after)
    #expect(schedule.next(after: place)?.description == row.next)
    #expect(schedule.latest(atOrBefore: place)?.description == row.latest)
  }

  @Test func `start, end and limit cut the entries`() throws {
    let start = try WallInstant(rfc3339: "2026-06-05T10:00:00Z")
    let schedule = try Self.schedule(["0 12 * * *"], except: ["Sat,Sun"]) { conditions in
      conditions.starts = start
      conditions.limit = 3
    }
    // Friday, Monday, Tuesday: excluded entries do not count.
    #expect(schedule.next(after: .min) == start)
    #expect(schedule.latest(atOrBefore: .max) == start + .days(4))
    #expect(schedule.count(after: .min, through: .max) == 3)
    #expect(schedule.next(after: start + .days(4)) == nil)
    #expect(schedule.latest(atOrBefore: start - .nanoseconds(1)) == nil)
    let ended = try Self.schedule(["0 12 * * *"]) { $0.ends = start }
    #expect(ended.latest(atOrBefore: .max) == start)
    #expect(ended.next(after: start) == nil)
  }

  static let seed: UInt64 = 0xC0_3905

  /// Against a reader that looks at every minute and evaluates rules and windows separately.
  @Test func `every minute is an entry, an omission or neither`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let windows = [
      "Mon..Fri 08:00-18:00", "22:00-06:00", "Sat,Sun", "Fri 23:30-02:45", "2026-10-24",
      "2026-10-25 00:00-12:00",
      "02:00-03:00", "Tue,Thu", "2026-10-20..2026-10-22", "12:00-24:00",
    ]
    for name in ["Europe/Berlin", "Australia/Lord_Howe"] {
      let zone = try ZoneFiles.zone(name)
      for _ in 0..<12 {
        let only = windows.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        let except = windows.filter { _ in Int.random(in: 0..<5, using: &generator) == 0 }
        let rules = ["*/20 * * * *", "every 35m", "7,37 1-3 * * *"].filter { _ in
          Bool.random(using: &generator)
        }
        guard !rules.isEmpty,
          let schedule = try? Self.schedule(rules, only: only, except: except, zone: name)
        else { continue }
        let members = try rules.map { try Self.rule($0, in: zone) }
        let conditions = try Self.conditions(only, except: except)
        let (start, end) = (second(1_760_824_800), second(1_761_688_800))
        var (entries, excluded): ([WallInstant], [WallInstant]) = ([], [])
        var minute = start
        while minute < end {
          minute = minute + .minutes(1)
          guard members.contains(where: { $0.latest(atOrBefore: minute) == minute }) else { continue }
          let civil = zone.civil(at: minute)
          let isOpen =
            (only.isEmpty || conditions.only.contains { Self.holds($0, civil) })
            && !conditions.except.contains { Self.holds($0, civil) }
          if isOpen { entries.append(minute) } else { excluded.append(minute) }
        }
        let text = "\(schedule), seed \(Self.seed)"
        var found: [WallInstant] = []
        var instant = start
        while let next = schedule.next(after: instant), next <= end {
          found.append(next)
          instant = next
        }
        #expect(found == entries, "\(text)")
        #expect(schedule.count(after: start, through: end) == entries.count, "\(text)")
        var back: [WallInstant] = []
        instant = end
        while let latest = schedule.latest(atOrBefore: instant), latest > start {
          back.append(latest)
          instant = latest - .nanoseconds(1)
        }
        #expect(back.reversed() == entries, "\(text)")
        let omissions = ScheduleRule.composed(schedule).omissions(after: start, through: end)
          .filter { $0.outcome == .excluded }
        #expect(omissions.reduce(0) { $0 + $1.count } == excluded.count, "\(text)")
        for row in omissions {
          #expect(excluded.contains(row.first) && excluded.contains(row.last), "\(text)")
          #expect(schedule.count(after: row.first, through: row.last) == 0, "\(text)")
        }
      }
    }
  }

  /// The text of a window, evaluated in the simplest way.
  static func holds(_ window: CivilWindow, _ civil: CivilDateTime) -> Bool {
    let words = "\(window)".split(separator: " ").map(String.init)
    let hours = words.last.flatMap { $0.contains(":") ? $0.split(separator: "-").map(String.init) : nil }
    let time = "\("\(civil.time)".prefix(5))"
    let isLate = hours.map { $0[0] <= time && ($0[1] <= $0[0] || time < $0[1]) } ?? true
    let isEarly = hours.map { $0[1] <= $0[0] && time < $0[1] } ?? false
    let before = CivilDate(daysSinceEpoch: civil.date.daysSinceEpoch - 1)
    func holds(_ date: CivilDate) -> Bool {
      guard let days = words.first, !days.contains(":") else { return true }
      if days.first?.isNumber == true {
        let ends = days.replacing("..", with: " ").split(separator: " ")
        return ends[0] <= "\(date)" && "\(date)" <= ends[ends.count - 1]
      }
      let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
      let day = date.weekday.rawValue - 1
      return days.split(separator: ",").contains { part in
        let ends = part.replacing("..", with: " ").split(separator: " ").map {
          names.firstIndex(of: String($0)) ?? 9
        }
        return ends[0] <= day && day <= ends[ends.count - 1]
      }
    }
    return isLate && holds(civil.date) || isEarly && before.map(holds) ?? false
  }

  @Test func `an entry that windows exclude is reported with the window`() throws {
    let holidays = HolidayList(
      name: "germany", dates: [try #require(CivilDate(year: 2026, month: 12, day: 25))])
    let schedule = try Self.schedule(["0 */6 * * *"], only: ["Mon..Fri"], except: ["2026-12-28"]) {
      $0.except.append(CivilWindow(holidays: holidays))
    }
    let rule = ScheduleRule.composed(schedule)
    let start = try WallInstant(rfc3339: "2026-12-24T00:00:00Z")
    #expect(
      rule.omissions(after: start, through: start + .days(6)).map(`What changes of the clocks leave out`.text)
        == [
          "2026-12-24T23:00:00Z to 2026-12-25T17:00:00Z 4 excluded 2026-12-25 is one of the holidays germany",
          "2026-12-25T23:00:00Z to 2026-12-27T17:00:00Z 8 excluded outside \"Mon..Fri\"",
          "2026-12-27T23:00:00Z to 2026-12-28T17:00:00Z 4 excluded within \"2026-12-28\"",
        ])
    #expect(rule.mayOmit && !rule.isClosedLoop && !rule.hasMoreThanOneEntryPerSecond)
    #expect(rule.undescribedParts == ["rule", "list", "20812"])
    #expect(
      rule.description
        == "cron 0 */6 * * * in Europe/Berlin, only Mon..Fri, except 2026-12-28 and holidays germany, on clocks in Europe/Berlin"
    )
  }

  @Test func `a rule's own omissions are reported only where windows are open`() throws {
    let year = try WallInstant(rfc3339: "2026-01-01T00:00:00Z")
    let daily = ScheduleRule.composed(try Self.schedule(["30 2 * * *"], only: ["Sat,Sun"]))
    let folds = daily.omissions(after: year, through: year + .days(365)).filter {
      $0.outcome != .excluded
    }
    #expect(folds.map(\.outcome) == [.daylightSavingFold])
    let other = ScheduleRule.composed(try Self.schedule(["30 2 * * *", "every 30m"]))
    #expect(other.omissions(after: year, through: year + .days(365)).isEmpty)
  }

  static let refusals:
    [(rules: [String], only: [String], starts: String?, ends: String?, limit: Int?, word: String)] = [
      ([], [], nil, nil, nil, "a union of no rules"),
      (["30 2 * * *"], ["08:00-18:00"], nil, nil, nil, "no entry was found"),
      (["0 0 1 1 *"], ["2026-02-01..2026-11-30"], nil, nil, nil, "no entry was found"),
      (["30 2 * * *"], [], "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", nil, "before it starts"),
      (["30 2 * * *"], [], nil, nil, 5, "a limit counts from the start"),
      (["30 2 * * *"], [], "2026-01-02T00:00:00Z", nil, 0, "not from 1 to 100000"),
      (["2026-01-01 10:00"], [], "2026-01-02T00:00:00Z", nil, nil, "no entry was found"),
    ]

  @Test(arguments: refusals) func `a composition without entries or meaning is refused`(
    row: (rules: [String], only: [String], starts: String?, ends: String?, limit: Int?, word: String)
  ) throws {
    let error = try #require(throws: ScheduleError.self) {
      _ = try Self.schedule(row.rules, only: row.only) { conditions in
        conditions.starts = try row.starts.map { try WallInstant(rfc3339: $0) }
        conditions.ends = try row.ends.map { try WallInstant(rfc3339: $0) }
        conditions.limit = row.limit
      }
    }
    #expect(error.description.contains(row.word), "\(error)")
  }

  @Test func `a rule that waits for its run and too many parts are refused`() throws {
    #expect(throws: ScheduleError.self) {
      try ComposedSchedule([.animation(AnimationSchedule())], zone: .utc)
    }
    let minute = ScheduleRule.everyMinute(EveryMinuteSchedule(zone: .utc))
    #expect(throws: ScheduleError.tooMany(what: "rules", count: 65, limit: 64)) {
      try ComposedSchedule(Array(repeating: minute, count: 65), zone: .utc)
    }
    #expect(throws: ScheduleError.tooMany(what: "windows", count: 65, limit: 64)) {
      var conditions = ComposedSchedule.Conditions()
      conditions.only = Array(repeating: try CivilWindow(parsing: "Mon"), count: 65)
      _ = try ComposedSchedule([minute], conditions: conditions, zone: .utc)
    }
  }

  @Test func `a count beyond Int.max is clamped, and dense entries are not visited`() throws {
    let finest = ScheduleRule.periodic(try PeriodicSchedule(from: .min, by: .nanoseconds(1)))
    let schedule = try ComposedSchedule(
      [finest], conditions: try Self.conditions(except: ["2026-01-01"]), zone: .utc)
    #expect(schedule.count(after: .min, through: .max) == .max)
    let year = try WallInstant(rfc3339: "2026-06-01T00:00:00Z")
    let dense = try Self.schedule(["every 1us", "0 12 * * *", "1,2 12 * * *"], except: ["Sat,Sun"])
    // 1 June is a Monday; the other rules fall on whole microseconds.
    #expect(dense.count(after: year, through: year + .days(4)) == 4 * 86_400_000_000)
    let rows = ScheduleRule.composed(dense).omissions(after: year, through: year + .days(7))
    #expect(rows.map(\.count) == [2 * 86_400_000_000])
  }

  @Test func `every minute follows real time`() throws {
    let rule = EveryMinuteSchedule(zone: try ZoneFiles.zone("Europe/Berlin"))
    let (short, long) = (
      try WallInstant(rfc3339: "2026-03-28T23:00:00Z"), try WallInstant(rfc3339: "2026-10-24T22:00:00Z")
    )
    #expect(rule.count(after: short, through: short + .hours(23)) == 1_380)
    #expect(rule.count(after: long, through: long + .hours(25)) == 1_500)
  }
}
