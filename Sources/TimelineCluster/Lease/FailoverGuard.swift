import TimelineCore

/// Caution after a standby has taken the store's place: claims that it has never received may be in force.
///
/// Each node publishes its claims of the last while again. Until all have had the time to, nobody claims what is due before.
struct FailoverGuard: Sendable, Hashable {
  /// Identity of the store that answered last; `nil` before the first answer.
  private(set) var identity: String?
  /// Instant until which no entry is claimed that is due before it.
  private var quietUntil: WallInstant?

  /// A guard that knows the store of the last life.
  init(knowing identity: String? = nil) { self.identity = identity }

  /// Takes in who answers, at `storeTime` on the store's clock; returns whether it is another one than before.
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

  /// End of the time in which some entries are not claimed; `nil` when it has passed.
  func end(after now: WallInstant) -> WallInstant? { quietUntil.flatMap { $0 > now ? $0 : nil } }
}
