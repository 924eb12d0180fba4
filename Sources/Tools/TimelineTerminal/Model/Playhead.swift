package import TimelineClocks
package import TimelineCore

/// A requested speed.
package enum Pace: Sendable, Equatable {
  /// A multiple of the base clock's pace.
  case speed(Speed)
  /// The highest speed at which entries can be simulated.
  case max
}

/// The clock of the view: an ``AffineTime`` whose speed keys change step by step. The last step is as fast as entries
/// can be simulated.
package struct Playhead: Sendable, Equatable {
  /// Speeds that keys choose from: from real time to a day each second.
  package static let speeds: [Speed] = [1, 2, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 21_600, 86_400]

  /// The highest of ``speeds``, a whole number.
  private static let fastest = speeds[speeds.count - 1]

  private var time: AffineTime
  /// Whether the clock runs as fast as entries can be simulated, unless it is paused.
  package private(set) var isMax = false

  /// Makes a clock that shows `instant` when the base clock shows `base`, and continues at `pace`.
  package init(at instant: WallInstant, base: WallInstant, pace: Pace) {
    switch pace {
    case .speed(let speed): time = AffineTime(base: base, virtual: instant, speed: speed)
    case .max:
      time = AffineTime(base: base, virtual: instant, speed: Self.fastest)
      isMax = true
    }
  }

  /// The time by which the clock moves in `interval` at the highest of ``speeds``.
  static func topStep(in interval: ElapsedTime) -> ElapsedTime { interval * fastest.numerator }

  package var isPaused: Bool { time.isPaused }

  /// Whether the clock is not faster than real time.
  var isSlow: Bool { !isMax && !time.speed.isFaster(than: .normal) }

  /// `60x` or `max`.
  package var speedText: String { isMax ? "max" : "\(time.speed)x" }

  /// The instant that the clock shows.
  package func now(base: WallInstant) -> WallInstant {
    isMax ? time.virtualAnchor : time.now(base: base)
  }

  /// Plays or pauses.
  package mutating func toggle(at base: WallInstant) {
    move(to: now(base: base), at: base)
    time = time.isPaused ? time.resuming(at: base) : time.pausing(at: base)
  }

  /// Continues at the next higher speed.
  package mutating func accelerate(at base: WallInstant) {
    guard !isMax else { return }
    let faster = Self.speeds.first { $0.isFaster(than: time.speed) }
    guard let faster else { return setMax(at: base) }
    set(faster, at: base)
  }

  /// Continues at the next lower speed.
  package mutating func decelerate(at base: WallInstant) {
    if isMax {
      move(to: now(base: base), at: base)
      isMax = false
    } else if let slower = Self.speeds.last(where: { time.speed.isFaster(than: $0) }) {
      set(slower, at: base)
    }
  }

  /// Moves to `instant`, earlier or later, and continues from there at the same pace.
  package mutating func move(to instant: WallInstant, at base: WallInstant) {
    let isPaused = time.isPaused
    time = AffineTime(base: base, virtual: instant, speed: time.speed)
    if isPaused { time = time.pausing(at: base) }
  }

  private mutating func set(_ speed: Speed, at base: WallInstant) {
    let isPaused = time.isPaused
    time = AffineTime(base: base, virtual: now(base: base), speed: speed)
    if isPaused { time = time.pausing(at: base) }
  }

  private mutating func setMax(at base: WallInstant) {
    move(to: now(base: base), at: base)
    isMax = true
  }
}

extension Speed {
  fileprivate func isFaster(than other: Speed) -> Bool {
    numerator * other.denominator > other.numerator * denominator
  }
}
