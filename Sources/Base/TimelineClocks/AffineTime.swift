public import TimelineCore

/// A line: a linear function from the time of a base clock to the time of a virtual clock, given by one point and the speed.
///
/// The virtual time is `now = virtual + ⌊(base - anchor) · p / q⌋`. The base instant at which to wake for a virtual instant `v`
/// is `anchor + ⌈(v - virtual) · q / p⌉`. The first is rounded down and the second up, so a wake-up is never early: at the base
/// instant for `v`, `now` is `v` or later. The products are exact, because integers of 128 bits hold them. Results saturate at
/// the ends of `WallInstant`.
///
/// A pure value: it reads no clock and waits for none. ``ScaledClock`` is built on it. Code with its own timer uses it directly:
///
/// ```swift
/// var time = AffineTime(base: systemNow, virtual: rehearsalStart, speed: 60)
/// timer.arm(at: time.baseInstant(for: nextDeadline))  // nil disarms: the clock is paused
/// time = time.pausing(at: laterSystemNow)
/// ```
///
/// Each change begins a new line at the present virtual instant, rounded down to a nanosecond. So a change loses less than a
/// nanosecond, and virtual time never goes back.
public struct AffineTime: Sendable, Hashable {
  /// The time of the base clock at the start of the line.
  public private(set) var baseAnchor: WallInstant
  /// The time of the virtual clock at the start of the line.
  public private(set) var virtualAnchor: WallInstant
  /// The speed of the virtual clock, or its speed after it is resumed; never 0.
  public private(set) var speed: Speed
  /// Whether the virtual clock stands still.
  public private(set) var isPaused: Bool

  /// Begins a line at which the virtual clock stands at `virtual` when the base clock stands at `base`.
  ///
  /// With speed 0 the line begins paused, and ``resuming(at:)`` runs it at real pace.
  public init(base: WallInstant, virtual: WallInstant, speed: Speed = .normal) {
    self.baseAnchor = base
    self.virtualAnchor = virtual
    self.isPaused = speed == .paused
    self.speed = isPaused ? .normal : speed
  }

  /// Returns the time of the virtual clock when the base clock shows `base`.
  ///
  /// Never earlier than the start of the line. If the base clock is set to a time before the start, the virtual clock stands
  /// still until the base clock passes the start again.
  public func now(base: WallInstant) -> WallInstant {
    guard base > baseAnchor else { return virtualAnchor }
    let elapsed = Int128(base.nanosecondsSinceEpoch) - Int128(baseAnchor.nanosecondsSinceEpoch)
    return WallInstant(
      nanosecondsSinceEpoch: Int64(
        clamping: Int128(virtualAnchor.nanosecondsSinceEpoch) + passed(in: elapsed)))
  }

  /// Returns the time that passes on the virtual clock while `elapsed` passes on the base clock; zero while paused. `elapsed` may
  /// be negative. The result is rounded towards zero and saturates.
  package func length(of elapsed: ElapsedTime) -> ElapsedTime {
    .nanoseconds(Int64(clamping: passed(in: Int128(elapsed.nanoseconds))))
  }

  private func passed(in elapsed: Int128) -> Int128 {
    isPaused ? 0 : elapsed * Int128(speed.numerator) / Int128(speed.denominator)
  }

  /// Returns the earliest base instant at which the virtual clock has reached `virtual`.
  ///
  /// Returns the start of the line if `virtual` is not after ``virtualAnchor``. Returns `nil` if the virtual clock
  /// never reaches `virtual`, because the line is paused or the base clock would have to pass `WallInstant.max`.
  public func baseInstant(for virtual: WallInstant) -> WallInstant? {
    guard virtual > virtualAnchor else { return baseAnchor }
    guard !isPaused else { return nil }
    let ahead = Int128(virtual.nanosecondsSinceEpoch) - Int128(virtualAnchor.nanosecondsSinceEpoch)
    let product = ahead * Int128(speed.denominator)
    let numerator = Int128(speed.numerator)
    let needed = (product + numerator - 1) / numerator
    let instant = Int64(exactly: Int128(baseAnchor.nanosecondsSinceEpoch) + needed)
    return instant.map { WallInstant(nanosecondsSinceEpoch: $0) }
  }

  /// Returns the line that continues at `base` with `speed`. Speed 0 pauses the line; any other speed also resumes a paused line.
  public func settingSpeed(_ speed: Speed, at base: WallInstant) -> AffineTime {
    if speed == .paused { return pausing(at: base) }
    return AffineTime(base: base, virtual: now(base: base), speed: speed)
  }

  /// Returns the line that stands still from `base` on and keeps its speed.
  public func pausing(at base: WallInstant) -> AffineTime {
    var paused = anchored(at: base)
    paused.isPaused = true
    return paused
  }

  /// Returns the line that continues at `base` with the speed it had before it was paused.
  public func resuming(at base: WallInstant) -> AffineTime {
    var running = anchored(at: base)
    running.isPaused = false
    return running
  }

  /// Returns the line that shows `virtual` at `base` and continues as before. A `virtual` before the present virtual time has no
  /// effect.
  public func leaping(to virtual: WallInstant, at base: WallInstant) -> AffineTime {
    var there = anchored(at: base)
    there.virtualAnchor = max(there.virtualAnchor, virtual)
    return there
  }

  /// Returns the same line with a new start: `base` and ``now(base:)``.
  ///
  /// If the base clock was set to a time before the old start, the virtual clock continues from `base`.
  public func anchored(at base: WallInstant) -> AffineTime {
    var anchored = self
    anchored.virtualAnchor = now(base: base)
    anchored.baseAnchor = base
    return anchored
  }
}
