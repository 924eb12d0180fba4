/// A type-erased schedule.
///
/// A program holds a schedule of any type as `any Schedule`, and an existential is not itself a ``Schedule``:
///
/// ```swift
/// import TimelineCore
///
/// let schedules: [any Schedule] = [.everyMinute, .periodic(from: .epoch, by: .seconds(0.5))]
/// for schedule in schedules.map(AnySchedule.init) {
///   print(schedule.next(after: .epoch) ?? .max)  // 1970-01-01T00:01:00Z, then 1970-01-01T00:00:00.5Z
/// }
/// ```
public struct AnySchedule: Schedule {
  private let schedule: any Schedule

  /// Wraps `schedule`.
  public init(_ schedule: any Schedule) { self.schedule = schedule }

  /// The entries of the wrapped schedule.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> AnySequence<WallInstant> {
    AnySequence(schedule.entries(from: start, mode: mode))
  }

  /// The answer of the wrapped schedule.
  public func next(after instant: WallInstant) -> WallInstant? { schedule.next(after: instant) }

  /// The answer of the wrapped schedule.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    schedule.latest(atOrBefore: instant)
  }

  /// The answer of the wrapped schedule.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    schedule.count(after: start, through: end)
  }
}
