/// The clock of the members of etcd, estimated from their replies.
///
/// A reply has a date in whole seconds. The reply was sent after the request was sent and before the reply arrived. Each reply
/// therefore limits the difference between the two clocks to an interval. Replies in different parts of a second narrow the
/// interval to less than a second.
package struct StoreClock: Sendable, Equatable {
  /// Bounds of the store's clock minus this machine's clock, in nanoseconds.
  private struct Bounds: Sendable, Equatable {
    var low: Int64
    var high: Int64
  }

  /// Maximum number of replies that are kept. Older replies are dropped, because clocks drift and are set.
  private static let countMax = 32
  private static let second: Int64 = 1_000_000_000

  private var replies: [Bounds] = []

  /// Makes a clock that shows this machine's time until the first reply.
  package init() {}

  /// Records the date of a reply, in seconds since 1970, with the instants of request and arrival.
  package mutating func take(date: Int64, sent: Int64, received: Int64) {
    let bounds = Bounds(low: date * Self.second - received, high: (date + 1) * Self.second - sent)
    // The bounds are contradictory: a clock was set, or another member has a different time.
    if let present, bounds.low > present.high || bounds.high < present.low { replies = [] }
    replies.append(bounds)
    if replies.count > Self.countMax { replies.removeFirst() }
  }

  /// Removes all replies, before another member is used.
  package mutating func forget() { replies = [] }

  private var present: Bounds? {
    guard let low = replies.map(\.low).max(), let high = replies.map(\.high).min() else { return nil }
    return Bounds(low: low, high: max(low, high))
  }

  /// The store's clock when this machine's clock shows `now`, within half a second.
  package func time(at now: Int64) -> Int64 { now + (present.map { $0.low + ($0.high - $0.low) / 2 } ?? 0) }

  /// The latest instant that the store's clock can show when this machine's clock shows `now`.
  package func latest(at now: Int64) -> Int64 { now + (present?.high ?? 0) }
}
