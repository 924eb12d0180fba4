import Testing
import TimelineCore
import TimelineTestSupport

/// Periods that windows leave without an entry, against a table and against a reader that lists all entries.
@Suite struct `Periods without an entry` {
  struct Row: Sendable {
    var rule: String
    var except: [String]
    var positions: [Int] = []
    var period = EntryPick.Period.month
    var weekStart = Weekday.monday
    var words: String?
  }

  static let rows = [
    Row(
      rule: "0 9 LW * *", except: ["2026-12-31", "2027-12-31", "2028-12-29", "2029-12-31", "2030-12-31"],
      words:
        #"December 2026, as 2026-12-31 09:00:00 UTC is left out (within "2026-12-31"); "#
        + #"nor in December 2027, as 2027-12-31 09:00:00 UTC is left out (within "2027-12-31"); "#
        + #"nor in December 2028, as 2028-12-29 09:00:00 UTC is left out (within "2028-12-29"); nor in 2 more"#
    ),
    Row(
      rule: "*-*-28,30 09:00", except: ["2027-03-28..2027-03-31"],
      words: "March 2027, as 2 entries are left out, the first at 2027-03-28 09:00:00 UTC "
        + #"(within "2027-03-28..2027-03-31")"#),
    Row(rule: "0 9 L * *", except: ["2027-07-01..2027-09-30"]),
    Row(rule: "0 9 * * *", except: ["2027-07-01..2027-07-31"]),
    Row(rule: "0 9 LW * *", except: ["2026-05-29", "2031-12-31"]),
    Row(
      rule: "0 9 1 * *", except: ["Sun"],
      words: #"November 2026, as 2026-11-01 09:00:00 UTC is left out (within "Sun"); "#
        + #"nor in August 2027, as 2027-08-01 09:00:00 UTC is left out (within "Sun"); "#
        + #"nor in October 2028, as 2028-10-01 09:00:00 UTC is left out (within "Sun"); nor in 4 more"#),
    Row(
      rule: "0 18 * * *", except: ["Sat,Sun", "2027-08-01..2027-08-31"], positions: [-1],
      words: "August 2027, as 22 entries are left out, the first at 2027-08-02 18:00:00 UTC "
        + #"(within "2027-08-01..2027-08-31")"#),
    Row(rule: "0 18 * * *", except: ["Sat,Sun"], positions: [23]),
    Row(
      rule: "0 9 * * mon", except: ["2027-03-15"], positions: [5],
      words: #"March 2027, as 2027-03-15 09:00:00 UTC is left out (within "2027-03-15")"#),
    Row(
      rule: "0 9 * * mon", except: ["2026-12-28"], positions: [1], period: .week, weekStart: .sunday,
      words: #"the week of 2026-12-27, as 2026-12-28 09:00:00 UTC is left out (within "2026-12-28")"#),
    Row(
      rule: "0 9 1 1,4,7,10 *", except: ["2028-10-01"], positions: [1], period: .quarter,
      words: #"quarter 4 of 2028, as 2028-10-01 09:00:00 UTC is left out (within "2028-10-01")"#),
    Row(
      rule: "0 9 24 12 *", except: ["2029-12-24"], positions: [-1], period: .year,
      words: #"2029, as 2029-12-24 09:00:00 UTC is left out (within "2029-12-24")"#),
    Row(rule: "0 8,20 * * *", except: ["2026-12-24"], positions: [1], period: .day),
  ]

  @Test(arguments: rows) func `the first three of the next five years have words`(row: Row) throws {
    let schedule = try `Unions, windows and exclusions`.schedule([row.rule], except: row.except, zone: "UTC")
    {
      guard !row.positions.isEmpty else { return }
      $0.pick = try EntryPick(row.positions, per: row.period, weekStart: row.weekStart)
    }
    let start = try WallInstant(rfc3339: "2026-06-01T00:00:00Z")
    let words = ScheduleRule.composed(schedule).emptyPeriodWords(after: start)
    #expect(words == row.words.map { "no entry in \($0)" })
    let explained = ScheduleRule.composed(schedule).explanation(from: start, years: 1).words
    #expect(explained.hasSuffix(words ?? "on clocks in UTC"))
  }

  /// The period of a day, from the date alone.
  private static func number(_ date: CivilDate, _ period: EntryPick.Period) -> Int {
    switch period {
    case .day: date.daysSinceEpoch
    case .week: (date.daysSinceEpoch + 3) / 7
    case .month: date.year * 12 + date.month
    case .quarter: date.year * 4 + (date.month + 2) / 3
    case .year: date.year
    }
  }

  private static func isPicked(_ count: Int, _ positions: Set<Int>) -> Bool {
    positions.contains { abs($0) <= count }
  }

  @Test func `exactly the emptied periods of random picks are named`() throws {
    var random = SeededGenerator(seed: 0x5EED_0E3B)
    // 1 January 2024 and 29 December 2025 are Mondays.
    let start = try WallInstant(rfc3339: "2024-01-01T00:00:00Z")
    let last = try WallInstant(rfc3339: "2025-12-29T00:00:00Z")
    var (named, judged) = (0, 0)
    for _ in 0..<100 {
      let periods: [EntryPick.Period] = [.week, .month, .quarter, .year]
      let period = try #require(periods.randomElement(using: &random))
      let rules = ["0 12 * * mon,thu", "0 12 * * 3", "0 12 10,20 * *", "0 12 1-5 * *"]
      let rule = try `Unions, windows and exclusions`.rule(
        try #require(rules.randomElement(using: &random)), in: .utc)
      let positions = Set(
        (0..<2).map { _ in
          Int.random(in: 1...3, using: &random) * (Bool.random(using: &random) ? 1 : -1)
        })
      let all = rule.entries(from: start, mode: .normal).prefix { $0 < last + .days(40) }.filter {
        $0 > start
      }
      let excluded = Set(all.filter { $0 < last && Int.random(in: 0..<4, using: &random) > 0 })
      var conditions = ComposedSchedule.Conditions()
      conditions.except = [
        CivilWindow(holidays: HolidayList(name: "h", dates: excluded.map { Zone.utc.civil(at: $0).date }))
      ]
      conditions.pick = try EntryPick(Array(positions), per: period)
      guard let schedule = try? ComposedSchedule([rule], conditions: conditions, zone: .utc) else { continue }
      let groups = Dictionary(grouping: all) { Self.number(Zone.utc.civil(at: $0).date, period) }
      let emptied = groups.filter { _, entries in
        Self.isPicked(entries.count, positions)
          && !Self.isPicked(entries.count { !excluded.contains($0) }, positions)
      }
      let own = ScheduleRule.composed(schedule).emptyPeriods(after: start, years: 2)
      #expect(
        own.map { Self.number(Zone.utc.civil(at: $0.first).date, period) } == emptied.keys.sorted(),
        "\(schedule)")
      (named, judged) = (named + own.count, judged + 1)
    }
    #expect(judged > 50 && named > 100)
  }
}
