import TimelineClocks
import TimelineCore

/// Time of a rehearsal: a line from the system's clock, and the pace that an operator has chosen.
///
/// A pure value. Every change is made at an instant of the system's clock and begins a new line there, so time never goes back.
struct RehearsalTime: Sendable, Equatable {
  /// Pace of a clock that is not paused.
  enum Pace: Sendable, Hashable {
    /// Nanoseconds for each nanosecond of the system's clock; never 0.
    case speed(Speed)
    /// From deadline to deadline without a wait while no run is active, and at real pace while one is.
    ///
    /// A plugin takes the time that it takes. At another pace its timeout would come sooner and its run would be in the way of
    /// entries that it leaves alone in real life.
    case max
  }

  /// The line of the clock; at real pace under ``Pace/max``.
  private(set) var line: AffineTime
  /// The pace, or the pace after the clock is resumed.
  private(set) var pace: Pace

  /// Makes a time that stands at `virtual` when the system's clock shows `base`; without a pace it is paused, and resumed at real pace.
  init(base: WallInstant, virtual: WallInstant, pace: Pace?) {
    line = AffineTime(base: base, virtual: virtual, speed: pace == nil ? .paused : .normal)
    self.pace = .speed(.normal)
    if let pace { set(pace, at: base) }
  }

  /// Whether it stands still.
  var isPaused: Bool { line.isPaused }

  /// Returns the time when the system's clock shows `base`.
  func now(base: WallInstant) -> WallInstant { line.now(base: base) }

  /// Stands still.
  mutating func pause(at base: WallInstant) { line = line.pausing(at: base) }

  /// Goes on at its pace.
  mutating func resume(at base: WallInstant) { line = line.resuming(at: base) }

  /// Goes on at `pace`, paused before or not.
  mutating func set(_ pace: Pace, at base: WallInstant) {
    self.pace = pace
    switch pace {
    case .speed(let speed): line = line.settingSpeed(speed, at: base)
    case .max: line = line.settingSpeed(.normal, at: base)
    }
  }

  /// Stands at `instant` and goes on as before; an earlier instant changes nothing.
  mutating func leap(to instant: WallInstant, at base: WallInstant) {
    line = line.leaping(to: instant, at: base)
  }

  /// Goes on from where it stood when the system's clock, which shows `base` now, was set by `step`.
  mutating func follow(_ step: ElapsedTime, at base: WallInstant) {
    let reached = line.anchored(at: base - step)
    let moved = AffineTime(base: base, virtual: reached.virtualAnchor, speed: reached.speed)
    line = isPaused ? moved.pausing(at: base) : moved
  }

  /// Whether it goes to the next deadline at once when `isIdle`, as no run is active.
  func leapsToDeadlines(isIdle: Bool) -> Bool { pace == .max && !isPaused && isIdle }

  /// Returns the instant of the system's clock, which shows `base` now, at which to wake for `deadline`; `nil` for never.
  func wakeInstant(for deadline: WallInstant, at base: WallInstant, isIdle: Bool) -> WallInstant? {
    leapsToDeadlines(isIdle: isIdle) ? base : line.baseInstant(for: deadline)
  }
}

extension RehearsalTime.Pace: CustomStringConvertible {
  /// `60`, or `max`.
  var description: String {
    switch self {
    case .speed(let speed): "\(speed)"
    case .max: "max"
    }
  }

  /// Reads `max`, or a speed above 0 as ``Speed`` reads it; `nil` for 0, which is no pace.
  init?(parsing text: String) throws(SpeedError) {
    if text == "max" {
      self = .max
      return
    }
    let speed = try Speed(parsing: text)
    guard speed != .paused else { return nil }
    self = .speed(speed)
  }
}
