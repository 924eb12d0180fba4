/// The clock of the members of etcd, as far as their replies tell it.
///
/// A reply has a date in whole seconds. It was sent between the request and its arrival, so that each reply gives two bounds of the
/// difference between the two clocks. Those of replies that come in different parts of a second are narrower than a second.
package struct StoreClock: Sendable, Hashable {
  /// Bounds of the store's clock minus this machine's, in nanoseconds.
  private struct Bounds: Sendable, Hashable {
    var low: Int64
    var high: Int64
  }

  /// Number of replies that count: clocks drift, and are set.
  private static let countMax = 32
  private static let second: Int64 = 1_000_000_000

  private var replies: [Bounds] = []

  /// Makes a clock that is taken for this machine's until the first reply.
  package init() {}

  /// Takes in the date of a reply, in seconds since 1970, between the instants of request and arrival.
  package mutating func take(date: Int64, sent: Int64, received: Int64) {
    let bounds = Bounds(low: date * Self.second - received, high: (date + 1) * Self.second - sent)
    // A clock was set, or another member has another time.
    if let present, bounds.low > present.high || bounds.high < present.low { replies = [] }
    replies.append(bounds)
    if replies.count > Self.countMax { replies.removeFirst() }
  }

  /// Forgets everything, because another member answers.
  package mutating func forget() { replies = [] }

  private var present: Bounds? {
    guard let low = replies.map(\.low).max(), let high = replies.map(\.high).min() else { return nil }
    return Bounds(low: low, high: max(low, high))
  }

  /// The store's clock at an instant of this machine's, within half a second.
  package func time(at now: Int64) -> Int64 { now + (present.map { $0.low + ($0.high - $0.low) / 2 } ?? 0) }

  /// The latest instant that the store's clock can show at an instant of this machine's.
  package func latest(at now: Int64) -> Int64 { now + (present?.high ?? 0) }
}
