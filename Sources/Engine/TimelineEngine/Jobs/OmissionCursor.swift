import TimelineCore

/// Position in the omissions of one job's rule: instants that the rule names and leaves out.
struct OmissionCursor: Sendable, Hashable {
  /// Instant up to which omissions are settled; `nil` if none is settled yet.
  private(set) var through: WallInstant?
  /// Instant before which omissions are not settled; `.max` for a job that has not been planned yet.
  private var since: WallInstant = .max

  /// Makes a position from a ledger, from the cluster's store, or from before the job's removal.
  init(_ through: WallInstant?) { self.through = through }

  /// Last instant whose omissions are settled or never will be.
  var origin: WallInstant { max(through ?? .min, since - .nanoseconds(1)) }

  /// Starts at an instant: earlier omissions are not settled. After several calls the earliest instant counts.
  mutating func begin(at instant: WallInstant) { since = min(since, instant) }

  /// Clears the start, because the schedule changed.
  mutating func restart() { since = .max }

  /// Marks omissions up to an instant as settled.
  mutating func settle(through end: WallInstant) { through = end }

  /// Marks omissions up to an instant as settled, unless later omissions are settled already.
  mutating func advance(to instant: WallInstant) { through = max(through ?? instant, instant) }
}
