import Testing
import TimelineCore

/// Identity of a rule in a ledger: the words of its description, and the parts that these leave out.
@Suite struct `Identity of rules` {
  private struct Identity: Hashable {
    let words: String
    let parts: [String]

    init(_ rule: ScheduleRule) {
      words = rule.description
      parts = rule.undescribedParts
    }
  }

  private static func t(_ second: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: second) }

  private static func explicit(_ seconds: Int64...) throws -> ScheduleRule {
    .explicit(try ExplicitSchedule(seconds.map(t)))
  }

  private static func cron(
    _ text: String, _ zone: Zone = .utc, _ policy: DaylightSavingPolicy = DaylightSavingPolicy()
  ) throws -> ScheduleRule {
    .cron(CronSchedule(expression: try CronExpression(parsing: text), zone: zone, daylightSaving: policy))
  }

  private static func calendar(
    _ text: String, _ zone: Zone = .utc, _ policy: DaylightSavingPolicy = DaylightSavingPolicy()
  ) throws -> ScheduleRule {
    .calendar(
      CalendarSchedule(expression: try CalendarExpression(parsing: text), zone: zone, daylightSaving: policy))
  }

  private static func holidays(_ name: String, _ days: Int...) throws -> CivilWindow {
    CivilWindow(
      holidays: HolidayList(
        name: name, dates: try days.map { try #require(CivilDate(year: 2027, month: 1, day: $0)) }))
  }

  private static func composed(
    _ members: [ScheduleRule], zone: Zone = .utc,
    _ adjust: (inout ComposedSchedule.Conditions) throws -> Void = { _ in }
  ) throws -> ScheduleRule {
    var conditions = ComposedSchedule.Conditions()
    try adjust(&conditions)
    return .composed(try ComposedSchedule(members, conditions: conditions, zone: zone))
  }

  private static func moved(_ members: [ScheduleRule], _ move: EntryMove) throws -> ScheduleRule {
    try composed(members) {
      $0.except = [try CivilWindow(parsing: "Sun")]
      $0.move = move
    }
  }

  /// Rules of every kind but composed ones, no two with the same entries.
  private static func simpleRules(_ berlin: Zone) throws -> [ScheduleRule] {
    [
      .periodic(try PeriodicSchedule(from: .epoch, by: .seconds(30))),
      .periodic(try PeriodicSchedule(from: .epoch, by: .nanoseconds(30_000_000_001))),
      .periodic(try PeriodicSchedule(from: .epoch + .nanoseconds(1), by: .seconds(30))),
      .animation(try AnimationSchedule()), .animation(try AnimationSchedule(minimumInterval: .seconds(1))),
      .animation(try AnimationSchedule(isPaused: true)),
      .everyMinute(EveryMinuteSchedule(zone: .utc)), .everyMinute(EveryMinuteSchedule(zone: berlin)),
      try Self.explicit(), try Self.explicit(1), try Self.explicit(1, 2), try Self.explicit(1, 3),
      try Self.cron("30 2 * * *"), try Self.cron("30 2 * * *", berlin), try Self.cron("30 0 2 * * *", berlin),
      try Self.cron("30 2 * * *", berlin, DaylightSavingPolicy(gap: .skip)),
      try Self.cron("30 2 * * *", berlin, DaylightSavingPolicy(gap: .shift)),
      try Self.cron("30 2 * * *", berlin, DaylightSavingPolicy(fold: .both)),
      try Self.cron("30 2 * * *", berlin, DaylightSavingPolicy(gap: .skip, fold: .both)),
      try Self.cron("30 2 */2 * 1", berlin), try Self.cron("30 2 1-31/2 * 1", berlin),
      try Self.cron("30 2 L * *"), try Self.cron("30 2 LW * *"), try Self.cron("30 2 * * 5L"),
      try Self.cron("30 2 * * 5#2"), try Self.cron("30 2 15W * *"),
      try Self.calendar("*-*-* 02:30"), try Self.calendar("*-*-* 02:30", berlin),
      try Self.calendar("*-*-* 02:30", berlin, DaylightSavingPolicy(gap: .skip)),
      try Self.calendar("*-*-* 02:30:00.5", berlin), try Self.calendar("*-*~01 02:30"),
      try Self.calendar("*-*-01 02:30"),
    ]
  }

  private static let recurrence = `Civil rules in zones`.recurrence

  /// Civil rules, no two with the same entries.
  private static func civilRules(_ berlin: Zone) throws -> [ScheduleRule] {
    let rules = [
      try recurrence("2 days", "2026-01-31", "02:30", [], .monday, nil),
      try recurrence("3 days", "2026-01-31", "02:30", [], .monday, nil),
      try recurrence("2 days", "2026-02-01", "02:30", [], .monday, nil),
      try recurrence("2 days", "2026-01-31", "02:30:01", [], .monday, nil),
      try recurrence("2 days", "2026-01-31", "02:30 02:31", [], .monday, nil),
      try recurrence("2 weeks", "2026-01-31", "02:30", [], .monday, nil),
      try recurrence("2 weeks", "2026-01-31", "02:30", [], .sunday, nil),
      try recurrence("2 weeks", "2026-01-31", "02:30", [.saturday, .sunday], .monday, nil),
      try recurrence("2 months", "2026-01-31", "02:30", [], .monday, .skip),
      try recurrence("2 months", "2026-01-31", "02:30", [], .monday, .last),
      try recurrence("2 years", "2026-01-31", "02:30", [], .monday, nil),
    ]
    return rules.map { .civil(.civil($0, in: berlin)) } + [
      .civil(.civil(rules[0], in: .utc)),
      .civil(.civil(rules[0], in: berlin, daylightSaving: DaylightSavingPolicy(gap: .skip))),
    ]
  }

  /// Recurrence rules, no two with the same entries.
  private static func recurrenceRules(_ berlin: Zone) throws -> [ScheduleRule] {
    let from = "2026-01-31T02:30:00"
    let make = RecurrenceRules.rule
    let rules = [
      try make("FREQ=DAILY", from, "", ""), try make("FREQ=DAILY", "2026-02-01T02:30:00", "", ""),
      try make("FREQ=DAILY;COUNT=9", from, "", ""), try make("FREQ=DAILY;UNTIL=20260301", from, "", ""),
      try make("FREQ=DAILY;UNTIL=20260301T023000Z", from, "", ""),
      try make("FREQ=DAILY", from, "2026-01-31T03:30:00", ""),
      try make("FREQ=DAILY", from, "", "2026-02-01T02:30:00"), try make("FREQ=HOURLY", from, "", ""),
      try make("FREQ=MONTHLY;BYDAY=-1SA", from, "", ""),
      try make("FREQ=MONTHLY;BYDAY=SA;BYSETPOS=-2", from, "", ""),
    ]
    return rules.map { .recurrence(.recurrence($0, in: berlin)) } + [
      .recurrence(.recurrence(rules[0], in: .utc)),
      .recurrence(.recurrence(rules[0], in: berlin, daylightSaving: DaylightSavingPolicy(gap: .skip))),
    ]
  }

  /// Composed rules, no two with the same entries.
  private static func composedRules(_ berlin: Zone) throws -> [ScheduleRule] {
    let hourly = try cron("0 * * * *")
    return [
      try Self.composed([Self.explicit(1, 2), Self.explicit(3, 4)]),
      try Self.composed([Self.explicit(1, 2), Self.explicit(3, 5)]),
      try Self.composed([Self.cron("30 2 * * *", berlin, DaylightSavingPolicy(gap: .skip)), hourly]),
      try Self.composed([Self.cron("30 2 * * *", berlin, DaylightSavingPolicy(gap: .shift)), hourly]),
      try Self.composed([
        Self.cron("30 2 * * *", berlin, DaylightSavingPolicy(gap: .shift)),
        Self.cron("30 3 * * *", berlin),
      ]),
      try Self.composed([
        Self.cron("30 2 * * *", berlin),
        Self.cron("30 3 * * *", berlin, DaylightSavingPolicy(gap: .shift)),
      ]),
      try Self.composed([hourly]) { $0.only = [try CivilWindow(parsing: "08:00-18:00")] },
      try Self.composed([hourly], zone: berlin) { $0.only = [try CivilWindow(parsing: "08:00-18:00")] },
      try Self.composed([hourly]) { $0.except = [try CivilWindow(parsing: "08:00-18:00")] },
      try Self.composed([hourly]) { $0.starts = Self.t(1) },
      try Self.composed([hourly]) { $0.starts = Self.t(4_000) },
      try Self.composed([hourly]) { $0.ends = Self.t(4_000) },
      try Self.composed([hourly]) { ($0.starts, $0.limit) = (Self.t(1), 2) },
      try Self.composed([hourly]) { ($0.starts, $0.limit) = (Self.t(1), 3) },
      try Self.composed([hourly]) { $0.except = [try CivilWindow(parsing: "Sun")] },
      try Self.moved([hourly], EntryMove(.after)), try Self.moved([hourly], EntryMove(.before)),
      try Self.moved([hourly], EntryMove(.nearest)), try Self.moved([hourly], EntryMove(.after, dayMax: 8)),
      try Self.moved([hourly], EntryMove(.after, isWithinMonth: true)),
      try Self.composed([hourly]) { $0.pick = try EntryPick([1], per: .month) },
      try Self.composed([hourly]) { $0.pick = try EntryPick([-1], per: .month) },
      try Self.composed([hourly]) { $0.pick = try EntryPick([1, -1], per: .month) },
      try Self.composed([hourly]) { $0.pick = try EntryPick([1], per: .quarter) },
      try Self.composed([hourly]) { $0.pick = try EntryPick([1], per: .week) },
      try Self.composed([hourly]) { $0.pick = try EntryPick([1], per: .week, weekStart: .sunday) },
      try Self.composed([hourly], zone: berlin) { $0.pick = try EntryPick([1], per: .week) },
      try Self.composed([hourly]) { $0.except = [try Self.holidays("a", 1, 2)] },
      try Self.composed([hourly]) { $0.except = [try Self.holidays("a", 1, 3)] },
      try Self.composed([hourly]) { $0.only = [try Self.holidays("a", 1, 2)] },
      // The same days in total, in other parts.
      try Self.composed([hourly]) {
        $0.except = [try Self.holidays("a", 1, 2)]
        $0.only = [try Self.holidays("b", 3)]
      },
      try Self.composed([hourly]) {
        $0.except = [try Self.holidays("a", 2)]
        $0.only = [try Self.holidays("b", 3, 1)]
      },
    ]
  }

  @Test func `no two of many rules with different entries agree in words and parts`() throws {
    let berlin = try ZoneFiles.zone("Europe/Berlin")
    let rules =
      try Self.simpleRules(berlin) + Self.civilRules(berlin) + Self.recurrenceRules(berlin)
      + Self.composedRules(berlin)
    #expect(Set(rules.map(\.kindName)) == Set(ScheduleRule.KindName.allCases))
    for (index, rule) in rules.enumerated() {
      for other in rules[..<index] {
        #expect(Identity(rule) != Identity(other), "\(rule) and \(other)")
      }
      #expect(Identity(rule) == Identity(rule))
    }
  }

  @Test func `another spelling with the same meaning is the same rule`() throws {
    let pairs: [(ScheduleRule, ScheduleRule)] = [
      (try Self.cron("@daily"), try Self.cron("0 0 * * *")),
      (try Self.cron("0 8 * * mon-fri"), try Self.cron("0 8 * * 1-5")),
      (try Self.calendar("daily"), try Self.calendar("*-*-* 00:00:00")),
      // The order of positions, and the first day of a week beside a month, have no effect.
      (
        try Self.composed([Self.cron("@daily")]) { $0.pick = try EntryPick([-1, 2, -2, 1], per: .month) },
        try Self.composed([Self.cron("@daily")]) {
          $0.pick = try EntryPick([1, 2, -2, -1], per: .month, weekStart: .sunday)
        }
      ),
      // 2026-01-05 is a Monday, and the first day of a week counts only with two weeks or more.
      (
        .civil(.civil(try Self.recurrence("1 weeks", "2026-01-05", "09:00", [], .sunday, .last), in: .utc)),
        .civil(
          .civil(try Self.recurrence("1 weeks", "2026-01-05", "09:00", [.monday], .monday, nil), in: .utc))
      ),
      (
        .recurrence(
          .recurrence(
            try RecurrenceRules.rule(
              "freq=weekly;byday=tu,mo;interval=1;wkst=mo", from: "2026-01-05T09:00:00"),
            in: .utc)),
        .recurrence(
          .recurrence(
            try RecurrenceRules.rule("BYDAY=MO,TU,MO;FREQ=WEEKLY", from: "2026-01-05T09:00:00"), in: .utc))
      ),
    ]
    for (one, other) in pairs { #expect(Identity(one) == Identity(other)) }
  }
}
