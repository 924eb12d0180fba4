public import TimelineCore

/// A straight line from one clock's time to another's: where the two were at one moment, and how fast from there.
///
/// `now = virtual + ⌊(base - anchor) · p / q⌋`, and the way back, for waking up, `anchor + ⌈(v - virtual) · q / p⌉`.
/// Rounding down in the one direction and up in the other makes a wake-up never early: at the base instant of an
/// instant, `now` has reached it. Integers of 128 bits carry the products, so nothing is lost and nothing
/// overflows; results saturate at the ends of `WallInstant`.
///
/// A pure value: it reads no clock and waits for none. ``ScaledClock`` is built on it, and so is anything with
/// a timer of its own:
///
/// ```swift
/// var time = AffineTime(base: systemNow, virtual: rehearsalStart, speed: 60)
/// timer.arm(at: time.baseInstant(for: nextDeadline))  // nil disarms: the clock is paused
/// time = time.pausing(at: laterSystemNow)
/// ```
///
/// Each change begins a new line at the virtual instant reached then, which is rounded down to a nanosecond, so a
/// change costs less than a nanosecond and time never goes back over it.
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
  /// Speed 0 begins it paused; it is resumed at real pace.
  public init(base: WallInstant, virtual: WallInstant, speed: Speed = .normal) {
    self.baseAnchor = base
    self.virtualAnchor = virtual
    self.isPaused = speed == .paused
    self.speed = isPaused ? .normal : speed
  }

  /// Returns the time of the virtual clock when the base clock shows `base`.
  ///
  /// Never earlier than the start of the line: a base clock that is set back makes the virtual one wait.
  public func now(base: WallInstant) -> WallInstant {
    guard base > baseAnchor else { return virtualAnchor }
    let elapsed = Int128(base.nanosecondsSinceEpoch) - Int128(baseAnchor.nanosecondsSinceEpoch)
    return WallInstant(
      nanosecondsSinceEpoch: Int64(
        clamping: Int128(virtualAnchor.nanosecondsSinceEpoch) + passed(in: elapsed)))
  }

  /// Returns the time that passes on the virtual clock while `elapsed` passes on the base clock, in either direction,
  /// saturating; rounded towards zero, and zero while paused.
  package func length(of elapsed: ElapsedTime) -> ElapsedTime {
    .nanoseconds(Int64(clamping: passed(in: Int128(elapsed.nanoseconds))))
  }

  private func passed(in elapsed: Int128) -> Int128 {
    isPaused ? 0 : elapsed * Int128(speed.numerator) / Int128(speed.denominator)
  }

  /// The earliest base instant at which the virtual clock has reached `virtual`.
  ///
  /// Where the line began for everything reached by then. `nil` when it will not be reached: the virtual clock is
  /// paused, or the base clock would be past `WallInstant.max`.
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

  /// The line that goes on from `base` at `speed`; 0 pauses, anything else runs, paused before or not.
  public func settingSpeed(_ speed: Speed, at base: WallInstant) -> AffineTime {
    if speed == .paused { return pausing(at: base) }
    return AffineTime(base: base, virtual: now(base: base), speed: speed)
  }

  /// The line that stands still from `base` on and remembers its speed.
  public func pausing(at base: WallInstant) -> AffineTime {
    var paused = anchored(at: base)
    paused.isPaused = true
    return paused
  }

  /// The line that runs on from `base` at the speed it had before it was paused.
  public func resuming(at base: WallInstant) -> AffineTime {
    var running = anchored(at: base)
    running.isPaused = false
    return running
  }

  /// The line that stands at `virtual` at `base` and goes on as before; the same as now when that lies behind.
  public func leaping(to virtual: WallInstant, at base: WallInstant) -> AffineTime {
    var there = anchored(at: base)
    there.virtualAnchor = max(there.virtualAnchor, virtual)
    return there
  }

  /// The same line, begun anew at `base`, where it stands at ``now(base:)``.
  ///
  /// If the base clock was set back, its time counts again from there on.
  public func anchored(at base: WallInstant) -> AffineTime {
    var anchored = self
    anchored.virtualAnchor = now(base: base)
    anchored.baseAnchor = base
    return anchored
  }
}
