import TimelineCore

/// How the daemon comes up to a deadline: it wakes a little before, decides what is to be done at that very instant, makes
/// everything ready, and sleeps the short rest; at the deadline nothing is left but the call.
///
/// A thread that has slept for long finds its code and data in no cache and its processor in a deep sleep, and both cost more
/// than the decision itself. What happens meanwhile is looked at after the deadline, as if it had come then.
struct Approach: Sendable, Equatable {
  /// How long before a deadline the daemon wakes: longer than a wake-up is late and a decision takes, both at their coldest.
  static let lead = ElapsedTime.microseconds(400)
  /// The shortest time between two deadlines that are come up to. Closer ones are waited for as they are: everything is
  /// still warm, and the loop must not spend more than a tenth of its time looking at nothing else.
  static let gapMin = ElapsedTime.milliseconds(5)
  /// How much of the rest is spun for a job with `precision = "spin"`; before that the daemon sleeps.
  static let spin = ElapsedTime.microseconds(200)
  /// Deadlines that may be spun for in a second: with ``spin`` 2 % of one processor at most.
  static let spinsPerSecond = 100

  /// The deadline that was come up to last.
  private var last: WallInstant?
  /// When the second began in which spins are counted, and how many there were.
  private var second: (since: WallInstant, spins: Int)?

  static func == (left: Approach, right: Approach) -> Bool {
    left.last == right.last && left.second?.since == right.second?.since
      && left.second?.spins == right.second?.spins
  }

  /// When to wake for `deadline`.
  func wake(for deadline: WallInstant) -> WallInstant {
    guard let last, deadline - last < Self.gapMin, deadline > last else { return deadline - Self.lead }
    return deadline
  }

  /// Notes that the daemon has woken for `deadline` before its time.
  mutating func begin(_ deadline: WallInstant) { last = deadline }

  /// Whether the rest of the time to `deadline` may be spun; counts it if so.
  mutating func maySpin(to deadline: WallInstant) -> Bool {
    if let second, deadline >= second.since, deadline - second.since < .seconds(1) {
      guard second.spins < Self.spinsPerSecond else { return false }
      self.second = (second.since, second.spins + 1)
    } else {
      second = (deadline, 1)
    }
    return true
  }
}
