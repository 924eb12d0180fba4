import TimelineCore
import TimelineSystem

/// Distance of the wall clock from the monotonic clock, and whether a step of it was detected before the kernel's
/// report.
///
/// The kernel reports a step like any other event: other events may be served before it, and would take the step for
/// time that has passed. So each reader of the clock checks for a step as well, and no step is reported twice.
struct ClockStepDetector: Sendable {
  /// Reading of both clocks at about one moment.
  struct Reading: Sendable, Hashable {
    let wall: WallInstant
    let monotonic: MonotonicInstant

    fileprivate var distance: ElapsedTime {
      ElapsedTime(
        nanoseconds: wall.nanosecondsSinceEpoch.subtractingSaturating(monotonic.nanosecondsSinceBoot))
    }
  }

  private var distance: ElapsedTime
  /// Whether a step was detected that the kernel has still to report.
  private var hasSeenStep = false

  /// Smaller steps are left to the kernel to report: they are harmless until then.
  static let seenMin = ElapsedTime.milliseconds(100)

  init(of reading: Reading) { distance = reading.distance }

  /// Returns the step of the clock that `reading` shows, if it is ``seenMin`` or more.
  ///
  /// The thread may have been kept from its processor between the two clocks; only then or after a step `measured` is
  /// called.
  mutating func see(_ reading: Reading, _ measured: @autoclosure () -> Reading) -> ElapsedTime? {
    guard isFar(reading) else { return nil }
    let measured = measured()
    guard isFar(measured) else { return nil }
    hasSeenStep = true
    return follow(measured)
  }

  /// Returns the step of the clock that the kernel reports now; `nil` when it was detected before.
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
  /// Reads the system's clocks: of three readings it returns the one that took the shortest time.
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
