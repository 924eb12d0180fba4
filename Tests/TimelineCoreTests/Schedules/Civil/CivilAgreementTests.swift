import Foundation
import Testing
import TimelineCore
import TimelineTestSupport

/// Random civil rules, and the days that Python's dateutil has for the RRULE with the same meaning.
///
/// TIMELINED_DATEUTIL names a Python that has it; without, the Python of the machine is asked whether it has. A month without the
/// day is RFC 5545's own choice for `skip`; `last` is the last day of the set of days 28 to the wanted one.
@Suite struct `Fuzzed civil rules agree with dateutil` {
  static let python = ProcessInfo.processInfo.environment["TIMELINED_DATEUTIL"] ?? "/usr/bin/python3"
  static let seed: UInt64 = 0xC1_F11
  /// Days that are compared, at most, within twenty years.
  static let dayCount = 200

  /// Reads unit, number, first day, first weekday, weekdays and the choice, and prints days since the epoch.
  static let script = """
    import sys
    from datetime import datetime
    from itertools import islice
    from dateutil import rrule
    EPOCH = datetime(1970, 1, 1)
    KINDS = {"days": rrule.DAILY, "weeks": rrule.WEEKLY, "months": rrule.MONTHLY, "years": rrule.YEARLY}
    for line in sys.stdin:
        unit, every, start, first, weekdays, choice = line.rstrip("\\n").split("\\t")
        begin = datetime.strptime(start, "%Y-%m-%d")
        parts = {"interval": int(every), "dtstart": begin, "until": begin.replace(day=1, year=begin.year + 20)}
        if unit == "weeks":
            parts.update(wkst=int(first), byweekday=[int(day) for day in weekdays.split(",")])
        elif unit in ("months", "years"):
            if unit == "years":
                parts["bymonth"] = begin.month
            if choice == "last" and begin.day > 28:
                parts.update(bymonthday=list(range(28, begin.day + 1)), bysetpos=-1)
            else:
                parts["bymonthday"] = begin.day
        print(*((day - EPOCH).days for day in islice(rrule.rrule(KINDS[unit], **parts), \(dayCount))))
    """

  static func run(_ arguments: [String], input: String) -> String? {
    output(of: python, arguments, input: input)
  }

  static let isInstalled = run(["-c", "import dateutil.rrule"], input: "") != nil

  static func rule(using generator: inout SeededGenerator) throws -> CivilRecurrence {
    let unit = CivilRecurrence.Unit.allCases.randomElement(using: &generator) ?? .days
    var day = Int.random(in: 10_000...25_000, using: &generator)
    // Every third begins at the end of a month, every sixth year on its last day of February.
    let date = try #require(CivilDate(daysSinceEpoch: day))
    if Int.random(in: 0..<3, using: &generator) == 0 {
      let month = unit == .years && Bool.random(using: &generator) ? 2 : date.month
      let length = CivilDate.dayCount(ofMonth: month, inYear: date.year)
      day = try #require(CivilDate(year: date.year, month: month, day: length)).daysSinceEpoch
    }
    let most = [CivilRecurrence.Unit.days: 1_000, .weeks: 150, .months: 40, .years: 6][unit] ?? 1
    return try CivilRecurrence(
      every: Int.random(in: 1...(Bool.random(using: &generator) ? 3 : most), using: &generator), unit,
      from: try #require(CivilDate(daysSinceEpoch: day)), at: [.midnight],
      on: unit == .weeks ? Set(Weekday.allCases.filter { _ in Bool.random(using: &generator) }) : [],
      weekStart: Weekday.allCases.randomElement(using: &generator) ?? .monday,
      shortMonth: CivilRecurrence.ShortMonth.allCases.randomElement(using: &generator))
  }

  /// The days of a rule, in words of the script.
  static func line(_ rule: CivilRecurrence) -> String {
    let weekdays = Weekday.allCases.indices.filter { rule.weekdays.contains(Weekday.allCases[$0]) }
    return [
      rule.unit.rawValue, "\(rule.every)", "\(rule.from)", "\(rule.weekStart.rawValue - 1)",
      weekdays.map(String.init).joined(separator: ","), rule.shortMonth?.rawValue ?? "",
    ].joined(separator: "\t") + "\n"
  }

  static func days(_ rule: CivilRecurrence) -> [String] {
    let from = rule.from
    let end = CivilDate(year: from.year + 20, month: from.month, day: 1)?.daysSinceEpoch ?? 0
    var (instant, days) = (WallInstant.min, [String]())
    let schedule = CivilSchedule(recurrence: rule, zone: .utc)
    while days.count < dayCount, let next = schedule.next(after: instant) {
      let day = Int(next.nanosecondsSinceEpoch / 86_400_000_000_000)
      guard day <= end else { break }
      days.append("\(day)")
      instant = next
    }
    return days
  }

  @Test(.enabled(if: isInstalled)) func `random civil rules have dateutil's days`() throws {
    let most = ProcessInfo.processInfo.environment["TIMELINED_FUZZ_CASES"].flatMap { Int($0) } ?? 300
    let caseCount = min(most, 10_000)
    var generator = SeededGenerator(seed: Self.seed)
    var dayCount = 0
    for first in stride(from: 0, to: caseCount, by: 200) {
      let rules = try (first..<min(first + 200, caseCount)).map { _ in try Self.rule(using: &generator) }
      let answers = try #require(Self.run(["-c", Self.script], input: rules.map(Self.line).joined()))
        .split(separator: "\n", omittingEmptySubsequences: false)
      try #require(answers.count > rules.count)
      for (rule, answer) in zip(rules, answers) {
        let own = Self.days(rule)
        #expect(own.joined(separator: " ") == answer, "\(rule), seed \(Self.seed)")
        dayCount += own.count
      }
    }
    print("\(caseCount) rules and \(dayCount) days as dateutil has them")
    #expect(dayCount > caseCount * 10)
  }
}
