import TimelineCore

/// Reads what the program `timeline-calendar` makes of an iCalendar file: a line for each event, see its `calendar.h`.
struct CalendarLines {
  /// A fault in the calendar, at a line and a column of it.
  struct Failure: Error {
    var line: Int
    var column = 1
    var reason: String
  }

  /// The zone of a name, or `nil` when there is none.
  let zone: (String) -> Zone?

  /// The events of a list called `name`.
  func events(of output: [UInt8], name: String) throws(Failure) -> HolidayEvents {
    var events: [HolidayEvents.Event] = []
    var dayCount = 0
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: 0x09, maxSplits: 3, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      if line.first == UInt8(ascii: "!") { throw refusal(fields) }
      guard fields.count == 4, let number = Int(fields[0]) else { throw Self.nonsense }
      let span = try span(fields[1], fields[2], line: number)
      dayCount += span.dayCount
      guard dayCount <= HolidayList.dayCountMax else {
        throw Failure(line: number, reason: "at most \(HolidayList.dayCountMax) days are read")
      }
      // Short enough for a reason.
      events.append(HolidayEvents.Event(span: span, label: String(fields[3].prefix(60))))
    }
    return HolidayEvents(name: name, events: events)
  }

  private static let nonsense = Failure(
    line: 1, reason: "the reader of calendars answered with something else")

  private func refusal(_ fields: [String]) -> Failure {
    guard fields.count >= 3, let line = Int(fields[0].dropFirst()), let column = Int(fields[1]) else {
      return Self.nonsense
    }
    return Failure(line: max(line, 1), column: max(column, 1), reason: fields[2])
  }

  private func span(_ from: String, _ to: String, line: Int) throws(Failure) -> HolidayEvents.Span {
    let (start, end) = (try moment(from, line: line), try moment(to, line: line))
    if let first = start.instant, let last = end.instant { return .instants(first...max(first, last)) }
    // Days and times that no zone belongs to are as they are written.
    let first = start.civil.date
    let midnight = end.civil.time == .midnight
    let last = midnight ? CivilDate(daysSinceEpoch: end.civil.date.daysSinceEpoch - 1) : end.civil.date
    return .days(first...max(first, last ?? first))
  }

  /// Reads `20261224`, `20261224T180000`, `20261224T170000Z` or `20261224T180000/Europe/Berlin`.
  private func moment(_ text: String, line: Int) throws(Failure) -> (
    civil: CivilDateTime, instant: WallInstant?
  ) {
    let digits = text.prefix { $0 != "/" && $0 != "Z" }.split(separator: "T")
    guard let date = Int(digits.first ?? ""), let time = Int(digits.count > 1 ? digits[1] : "0"),
      let day = CivilDate(year: date / 10_000, month: date / 100 % 100, day: date % 100),
      let clock = CivilTime(hour: time / 10_000, minute: time / 100 % 100, second: time % 100, nanosecond: 0)
    else { throw Failure(line: line, reason: "a date such as 20261224 is expected") }
    let civil = CivilDateTime(date: day, time: clock)
    if text.hasSuffix("Z") && !text.contains("/") { return (civil, civil.instant(offset: 0)) }
    guard let slash = text.firstIndex(of: "/") else { return (civil, nil) }
    let name = String(text[text.index(after: slash)...])
    guard let zone = zone(name) else {
      throw Failure(
        line: line,
        reason: "the time zone \"\(name)\" is neither described in the file nor in the zone database")
    }
    switch zone.instants(of: civil) {
    case .one(let instant), .fold(let instant, _), .gap(let instant, _, _): return (civil, instant)
    case .outOfRange: return (civil, nil)
    }
  }
}
