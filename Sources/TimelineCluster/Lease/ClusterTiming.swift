package import TimelineCore

/// Lengths of time that follow from the length of the lease.
package struct ClusterTiming: Sendable, Hashable {
  /// Length of the lease, at least ``leaseMin``.
  package let lease: ElapsedTime

  /// Makes the timing of a lease.
  package init(lease: ElapsedTime) { self.lease = max(lease, Self.leaseMin) }

  /// The shortest lease: a third of it has to be enough for a call, a lost one, and a new process of the store adapter.
  package static let leaseMin = ElapsedTime.seconds(2)
  /// The longest lease: nobody runs the jobs of a dead node before its end.
  package static let leaseMax = ElapsedTime.minutes(10)
  /// Difference between the clocks of node and store from which the node runs nothing for the cluster: entries are due by its own clock.
  package static let clockDifferenceMax = ElapsedTime.seconds(1)

  /// Time from one renewal to the next, so that two may fail.
  package var renewal: ElapsedTime { part(3) }
  /// Time for which a node relies on a renewal, from its *sending*: the store counts the whole lease from its arrival, which is later.
  package var trust: ElapsedTime { lease - part(10) }
  /// Time that the store adapter has for a call; then it is replaced.
  package var call: ElapsedTime { min(.seconds(2), part(5)) }
  /// Pause after a failed call.
  package var retry: ElapsedTime { part(20) }

  private func part(_ divisor: Int64) -> ElapsedTime { .nanoseconds(lease.nanoseconds / divisor) }

  /// Whether a node whose lease ended at `leaseUntil`, by the clock of the store, certainly did not start an entry.
  ///
  /// It started nothing later than ``trust`` after its last renewal, and nothing before the entry's instant on its own clock, which may
  /// have been ahead of the store's.
  package func isCertainlyUnstarted(_ nominal: WallInstant, leaseUntil: WallInstant) -> Bool {
    nominal > leaseUntil - part(10) + Self.clockDifferenceMax
  }
}
