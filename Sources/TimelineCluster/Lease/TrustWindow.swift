/// The time in which a node may start runs of the cluster's jobs by itself.
///
/// A node cannot know when its lease ends in the store. It knows when it sent the renewal, which is earlier than the store's beginning of the
/// lease.
struct TrustWindow: Sendable, Hashable {
  /// End of the window; `nil` before the first renewal, and after the lease was lost.
  private(set) var end: BootInstant?

  /// Extends the window by a renewal that was sent at `sent` and has been acknowledged.
  mutating func extend(from sent: BootInstant, by timing: ClusterTiming) {
    let renewed = sent + timing.trust
    end = end.map { max($0, renewed) } ?? renewed
  }

  /// Closes the window: the store says that the lease is lost.
  mutating func close() { end = nil }

  /// Whether the window is open at `now`.
  func isOpen(at now: BootInstant) -> Bool { end.map { now < $0 } ?? false }
}
