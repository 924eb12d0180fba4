/// The times of a job: a value that holds no state and reads no clock.
///
/// The two main requirements are ``entries(from:mode:)``, as in SwiftUI's TimelineView, and ``next(after:)``, for the engine.
/// Both return *nominal* instants, without jitter, overlap and lateness.
///
/// The schedules of this module have names as in SwiftUI: `.everyMinute`, `.periodic(from:by:)`. A custom schedule
/// implements ``entries(from:mode:)`` alone; the other requirements have default implementations that use the
/// entries:
///
/// ```swift
/// import TimelineCore
///
/// /// Every power of two seconds after a start: 1 s, 2 s, 4 s.
/// struct DoublingSchedule: Schedule {
///   var start: WallInstant
///
///   func entries(from now: WallInstant, mode: Mode) -> some Sequence<WallInstant> {
///     (0..<33).lazy.map { start + .seconds(1 << $0) }
///   }
/// }
///
/// let schedule = DoublingSchedule(start: .epoch)
/// print(schedule.next(after: .epoch + .seconds(5)) ?? .max)  // 1970-01-01T00:00:08Z
/// ```
public protocol Schedule: Sendable {
  /// The mode of ``entries(from:mode:)``, by TimelineView's name.
  typealias Mode = ScheduleMode

  /// The sequence that ``entries(from:mode:)`` returns: ascending instants, possibly without end.
  associatedtype Entries: Sequence<WallInstant>

  /// The instants at which a view that appears at `start` is updated, ascending.
  ///
  /// The first instant may precede `start`: it is the entry that is current at `start` (Apple,
  /// "TimelineSchedule.entries(from:mode:)"). This is the only requirement without a default.
  func entries(from start: WallInstant, mode: ScheduleMode) -> Entries

  /// The first entry strictly later than `instant`, or `nil` if there is none.
  func next(after instant: WallInstant) -> WallInstant?

  /// The last entry that is not later than `instant`, or `nil` if there is none.
  func latest(atOrBefore instant: WallInstant) -> WallInstant?

  /// Returns the number of entries in (`start`, `end`]; computes it without visiting each entry if possible.
  func count(after start: WallInstant, through end: WallInstant) -> Int
}

/// The load that a timeline puts on the machine; TimelineView's `TimelineScheduleMode`.
public enum ScheduleMode: String, Sendable, Hashable, CaseIterable {
  /// Every entry.
  case normal
  /// Major entries only.
  case lowFrequency = "low-frequency"
}

/// The update rate that a run can currently expect from the daemon; TimelineView's `Context.Cadence`.
public enum Cadence: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// The full rate of the schedule, sub-second included.
  case live
  /// No more often than about once a second.
  case seconds
  /// No more often than about once a minute.
  case minutes

  /// Orders cadences from the most to the least frequent.
  public static func < (left: Cadence, right: Cadence) -> Bool { left.rawValue < right.rawValue }
}
