/// The days and the times of a list of holidays, before a zone is applied.
///
/// A day is the same day everywhere. A time span, such as from 16:00Z to 16:00Z of the next day, makes every day a
/// holiday that clocks of the zone show between its two ends, so that one list has different days in different zones.
public struct HolidayEvents: Sendable, Hashable {
  /// One holiday.
  public struct Event: Sendable, Hashable {
    /// The days or instants that the holiday covers.
    public var span: Span
    /// The name; may be empty.
    public var label: String

    /// Makes a holiday.
    public init(span: Span, label: String) {
      self.span = span
      self.label = label
    }
  }

  /// The extent of a holiday.
  public enum Span: Sendable, Hashable {
    /// From the first through the last day, in every zone.
    case days(ClosedRange<CivilDate>)
    /// From the first instant up to the second. The second is excluded, unless both are equal.
    case instants(ClosedRange<WallInstant>)
    /// From the first time to exactly `seconds` of elapsed time after the second time, on the clocks of any zone.
    case clocks(ClosedRange<CivilDateTime>, seconds: Int)
  }

  /// The name of the list in a configuration.
  public let name: String
  /// Holidays in any order.
  public let events: [Event]
  /// Whether the list has the same days in every zone.
  public let isSameInEveryZone: Bool

  /// Makes a list of holidays in any order.
  public init(name: String, events: [Event]) {
    self.name = name
    self.events = events
    isSameInEveryZone = events.allSatisfy { event in
      if case .days = event.span { true } else { false }
    }
  }

  /// Makes a list of dates in any order.
  public init(name: String, dates: [CivilDate]) {
    self.init(name: name, events: dates.map { Event(span: .days($0...$0), label: "") })
  }

  /// The days of the list on the clocks of `zone`; at most ``HolidayList/dayCountMax`` of them.
  public func list(in zone: Zone) -> HolidayList {
    HolidayList(
      name: name,
      days: events.flatMap { event in event.span.days(in: zone).map { (day: $0, label: event.label) } })
  }
}

extension HolidayEvents.Span {
  /// The number of days on the clocks of UTC; other zones can have one day more or less.
  public var dayCount: Int { days(in: .utc).count }

  /// Days since 1970-01-01 on the clocks of `zone`.
  func days(in zone: Zone) -> ClosedRange<Int> {
    switch self {
    case .days(let dates): return dates.lowerBound.daysSinceEpoch...dates.upperBound.daysSinceEpoch
    case .clocks(let times, let seconds):
      // A time outside the range of instants has no clock change nearby, so that its date is used.
      guard let first = zone.calendarInstant(of: times.lowerBound),
        let last = zone.calendarInstant(of: times.upperBound)
      else { return Self.days(times.lowerBound.date...times.upperBound.date).days(in: zone) }
      return Self.instants(first...max(first, last + .seconds(Int64(seconds)))).days(in: zone)
    case .instants(let instants):
      let first = zone.civil(at: instants.lowerBound).date.daysSinceEpoch
      guard instants.lowerBound < instants.upperBound else { return first...first }
      // The end is excluded; if clocks are put back over midnight, it may show the day before.
      let last = zone.civil(at: instants.upperBound - .nanoseconds(1)).date.daysSinceEpoch
      return first...max(first, last)
    }
  }
}

extension Zone {
  /// The instant of a time on the clocks of the zone by RFC 5545, section 3.3.5; `nil` outside the years of instants.
  ///
  /// A repeated time is the first one; a skipped time is read by the offset before the change.
  public func calendarInstant(of civil: CivilDateTime) -> WallInstant? {
    switch instants(of: civil) {
    case .one(let instant), .fold(let instant, _), .gap(_, let instant, _): instant
    case .outOfRange: nil
    }
  }
}
