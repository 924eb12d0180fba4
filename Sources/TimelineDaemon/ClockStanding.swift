import TimelineCore
import TimelineSystem

/// How far the wall clock stands ahead of the clock that nobody sets, and by whom a step of it was noticed first.
///
/// The kernel tells of a step as it tells of anything else that is ready: others may be served before it, and would take what the
/// clock was set by for time that has passed. So whoever reads the clock looks as well, and no step is told twice.
struct ClockStanding: Sendable {
  /// What both clocks show at about one moment.
  struct Reading: Sendable, Hashable {
    let wall: WallInstant
    let monotonic: MonotonicInstant

    fileprivate var distance: ElapsedTime {
      ElapsedTime(
        nanoseconds: wall.nanosecondsSinceEpoch.subtractingSaturating(monotonic.nanosecondsSinceBoot))
    }
  }

  private var distance: ElapsedTime
  /// Whether a step was seen of which the kernel has still to tell.
  private var hasSeenStep = false

  /// Smaller steps are left to the kernel to tell of: they are harmless until then.
  static let seenMin = ElapsedTime.milliseconds(100)

  init(of reading: Reading) { distance = reading.distance }

  /// How far the clock was set by what `reading` shows, if it was by ``seenMin`` or more.
  ///
  /// Between its two looks the thread may have been kept from its processor; only then or after a step `measured` is asked.
  mutating func see(_ reading: Reading, _ measured: @autoclosure () -> Reading) -> ElapsedTime? {
    guard isFar(reading) else { return nil }
    let measured = measured()
    guard isFar(measured) else { return nil }
    hasSeenStep = true
    return follow(measured)
  }

  /// How far the clock was set of which the kernel tells now; `nil` when that was seen before.
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

extension ClockStanding.Reading {
  /// What the system's clocks show: of a few looks the one that took the shortest time.
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
