import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `What changes of the clocks leave out` {
  struct Row: Sendable, CustomTestStringConvertible {
    let zone: String, rule: String
    let gap: DaylightSavingPolicy.Gap, fold: DaylightSavingPolicy.Fold
    let year: Int
    /// First and last in UTC, the number, the outcome and the reason.
    let expected: [String]
    var testDescription: String { "\(rule) in \(zone), \(gap.rawValue), \(fold.rawValue), \(year)" }

    init(
      _ zone: String, _ rule: String, _ gap: DaylightSavingPolicy.Gap, _ fold: DaylightSavingPolicy.Fold,
      _ year: Int, _ expected: [String]
    ) {
      (self.zone, self.rule, self.gap, self.fold, self.year, self.expected) = (
        zone, rule, gap, fold, year, expected
      )
    }
  }

  static let rows = [
    Row(
      "Europe/Berlin", "30 2 * * *", .skip, .both, 2027,
      ["2027-03-28T01:00:00Z 1 dst-gap 02:30 does not exist on 2027-03-28 in Europe/Berlin"]),
    Row(
      "Europe/Berlin", "0,15,30,45 2 * * *", .skip, .both, 2027,
      ["2027-03-28T01:00:00Z 4 dst-gap 02:00 to 02:45 do not exist on 2027-03-28 in Europe/Berlin"]),
    // 03:00 is an entry at the instant of the change, and an instant has one outcome.
    Row("Europe/Berlin", "0 2,3 * * *", .skip, .both, 2027, []),
    Row("Europe/Berlin", "30 2 * * *", .runAtEnd, .both, 2027, []),
    Row("Europe/Berlin", "0,15,30,45 2 * * *", .runAtEnd, .both, 2027, []),
    Row("Europe/Berlin", "30 2 * * *", .shift, .both, 2027, []),
    Row(
      "Europe/Berlin", "30 2 * * *", .runAtEnd, .first, 2027,
      [
        "2027-10-31T01:30:00Z 1 dst-fold 02:30 comes twice on 2027-10-31 in Europe/Berlin and runs the first time"
      ]),
    Row(
      "Europe/Berlin", "0,30 1-3 * * *", .skip, .first, 2027,
      [
        "2027-10-31T01:00:00Z to 2027-10-31T01:30:00Z 2 dst-fold 02:00 to 02:30 come twice on 2027-10-31 in Europe/Berlin and run the first time"
      ]),
    Row(
      "Europe/Berlin", "30 2 * * *", .skip, .second, 2027,
      [
        "2027-03-28T01:00:00Z 1 dst-gap 02:30 does not exist on 2027-03-28 in Europe/Berlin",
        "2027-10-31T00:30:00Z 1 dst-fold 02:30 comes twice on 2027-10-31 in Europe/Berlin and runs the second time",
      ]),
    Row("Europe/Berlin", "*/30 * * * *", .skip, .first, 2027, []),
    Row("Europe/Berlin", "30 4 * * *", .skip, .first, 2027, []),
    Row("UTC", "30 2 * * *", .skip, .first, 2027, []),
    Row(
      "Europe/Berlin", "15 30 2 * * *", .skip, .both, 2027,
      ["2027-03-28T01:00:00Z 1 dst-gap 02:30:15 does not exist on 2027-03-28 in Europe/Berlin"]),
    Row(
      "Pacific/Apia", "30 2,14 * * *", .skip, .both, 2011,
      [
        "2011-12-30T10:00:00Z 2 dst-gap 02:30 to 14:30 do not exist on 2011-12-30 in Pacific/Apia"
      ]),
    Row(
      "Australia/Lord_Howe", "45 1 * * *", .skip, .second, 2026,
      [
        "2026-04-04T14:45:00Z 1 dst-fold 01:45 comes twice on 2026-04-05 in Australia/Lord_Howe and runs the second time"
      ]),
    Row(
      "America/Santiago", "15 0 * * *", .skip, .first, 2026,
      ["2026-09-06T04:00:00Z 1 dst-gap 00:15 does not exist on 2026-09-06 in America/Santiago"]),
  ]

  static func text(_ omission: Omission) -> String {
    let place =
      omission.first == omission.last ? "\(omission.first)" : "\(omission.first) to \(omission.last)"
    return "\(place) \(omission.count) \(omission.outcome.rawValue) \(omission.reason)"
  }

  @Test(arguments: rows) func `a year's omissions are those of the policy`(row: Row) throws {
    let policy = DaylightSavingPolicy(gap: row.gap, fold: row.fold)
    let rule = ScheduleRule.cron(try `Cron rules in zones`.schedule(row.rule, row.zone, policy))
    let start = try WallInstant(rfc3339: "\(row.year)-01-01T00:00:00Z")
    let end = try WallInstant(rfc3339: "\(row.year + 1)-01-01T00:00:00Z")
    #expect(rule.omissions(after: start, through: end).map(Self.text) == row.expected)
    if !row.expected.isEmpty { #expect(rule.mayOmit) }
    #expect(rule.omissions(after: end, through: start).isEmpty)
  }

  @Test func `most rules leave nothing out`() throws {
    let rules: [ScheduleRule] = [
      .periodic(try PeriodicSchedule(from: .epoch, by: .seconds(1))), .animation(try AnimationSchedule()),
      .explicit(try ExplicitSchedule([.epoch])),
      .everyMinute(EveryMinuteSchedule(zone: try ZoneFiles.zone("Europe/Berlin"))),
      .cron(try `Cron rules in zones`.schedule("*/30 2 * * *", "Europe/Berlin")),
      .cron(try `Cron rules in zones`.schedule("30 2 * * *", "UTC")),
      .cron(
        try `Cron rules in zones`.schedule(
          "30 2 * * *", "Europe/Berlin", DaylightSavingPolicy(gap: .runAtEnd, fold: .both))),
    ]
    for rule in rules {
      #expect(!rule.mayOmit, "\(rule)")
      #expect(rule.omissions(after: .min, through: .max).isEmpty, "\(rule)")
    }
  }

  static let seed: UInt64 = 0x0_5EED

  /// For any cut, the same instants are reported once, and none of them is an entry. The entries and omissions of a rule under
  /// both policies together are all times of the day that clocks show.
  @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca"])
  func `omissions add up over any cut and are not entries`(name: String) throws {
    var generator = SeededGenerator(seed: Self.seed)
    let zone = try ZoneFiles.zone(name)
    for fold in DaylightSavingPolicy.Fold.allCases {
      for text in ["10,20,50 0-3 * * *", "30 2 * * *", "0 0 * * *", "59 59 1 * * *"] {
        let rule = ScheduleRule.cron(
          CronSchedule(
            expression: try CronExpression(parsing: text), zone: zone,
            daylightSaving: DaylightSavingPolicy(gap: .skip, fold: fold)))
        let (start, end) = (second(1_320_000_000), second(1_800_000_000))
        let whole = rule.omissions(after: start, through: end)
        var cuts = [start, end]
        for omission in whole {
          #expect(omission.first <= omission.last && omission.count > 0)
          #expect(rule.latest(atOrBefore: omission.first) != omission.first, "\(omission)")
          #expect(rule.latest(atOrBefore: omission.last) != omission.last, "\(omission)")
          #expect(rule.count(after: omission.first, through: omission.last) == 0, "\(omission)")
          cuts += [
            omission.first - .nanoseconds(1), omission.first, omission.last - .nanoseconds(1), omission.last,
          ]
          cuts.append(omission.first + .seconds(Int64.random(in: -4_000...4_000, using: &generator)))
        }
        cuts = Set(cuts).filter { start <= $0 && $0 <= end }.sorted()
        let parts = zip(cuts, cuts.dropFirst()).flatMap { rule.omissions(after: $0, through: $1) }
        #expect(parts.reduce(0) { $0 + $1.count } == whole.reduce(0) { $0 + $1.count }, "\(text) in \(name)")
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.last < $1.first }, "\(text) in \(name)")
      }
    }
  }
}
