package import TimelineCore

/// Durations that follow from the length of the lease.
package struct ClusterTiming: Sendable, Equatable {
  /// At least ``leaseMin``.
  package let lease: ElapsedTime

  package init(lease: ElapsedTime) { self.lease = max(lease, Self.leaseMin) }

  /// The shortest lease. A third of the lease must suffice for a call, a lost call, and a new process of the store adapter.
  package static let leaseMin = ElapsedTime.seconds(2)
  /// The longest lease. The jobs of a dead node run on no node before its lease ends.
  package static let leaseMax = ElapsedTime.minutes(10)
  /// The largest tolerated difference between the clocks of node and store. If the difference is larger, the node runs no job
  /// of the cluster, because entries are due by the node's clock.
  package static let clockDifferenceMax = ElapsedTime.seconds(1)

  /// Time from one renewal to the next, short enough that two renewals may fail.
  package var renewal: ElapsedTime { part(3) }
  /// Time for which a node relies on a renewal, counted from the *sending* of the renewal. The store counts the lease from the
  /// arrival, which is later.
  package var trust: ElapsedTime { lease - part(10) }
  /// Timeout of a call. After the timeout the store adapter is replaced.
  package var call: ElapsedTime { min(.seconds(2), part(5)) }
  /// Pause after a failed call.
  package var retry: ElapsedTime { part(20) }

  private func part(_ divisor: Int64) -> ElapsedTime { .nanoseconds(lease.nanoseconds / divisor) }

  /// Whether a node whose lease ended at `leaseUntil`, by the clock of the store, cannot have started an entry.
  ///
  /// The node started nothing later than ``trust`` after its last renewal. It also started nothing before the entry's instant
  /// on its own clock, which may have been ahead of the store's clock.
  package func isCertainlyUnstarted(_ nominal: WallInstant, leaseUntil: WallInstant) -> Bool {
    nominal > leaseUntil - part(10) + Self.clockDifferenceMax
  }
}
