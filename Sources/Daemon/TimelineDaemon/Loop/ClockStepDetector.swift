import TimelineCore
import TimelineSystem

/// Detector of steps of the wall clock, by the distance of the wall clock from the monotonic clock.
///
/// The kernel reports a step like any other event. For events that are handled before this report, the step would count as time
/// that has passed. So each reader of the clock checks for a step as well, and no step is reported twice.
struct ClockStepDetector: Sendable {
  /// Reading of both clocks at about the same instant.
  struct Reading: Sendable, Equatable {
    let wall: WallInstant
    let monotonic: MonotonicInstant

    fileprivate var distance: ElapsedTime {
      ElapsedTime(
        nanoseconds: wall.nanosecondsSinceEpoch.subtractingSaturating(monotonic.nanosecondsSinceBoot))
    }
  }

  private var distance: ElapsedTime
  /// Whether a step was detected that the kernel has not reported yet.
  private var hasSeenStep = false

  /// Smallest step that is detected here. Smaller steps are harmless until the kernel's report.
  static let seenMin = ElapsedTime.milliseconds(100)

  init(of reading: Reading) { distance = reading.distance }

  /// Returns the step of the clock that `reading` shows, if it is ``seenMin`` or more.
  ///
  /// `measured` is called only if the distance has changed by ``seenMin`` or more: after a step, or if the thread was preempted
  /// between reading the two clocks.
  mutating func see(_ reading: Reading, _ measured: @autoclosure () -> Reading) -> ElapsedTime? {
    guard isFar(reading) else { return nil }
    let measured = measured()
    guard isFar(measured) else { return nil }
    hasSeenStep = true
    return follow(measured)
  }

  /// Returns the step of the clock that the kernel reports now; `nil` if it was detected before.
  mutating func hear(_ measured: Reading) -> ElapsedTime? {
    defer { hasSeenStep = false }
    return hasSeenStep && !isFar(measured) ? nil : follow(measured)
  }

  private func isFar(_ reading: Reading) -> Bool {
    let step = reading.distance - distance
    return step >= Self.seenMin || .zero - step >= Self.seenMin
  }

  private mutating func follow(_ reading: Reading) -> ElapsedTime {
    defer { distance = reading.distance }
    return reading.distance - distance
  }
}

extension ClockStepDetector.Reading {
  /// Reads the system's clocks three times, and returns the reading that took the shortest time.
  static func measured() -> Self {
    var best: (width: ElapsedTime, reading: Self)?
    for _ in 0..<3 {
      let before = SystemTime.monotonic()
      let reading = Self(wall: SystemTime.now(), monotonic: before)
      let width = SystemTime.monotonic() - before
      if best.map({ width < $0.width }) ?? true { best = (width, reading) }
    }
    guard let best else { preconditionFailure("of three looks one is the shortest") }
    return best.reading
  }
}
