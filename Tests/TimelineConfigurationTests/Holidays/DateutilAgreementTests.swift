import Foundation
import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineConfiguration

/// Random rules of days, and of times in zones that end in UTC, against Python's dateutil (Debian's python3-dateutil).
///
/// TIMELINED_DATEUTIL names a Python that has it; without, the Python of the machine is asked whether it has.
///
/// dateutil 2.8.2 and 2.9.0 differ from RFC 5545, section 3.3.10, in the following. The script below does each its way:
///
/// 1. They leave DTSTART out where the rule does not name it: "The DTSTART property value always counts as the first
///    occurrence" if COUNT is used, and section 3.8.5.3: "The DTSTART property value ... defines the first instance in the
///    recurrence set".
/// 2. They take all days of a week for BYWEEKNO alone: "Information, not contained in the rule, necessary to determine the
///    various recurrence instance start time and dates are derived from the Start Time (DTSTART) component attribute".
/// 3. They take `BYDAY=FR,-1TU` for days that are both: "The BYDAY rule part specifies a COMMA-separated list of days of
///    the week". Beside BYSETPOS it is left out here: there is no single period whose days could be joined.
/// 4. They count BYSETPOS in the first week from DTSTART on: it "corresponds to the nth occurrence within the set of
///    recurrence instances specified by the rule", such as the third of TU,WE,TH in the month of the example of
///    1997-09-04.
/// 5. They take the days of all months for FREQ=YEARLY;BYMONTHDAY, and RFC 8984 that of DTSTART. We refuse it, as we do
///    weeks that lie in two years beside INTERVAL or BYSETPOS: neither is made here.
/// 6. They compare UNTIL with clocks: "If the DTSTART property is specified as a date with local time and time zone
///    reference, then the UNTIL rule part MUST be specified as a date with UTC time". The script compares instants.
/// 7. They leave out the days in December of week -52 or -53, where it is week 1 of the year after: "Valid values are 1 to
///    53 or -53 to -1". Neither is made here.
/// 8. They put 1 and 2 January of some years, 2039 for weeks that begin on Monday, into week 53 and not 52: "Week number one of
///    the calendar year is the first week that contains at least four (4) days in that calendar year". No rule of this seed
///    has one of these days.
@Suite struct `Fuzzed rules of holidays agree with dateutil` {
  static let python = ProcessInfo.processInfo.environment["TIMELINED_DATEUTIL"] ?? "/usr/bin/python3"
  static let seed: UInt64 = 0x5545
  static let firstYear = 2_026
  static let zones = ["Europe/Berlin", "America/New_York"]
  /// Made once: an occurrence each looks for its zone.
  static let zoneOfName = Dictionary(
    uniqueKeysWithValues: zones.compactMap { name in `Calendars of holidays`.zone(name).map { (name, $0) } })
  static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// Reads start, zone, rule, last instant, excluded instants and last year, and prints days or seconds since the epoch.
  static let script = """
    import sys
    import datetime as module
    from datetime import datetime, timedelta, timezone
    from zoneinfo import ZoneInfo
    from dateutil.rrule import rrulestr
    WEEK = "MO TU WE TH FR SA SU".split()

    def days(parts, begin):
        listed = parts.get("BYDAY", "").split(",")
        kinds = [",".join(d for d in listed if (len(d) > 2) == numbered) for numbered in (0, 1)]
        found = set()
        for kind in [k for k in kinds if k] or [""]:
            own = dict(parts, **({"BYDAY": kind} if kind else {}))
            found.update(rrulestr(";".join(f"{k}={v}" for k, v in own.items()), dtstart=begin))
        return found

    def occurrences(start, rule, last_year):
        parts = dict(p.split("=") for p in rule.split(";"))
        count = int(parts.pop("COUNT", 0))
        parts["UNTIL"] = min(parts.get("UNTIL", "9999"), f"{last_year}1231T235959")
        weekday = WEEK[start.weekday()]
        if "BYWEEKNO" in parts and not {"BYDAY", "BYYEARDAY", "BYMONTHDAY"} & set(parts):
            parts["BYDAY"] = weekday
        begin = start
        if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
            parts.setdefault("BYDAY", weekday)
            begin -= timedelta((start.weekday() - WEEK.index(parts.get("WKST", "MO"))) % 7)
        found = sorted({d for d in days(parts, begin) if d >= start} | {start})
        return found[:count] if count else found

    for line in sys.stdin:
        start, zone, rule, until, excluded, last_year = line.rstrip("\\n").split("\\t")
        # Up to that year dateutil looks for a position that no period has.
        module.MAXYEAR = int(last_year) + 1
        begin = datetime.strptime(start, "%Y%m%dT%H%M%S" if zone else "%Y%m%d")
        found = occurrences(begin, rule, int(last_year))
        if zone:
            found = [int(d.replace(tzinfo=ZoneInfo(zone)).timestamp()) for d in found]
            found = [s for s in found if s == found[0] or not until or s <= int(until)]
            print(*[s for s in found if str(s) not in excluded.split(",")])
        else:
            print(*[d.strftime("%Y-%m-%d") for d in found])
    """

  static func run(_ arguments: [String], input: String) -> String? {
    output(of: python, arguments, input: input)
  }

  static let isInstalled = run(["-c", "import dateutil.rrule, zoneinfo"], input: "") != nil

  struct Question {
    var start = ""
    var zone: String?
    var rule = ""
    /// Seconds since the epoch, or `nil` where the rule has its own end or none.
    var until: Int64?
    var excluded: [Int64] = []
    var lastYear = 0

    var line: String {
      let until = until.map(String.init) ?? ""
      let excluded = excluded.map(String.init).joined(separator: ",")
      return "\(start)\t\(zone ?? "")\t\(rule)\t\(until)\t\(excluded)\t\(lastYear)\n"
    }

    var bytes: [UInt8] {
      let begin = zone.map { "DTSTART;TZID=\($0):\(start)" } ?? "DTSTART;VALUE=DATE:\(start)"
      let end = until.map { ";UNTIL=\(Self.utc($0))" } ?? ""
      let dates = excluded.map { "\r\nEXDATE:\(Self.utc($0))" }.joined()
      return `Calendars of holidays`.file("\(begin)\r\nRRULE:\(rule)\(end)\(dates)")
    }

    static func utc(_ seconds: Int64) -> String {
      let text = Zone.utc.civil(at: .epoch + .seconds(seconds)).description
      return text.replacing(" ", with: "T").filter { $0 != "-" && $0 != ":" } + "Z"
    }
  }

  /// A list of up to `count` numbers, some from the end if `isSigned`.
  static func list(
    _ range: ClosedRange<Int>, _ count: Int, isSigned: Bool, using generator: inout SeededGenerator
  ) -> String {
    (0..<Int.random(in: 1...count, using: &generator)).map { _ in
      let number = Int.random(in: range, using: &generator)
      return "\(isSigned && Int.random(in: 0..<3, using: &generator) == 0 ? -number : number)"
    }.joined(separator: ",")
  }

  /// A rule whose meaning is certain, without an end.
  static func rule(using generator: inout SeededGenerator) -> (text: String, isYearly: Bool) {
    func isChosen(_ percent: Int, _ generator: inout SeededGenerator) -> Bool {
      Int.random(in: 0..<100, using: &generator) < percent
    }
    let frequencies = ["YEARLY", "YEARLY", "MONTHLY", "MONTHLY", "WEEKLY", "DAILY"]
    let frequency = pick(frequencies, &generator)
    let (isYearly, isMonthly) = (frequency == "YEARLY", frequency == "MONTHLY")
    var parts = ["FREQ=\(frequency)"]
    func add(_ name: String, _ value: String) { parts.append("\(name)=\(value)") }
    let (hasMonths, hasWeeks) = (isChosen(35, &generator), isYearly && isChosen(25, &generator))
    let hasPosition = isChosen(20, &generator)
    if isChosen(40, &generator) { add("INTERVAL", "\(Int.random(in: 1...5, using: &generator))") }
    if hasMonths { add("BYMONTH", list(1...12, 3, isSigned: false, using: &generator)) }
    if hasWeeks {
      let isPlain = hasPosition || parts.contains { $0.hasPrefix("INTERVAL") }
      let weeks = list(isPlain ? 2...51 : 1...53, 2, isSigned: true, using: &generator)
      add("BYWEEKNO", weeks.replacing("-52", with: "52").replacing("-53", with: "53"))
    }
    let hasYearDays = isYearly && isChosen(15, &generator)
    if hasYearDays { add("BYYEARDAY", list(1...366, 3, isSigned: true, using: &generator)) }
    if frequency != "WEEKLY", !isYearly || hasMonths || hasYearDays, isChosen(30, &generator) {
      add("BYMONTHDAY", list(1...31, 3, isSigned: true, using: &generator))
    }
    if isChosen(50, &generator) {
      let isNumbered = (isYearly || isMonthly) && !hasWeeks && isChosen(50, &generator)
      let last = isYearly && !hasMonths ? 53 : 5
      add(
        "BYDAY",
        weekdays.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)).map { day in
          guard isNumbered, hasPosition || isChosen(80, &generator) else { return day }
          return list(1...last, 1, isSigned: true, using: &generator) + day
        }.joined(separator: ","))
    }
    if hasPosition, parts.contains(where: { $0.hasPrefix("BY") }) {
      add("BYSETPOS", list(1...4, 2, isSigned: true, using: &generator))
    }
    if isChosen(25, &generator) { add("WKST", pick(weekdays, &generator)) }
    return (parts.joined(separator: ";"), isYearly)
  }

  static func question(using generator: inout SeededGenerator) throws -> Question {
    let rule = rule(using: &generator)
    let day = try day(Int.random(in: 20_454...21_549, using: &generator))
    var question = Question(start: "\(day)".filter { $0 != "-" }, rule: rule.text)
    question.lastYear = day.year + (rule.isYearly ? 8 : 2)
    let end = Int.random(in: 0..<3, using: &generator)
    if end == 0 { question.rule += ";COUNT=\(Int.random(in: 1...20, using: &generator))" }
    guard Bool.random(using: &generator) else {
      let last = try Self.day(day.daysSinceEpoch + Int.random(in: 0...900, using: &generator))
      if end == 1 { question.rule += ";UNTIL=" + "\(last)".filter { $0 != "-" } }
      return question
    }
    let zone = try #require(zoneOfName[pick(zones, &generator)])
    question.zone = zone.name
    let time = try #require(
      CivilTime(hour: Int.random(in: 0...23, using: &generator), minute: 30, second: 0, nanosecond: 0))
    question.start += "T" + "\(time)".filter { $0 != ":" }
    // Instants at which there can be an occurrence, or a second beside one.
    func instant(_ generator: inout SeededGenerator, within days: Int) throws -> Int64 {
      let other = try Self.day(day.daysSinceEpoch + Int.random(in: 1...days, using: &generator))
      return seconds(try #require(zone.calendarInstant(of: CivilDateTime(date: other, time: time))))
    }
    if end == 1 {
      question.until = try instant(&generator, within: 700) + Int64.random(in: -1...1, using: &generator)
    }
    question.excluded = try (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      try instant(&generator, within: 60)
    }
    return question
  }

  static func day(_ daysSinceEpoch: Int) throws -> CivilDate {
    try #require(CivilDate(daysSinceEpoch: daysSinceEpoch))
  }

  static func pick(_ items: [String], _ generator: inout SeededGenerator) -> String {
    items[Int.random(in: 0..<items.count, using: &generator)]
  }

  static func seconds(_ instant: WallInstant) -> Int64 { instant.nanosecondsSinceEpoch / 1_000_000_000 }

  static func answer(_ question: Question) throws -> String {
    let output = try `Calendars of holidays`.lines(question.bytes, years: firstYear...question.lastYear)
    let events = try CalendarLines { zoneOfName[$0] }.events(of: output, name: "test")
    return events.events.map { event in
      switch event.span {
      case .days(let days): "\(days.lowerBound)"
      case .instants(let instants): "\(seconds(instants.lowerBound))"
      case .clocks: "a time without a zone"
      }
    }.joined(separator: " ")
  }

  @Test(.enabled(if: isInstalled)) func `random rules have dateutil's days and instants`() throws {
    let most = ProcessInfo.processInfo.environment["TIMELINED_FUZZ_CASES"].flatMap { Int($0) } ?? 100
    let caseCount = min(most, 10_000)
    var generator = SeededGenerator(seed: Self.seed)
    var occurrenceCount = 0
    for first in stride(from: 0, to: caseCount, by: 200) {
      let questions = try (first..<min(first + 200, caseCount)).map { _ in
        try Self.question(using: &generator)
      }
      let answers = try #require(Self.run(["-c", Self.script], input: questions.map(\.line).joined()))
        .split(separator: "\n", omittingEmptySubsequences: false)
      try #require(answers.count > questions.count)
      for (question, answer) in zip(questions, answers) {
        let own = try Self.answer(question)
        #expect(own == answer, "\(question), seed \(Self.seed)")
        occurrenceCount += own.split(separator: " ").count
      }
    }
    print("\(caseCount) rules and \(occurrenceCount) occurrences as dateutil has them")
    #expect(occurrenceCount > caseCount * 4)
  }
}
