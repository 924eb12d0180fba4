/// Instants in a row that a rule names and that its policies or windows leave out.
public struct Omission: Sendable, Hashable {
  /// The first of them.
  public var first: WallInstant
  /// The last of them.
  public var last: WallInstant
  /// How many there are; at least 1.
  public var count: Int
  /// Why: `excluded`, `dst-gap` or `dst-fold`.
  public var disposition: Disposition
  /// One line for people that says what left them out.
  public var reason: String

  /// Makes an omission.
  public init(first: WallInstant, last: WallInstant, count: Int, disposition: Disposition, reason: String) {
    self.first = first
    self.last = last
    self.count = count
    self.disposition = disposition
    self.reason = reason
  }
}

extension ScheduleRule {
  /// Whether ``omissions(after:through:)`` can ever give anything: most rules leave nothing out.
  public var mayOmit: Bool { false }

  /// What the rule names in (`start`, `end`] and does not run, ascending; a row ends where the reason changes or an
  /// entry lies between.
  public func omissions(after start: WallInstant, through end: WallInstant) -> [Omission] { [] }
}
