import TimelineCore

/// Reads the output of `timeline-calendar` for an iCalendar file: records of events and occurrences, as described in
/// its `calendar.h`.
struct CalendarLines {
  /// An error in the calendar, at a line and a column of the file.
  struct Failure: Error {
    var line: Int
    var column = 1
    var reason: String
  }

  /// Returns the zone with the name; `nil` if there is no such zone.
  let zone: (String) -> Zone?

  /// Returns the events of the list `name`.
  func events(of output: [UInt8], name: String) throws(Failure) -> HolidayEvents {
    var events: [HolidayEvents.Event] = []
    var dayCount = 0
    var series: CalendarSeries?
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: 0x09, maxSplits: 6, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      if line.first == UInt8(ascii: "!") { throw refusal(fields) }
      switch (fields[0], fields.count) {
      case ("event", 7): series = try self.series(fields)
      case ("except", 3) where series != nil:
        series?.exclude(try moment(fields[2], line: number(fields[1])))
      case ("at", 5):
        guard let series else { throw Self.nonsense }
        guard let span = try span(fields, in: series) else { continue }
        dayCount += span.dayCount
        guard dayCount <= HolidayList.dayCountMax else {
          throw Failure(line: series.line, reason: "at most \(HolidayList.dayCountMax) days are read")
        }
        events.append(HolidayEvents.Event(span: span, label: series.label))
      default: throw Self.nonsense
      }
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

  private func number(_ field: String) throws(Failure) -> Int {
    guard let number = Int(field) else { throw Self.nonsense }
    return number
  }

  private func series(_ fields: [String]) throws(Failure) -> CalendarSeries {
    // The label is cut to fit into a message.
    var series = CalendarSeries(line: try number(fields[1]), label: String(fields[6].prefix(60)))
    if !fields[5].isEmpty {
      let (startLine, endLine) = (try number(fields[2]), try number(fields[3]))
      let start = try moment(fields[4], line: startLine)
      try series.setLength(from: start, to: moment(fields[5], line: endLine), line: endLine)
    }
    return series
  }

  /// Returns the span of an occurrence; `nil` if the occurrence is excluded or later than its rule's end.
  private func span(_ fields: [String], in series: CalendarSeries) throws(Failure) -> HolidayEvents.Span? {
    let line = try number(fields[1])
    let start = try moment(fields[2], line: line)
    if series.isExcluded(start) { return nil }
    if !fields[4].isEmpty, try start.isAfter(moment(fields[4], line: line)) { return nil }
    let end = fields[3].split(separator: "+", maxSplits: 1)
    guard let last = end.first else {
      guard let span = series.span(from: start) else { throw Self.nonsense }
      return span
    }
    let seconds = try number(end.count > 1 ? String(end[1]) : "0")
    return try series.span(from: start, to: moment(String(last), line: line), seconds: seconds, line: line)
  }

  /// Parses `20261224`, `20261224T180000`, `20261224T170000Z`, `20261224T180000/Europe/Berlin` or
  /// `20261224T180000=20261224T170000Z`.
  private func moment(_ text: String, line: Int) throws(Failure) -> CalendarMoment {
    guard let read = CalendarText(text[...]) else {
      throw Failure(line: line, reason: "a date such as 20261224 is expected")
    }
    let (civil, rest) = (read.civil, read.rest)
    let instant: WallInstant?
    switch rest.first {
    case nil: return read.hasTime ? .clock(civil) : .day(civil.date)
    case "=": instant = try moment(String(rest.dropFirst()), line: line).instant
    case "/":
      guard let zone = zone(String(rest.dropFirst())) else {
        throw Failure(
          line: line,
          reason:
            "the time zone \"\(rest.dropFirst())\" is neither described in the file nor in the zone database")
      }
      instant = zone.calendarInstant(of: civil)
    default: instant = civil.instant(offset: 0)
    }
    guard let instant else {
      throw Failure(line: line, reason: "a time of a zone is expected in the years from 1678 through 2261")
    }
    return .instant(instant, civil)
  }
}
