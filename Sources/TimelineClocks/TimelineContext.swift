public import TimelineCore

/// The occasion of one update of a timeline; TimelineView's `Context`.
public struct TimelineContext: Sendable, Hashable {
  /// The entry of the schedule that the update shows.
  ///
  /// The first one may lie in the past: `.everyMinute` at 10:09:55 begins with 10:09:00. It is the clock's present if the schedule
  /// has no entry yet.
  public var date: WallInstant
  /// The rate of updates. Something that changes faster is better left out: a clock's second hand at `.minutes`.
  public var cadence: Cadence
  /// The mode in which the schedule was asked for its entries.
  public var mode: ScheduleMode

  /// Makes a context, for a preview or a test.
  public init(date: WallInstant, cadence: Cadence = .live, mode: ScheduleMode = .normal) {
    self.date = date
    self.cadence = cadence
    self.mode = mode
  }
}

extension Cadence {
  /// The shortest time between two entries that are shown.
  var interval: ElapsedTime {
    switch self {
    case .live: .zero
    case .seconds: .seconds(1)
    case .minutes: .minutes(1)
    }
  }
}
