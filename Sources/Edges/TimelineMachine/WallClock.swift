public import TimelineClocks
public import TimelineCore
internal import TimelineSystem

/// The wall clock of this machine.
///
/// ```swift
/// import TimelineClocks
/// import TimelineCore
/// import TimelineMachine
///
/// let clock = try WallClock()
/// for await context in clock.contexts(of: .everyMinute) {
///   print("It is \(context.date).")
/// }
/// ```
///
/// Its sleeps end at an instant of the wall clock, through suspends and when the clock is set, and never early by what the clock
/// shows. Copies share one thread, which ends with the last of them: make one clock and hand it on.
public struct WallClock: TimelineClock {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let clock: SystemClock

  /// Makes the clock and starts its thread.
  ///
  /// - Throws: ``MachineError`` if the process has no descriptor or thread left.
  public init() throws(MachineError) {
    do {
      clock = try SystemClock()
    } catch {
      throw MachineError(error)
    }
  }

  /// The time of the wall clock.
  public var now: WallInstant { clock.now }

  /// One nanosecond, the resolution of an instant.
  public var minimumResolution: Duration { clock.minimumResolution }

  /// Sleeps until the wall clock shows `deadline`; returns at once if it does already.
  ///
  /// - Parameters:
  ///   - deadline: The time to wake.
  ///   - tolerance: Ignored: Linux wakes as early as it can.
  /// - Throws: `CancellationError` as soon as the task is canceled, and nothing else.
  public func sleep(until deadline: WallInstant, tolerance: Duration? = nil) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
