/// Consecutive instants that a rule names and that its policies or windows leave out.
public struct Omission: Sendable, Hashable {
  /// The first instant.
  public var first: WallInstant
  /// The last instant.
  public var last: WallInstant
  /// The number of instants; at least 1.
  public var count: Int
  /// The reason: `excluded`, `dst-gap` or `dst-fold`.
  public var outcome: Outcome
  /// One line for people that names the cause.
  public var reason: String

  /// Makes an omission.
  public init(first: WallInstant, last: WallInstant, count: Int, outcome: Outcome, reason: String) {
    self.first = first
    self.last = last
    self.count = count
    self.outcome = outcome
    self.reason = reason
  }
}

extension ScheduleRule {
  /// Whether ``omissions(after:through:)`` can return anything; most rules leave nothing out.
  public var mayOmit: Bool {
    switch self {
    case .periodic, .animation, .explicit, .everyMinute: false
    case .cron(let schedule): schedule.search.mayOmit
    case .calendar(let schedule): schedule.search.mayOmit
    case .composed(let schedule): schedule.mayOmit
    }
  }

  /// Returns the instants in (`start`, `end`] that the rule names and does not run, ascending. An omission ends where the
  /// reason changes or an entry lies between.
  ///
  /// Times in a gap have no instant. They are reported at the instant of the clock change, unless an entry has that instant. If
  /// the policy runs them at the end of the gap, they are one entry, and nothing is omitted. Takes one step per clock change in
  /// the range.
  public func omissions(after start: WallInstant, through end: WallInstant) -> [Omission] {
    switch self {
    case .periodic, .animation, .explicit, .everyMinute: []
    case .cron(let schedule): schedule.search.omissions(after: start, through: end)
    case .calendar(let schedule): schedule.search.omissions(after: start, through: end)
    case .composed(let schedule): schedule.omissions(after: start, through: end)
    }
  }
}
