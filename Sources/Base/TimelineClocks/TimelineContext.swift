public import TimelineCore

/// The occasion of one update of a timeline; TimelineView's `Context`.
public struct TimelineContext: Sendable, Hashable {
  /// The entry of the schedule that the update shows.
  ///
  /// The first date may lie in the past: `.everyMinute` at 10:09:55 begins with 10:09:00. If the schedule has no entry yet, the
  /// date is the clock's present.
  public var date: WallInstant
  /// The rate of updates. Leave out what changes faster, for example the second hand of a clock at `.minutes`.
  public var cadence: Cadence
  /// The mode in which the schedule was evaluated.
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
