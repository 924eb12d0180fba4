/// The time in which a node may start runs of the cluster's jobs.
///
/// The exact end of the lease in the store is not visible to the node. The window is therefore counted from the sending of the
/// renewal, which is earlier than the beginning of the lease in the store.
struct TrustWindow: Sendable, Equatable {
  /// End of the window; `nil` before the first renewal, and after the lease was lost.
  private(set) var end: BootInstant?

  /// Extends the window by a renewal that was sent at `sent` and has been acknowledged.
  mutating func extend(from sent: BootInstant, by timing: ClusterTiming) {
    let renewed = sent + timing.trust
    end = end.map { max($0, renewed) } ?? renewed
  }

  /// Closes the window, because the store reports the lease as lost.
  mutating func close() { end = nil }

  /// Whether the window is open at `now`.
  func isOpen(at now: BootInstant) -> Bool { end.map { now < $0 } ?? false }
}
