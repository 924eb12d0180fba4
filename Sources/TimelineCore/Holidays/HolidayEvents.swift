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
    case .instants(let instants):
      let first = zone.civil(at: instants.lowerBound).date.daysSinceEpoch
      guard instants.lowerBound < instants.upperBound else { return first...first }
      // The end is not in it; where clocks are put back over midnight it may show the day before.
      let last = zone.civil(at: instants.upperBound - .nanoseconds(1)).date.daysSinceEpoch
      return first...max(first, last)
    }
  }
}
