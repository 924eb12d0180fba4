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
