import TimelineClocks
import TimelineCore

/// Time of a rehearsal: a linear function (a line) of the system's time, and the pace that an operator has chosen.
///
/// A pure value. Every change is made at an instant of the system's clock and begins a new line there, so time never goes back.
struct RehearsalTime: Sendable, Equatable {
  /// Pace of a clock that is not paused.
  enum Pace: Sendable, Equatable {
    /// Nanoseconds for each nanosecond of the system's clock; never 0.
    case speed(Speed)
    /// Full speed: a jump from each deadline to the next while no run is active, and real pace while a run is active.
    ///
    /// A plugin needs real time. At another pace its timeout would come sooner, and its run would overlap entries that it does
    /// not overlap in real operation.
    case max
  }

  /// The line of the clock; at real pace under ``Pace/max``.
  private(set) var line: AffineTime
  /// The pace, or the pace after the clock is resumed.
  private(set) var pace: Pace

  /// Makes a time that is `virtual` when the system's clock shows `base`. Without a pace the time is paused, and a resume
  /// continues it at real pace.
  init(base: WallInstant, virtual: WallInstant, pace: Pace?) {
    line = AffineTime(base: base, virtual: virtual, speed: pace == nil ? .paused : .normal)
    self.pace = .speed(.normal)
    if let pace { set(pace, at: base) }
  }

  var isPaused: Bool { line.isPaused }

  /// Returns the time when the system's clock shows `base`.
  func now(base: WallInstant) -> WallInstant { line.now(base: base) }

  /// Pauses the time.
  mutating func pause(at base: WallInstant) { line = line.pausing(at: base) }

  /// Resumes the time at its pace.
  mutating func resume(at base: WallInstant) { line = line.resuming(at: base) }

  /// Sets the pace, and resumes the time if it is paused.
  mutating func set(_ pace: Pace, at base: WallInstant) {
    self.pace = pace
    switch pace {
    case .speed(let speed): line = line.settingSpeed(speed, at: base)
    case .max: line = line.settingSpeed(.normal, at: base)
    }
  }

  /// Sets the time to `instant`. From there the time goes on as before. An earlier instant changes nothing.
  mutating func leap(to instant: WallInstant, at base: WallInstant) {
    line = line.leaping(to: instant, at: base)
  }

  /// Keeps the time unchanged by a `step` of the system's clock, which shows `base` now.
  mutating func follow(_ step: ElapsedTime, at base: WallInstant) {
    let reached = line.anchored(at: base - step)
    let moved = AffineTime(base: base, virtual: reached.virtualAnchor, speed: reached.speed)
    line = isPaused ? moved.pausing(at: base) : moved
  }

  /// Whether the time goes to the next deadline at once. `isIdle` is true if no run is active.
  func leapsToDeadlines(isIdle: Bool) -> Bool { pace == .max && !isPaused && isIdle }

  /// Returns the instant of the system's clock at which to wake for `deadline`; `nil` for never. `base` is the present system
  /// time.
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

  /// Parses `max`, or a speed above 0 as ``Speed`` does; returns `nil` for 0, which is no pace.
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
