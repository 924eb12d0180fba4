import TimelineCore

/// Delay of claims after a failover, because the standby may lack claims that are in force.
///
/// Each node publishes its claims again. The delay is as long as a lease, which gives all nodes the time to publish. An entry
/// that is due before the end of the delay is claimed only after the end.
struct FailoverGuard: Sendable, Equatable {
  /// Identity of the store that answered last; `nil` before the first answer.
  private(set) var identity: String?
  /// End of the delay. Entries that are due before this instant are claimed only after it.
  private var quietUntil: WallInstant?

  init(knowing identity: String? = nil) { self.identity = identity }

  /// Records the identity of the store that answered, at `storeTime` on the store's clock. Returns whether the identity has
  /// changed.
  mutating func meet(_ identity: String, at storeTime: WallInstant, _ timing: ClusterTiming) -> Bool {
    defer { self.identity = identity }
    guard let former = self.identity, former != identity else { return false }
    quietUntil = storeTime + timing.lease
    return true
  }

  /// Whether an entry may be claimed at `now`.
  func mayClaim(_ nominal: WallInstant, at now: WallInstant) -> Bool {
    quietUntil.map { nominal >= $0 || now >= $0 } ?? true
  }

  /// End of the delay; `nil` after it has passed.
  func end(after now: WallInstant) -> WallInstant? { quietUntil.flatMap { $0 > now ? $0 : nil } }
}
