/// The days and the times that a list of holidays consists of, before it is known in which zone they are asked for.
///
/// A day is a day everywhere. A time, such as from 16:00Z to 16:00Z of the next day, makes every day a holiday that clocks of the
/// zone show between its two ends, so that one list has other days in other zones.
public struct HolidayEvents: Sendable, Hashable {
  /// One holiday.
  public struct Event: Sendable, Hashable {
    /// The days or instants that it covers.
    public var span: Span
    /// Its name, or nothing.
    public var label: String

    /// Makes a holiday.
    public init(span: Span, label: String) {
      self.span = span
      self.label = label
    }
  }

  /// The extent of a holiday.
  public enum Span: Sendable, Hashable {
    /// From the first through the last day, whatever the zone.
    case days(ClosedRange<CivilDate>)
    /// From the first instant up to the second, which is not in it unless it is the first.
    case instants(ClosedRange<WallInstant>)
    /// From the first through the second time on the clocks of any zone and then exactly `seconds` more.
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
  /// The number of its days, give or take one by the zone.
  public var dayCount: Int { days(in: .utc).count }

  /// Days since 1970-01-01 on the clocks of `zone`.
  func days(in zone: Zone) -> ClosedRange<Int> {
    switch self {
    case .days(let dates): return dates.lowerBound.daysSinceEpoch...dates.upperBound.daysSinceEpoch
    case .clocks(let times, let seconds):
      // A time that the zone's instants do not reach has no change of clocks near it.
      guard let first = zone.calendarInstant(of: times.lowerBound),
        let last = zone.calendarInstant(of: times.upperBound)
      else { return Self.days(times.lowerBound.date...times.upperBound.date).days(in: zone) }
      return Self.instants(first...max(first, last + .seconds(Int64(seconds)))).days(in: zone)
    case .instants(let instants):
      let first = zone.civil(at: instants.lowerBound).date.daysSinceEpoch
      guard instants.lowerBound < instants.upperBound else { return first...first }
      // The end is not in it; where clocks are put back over midnight it may show the day before.
      let last = zone.civil(at: instants.upperBound - .nanoseconds(1)).date.daysSinceEpoch
      return first...max(first, last)
    }
  }
}

extension Zone {
  /// The instant that RFC 5545, section 3.3.5, means by a time on the clocks of the zone; `nil` outside the years of instants.
  ///
  /// Of a time that comes twice it is the first; one that is skipped is read by the offset before the change.
  public func calendarInstant(of civil: CivilDateTime) -> WallInstant? {
    switch instants(of: civil) {
    case .one(let instant), .fold(let instant, _), .gap(_, let instant, _): instant
    case .outOfRange: nil
    }
  }
}
