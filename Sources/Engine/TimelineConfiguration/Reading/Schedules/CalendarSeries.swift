import TimelineCore

/// A moment in an iCalendar file.
enum CalendarMoment {
  /// A day, the same date in every zone.
  case day(CivilDate)
  /// A local time, the same in every zone.
  case clock(CivilDateTime)
  /// An instant, with its local time in its own zone.
  case instant(WallInstant, CivilDateTime)

  /// `nil` if the moment has no zone.
  var instant: WallInstant? {
    if case .instant(let instant, _) = self { instant } else { nil }
  }

  /// The local time as written; midnight for a day.
  var civil: CivilDateTime {
    switch self {
    case .day(let date): CivilDateTime(date: date, time: .midnight)
    case .clock(let civil), .instant(_, let civil): civil
    }
  }

  /// Whether the moment is later than `end`, the inclusive end of a rule. A day as the end is included completely.
  func isAfter(_ end: CalendarMoment) -> Bool {
    switch (self, end) {
    case (.instant(let own, _), .instant(let last, _)): own > last
    case (.day, _), (_, .day): civil.date > end.civil.date
    case (.clock, _), (_, .clock): civil > end.civil
    }
  }
}

/// An event of a calendar: its length, and the moments without an occurrence.
struct CalendarSeries {
  /// The longest event: a year. A longer event has a mistake in a date.
  private static let dayCountMax = 366

  let line: Int
  /// Name of the event, shortened.
  let label: String
  /// The exact time from DTSTART to DTEND; `nil` unless both have a zone.
  private var length: ElapsedTime?
  private var days: Set<CivilDate> = []
  private var clocks: Set<CivilDateTime> = []
  private var instants: Set<WallInstant> = []
  /// Days of the excluded times. They exclude occurrences of whole days.
  private var daysOfTimes: Set<CivilDate> = []

  init(line: Int, label: String) {
    (self.line, self.label) = (line, label)
  }

  /// Sets the length to the time from DTSTART to DTEND. `line` is the line of DTEND, for errors.
  mutating func setLength(
    from start: CalendarMoment, to end: CalendarMoment, line: Int
  ) throws(CalendarLines.Failure) {
    _ = try span(from: start, to: end, line: line)
    if let first = start.instant, let last = end.instant { length = last - first }
  }

  /// Excludes an occurrence: at the same instant, at the same local time without a zone, or on the whole day.
  mutating func exclude(_ moment: CalendarMoment) {
    switch moment {
    case .day(let date): days.insert(date)
    case .clock(let civil): clocks.insert(civil)
    case .instant(let instant, _): instants.insert(instant)
    }
    daysOfTimes.insert(moment.civil.date)
  }

  /// Whether the occurrence at the moment is excluded.
  func isExcluded(_ moment: CalendarMoment) -> Bool {
    let civil = moment.civil
    if days.contains(civil.date) { return true }
    switch moment {
    case .day: return daysOfTimes.contains(civil.date)
    case .clock: return clocks.contains(civil)
    case .instant(let instant, _): return instants.contains(instant) || clocks.contains(civil)
    }
  }

  /// Returns the span of an occurrence with the exact length of the event; `nil` if the start or the event has no
  /// zone.
  ///
  /// RFC 5545, section 3.8.5.3: "the same exact duration will apply to all the members of the generated recurrence set".
  func span(from start: CalendarMoment) -> HolidayEvents.Span? {
    guard let first = start.instant, let length else { return nil }
    return .instants(first...first + length)
  }

  /// Returns the span of an occurrence from `start` to `end` plus exactly `seconds`. `line` is the line of the end,
  /// for errors.
  func span(
    from start: CalendarMoment, to end: CalendarMoment, seconds: Int = 0, line: Int
  ) throws(CalendarLines.Failure) -> HolidayEvents.Span {
    func failure(_ reason: String) -> CalendarLines.Failure {
      CalendarLines.Failure(line: line, reason: reason)
    }
    let span: HolidayEvents.Span
    let isSeconds = (0...Self.dayCountMax * 86_400).contains(seconds)
    switch (start.instant, end.instant) {
    case (let first?, let last?) where first <= last && isSeconds:
      span = .instants(first...last + .seconds(Int64(seconds)))
    case (nil, nil) where start.civil <= end.civil && isSeconds:
      span =
        seconds > 0 ? .clocks(start.civil...end.civil, seconds: seconds) : Self.days(start.civil, end.civil)
    case (nil, nil), (_?, _?): throw failure("the end is expected after the start")
    default: throw failure("the end is expected with a zone or without, as the start is")
    }
    guard end.civil.date.daysSinceEpoch - start.civil.date.daysSinceEpoch <= Self.dayCountMax else {
      throw failure("an event of at most \(Self.dayCountMax) days is expected")
    }
    return span
  }

  /// Returns the span of days and local times without a zone.
  private static func days(_ start: CivilDateTime, _ end: CivilDateTime) -> HolidayEvents.Span {
    guard end.time == .midnight else { return .days(start.date...end.date) }
    let last = CivilDate(daysSinceEpoch: end.date.daysSinceEpoch - 1) ?? end.date
    return .days(start.date...max(start.date, last))
  }
}
