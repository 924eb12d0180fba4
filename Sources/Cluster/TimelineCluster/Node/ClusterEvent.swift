package import TimelineCore
package import TimelineEngine
package import TimelineStoreWire

/// An event for a node of a cluster.
package enum ClusterEvent: Sendable, Equatable {
  /// The armed instant has come, or the shell woke for another reason.
  case wake
  /// The call with this number has ended. The result is a failure if the call or the store adapter ended without an answer.
  case answered(UInt64, Result<StoreReply, StoreFailure>)
  /// Jobs of the configuration that one node of the cluster is to run.
  case configured([ClusterJob])
  /// The engine requests claims to entries of jobs that the node owns.
  case claim([EntryKey])
  /// The engine withdraws claims to entries that are no longer scheduled.
  case withdraw([EntryKey])
  /// A run of the entry was started.
  case started(EntryKey)
  /// A job that the node owns was paused at `since`, or resumed if `since` is `nil`. The store keeps the state for the next
  /// owner.
  case paused(JobName, since: WallInstant?)
  /// An operator activates this node's definitions of jobs. Without names, the definitions of all jobs that run by another
  /// definition are activated.
  case activate([JobName])
  /// Whether the ledger has records that the store does not have.
  case hasRecords(Bool)
  /// The daemon is about to end and no run is active. The node gives up its jobs and leaves. ``ClusterEffect/left`` follows.
  case leave
}

/// State from the previous daemon process of a node.
package struct FormerLife: Sendable, Equatable {
  /// Epoch of the previous process; `nil` without proof that the process has ended.
  ///
  /// The epoch is never read from a disk: the state directory may be a copy, and the daemon of the original may still be
  /// running.
  package var epoch: String?
  /// Identity of the store; `nil` if unknown.
  package var store: String?
  /// Claims of that life whose tokens were reassigned, in order of their keys.
  package var reassigned: [ReassignedClaim] = []

  package init(epoch: String? = nil, store: String? = nil) { (self.epoch, self.store) = (epoch, store) }
}

/// A claim whose token was reassigned: the store has the token with which it was granted, and another entry may have been started
/// with that one.
package struct ReassignedClaim: Sendable, Equatable {
  /// Entry, or window, of the claim.
  package var key: EntryKey
  /// Token in the store.
  package var granted: Int64
  /// Token with which the entry is, or was, started.
  package var token: Int64

  /// Makes a claim.
  package init(_ key: EntryKey, granted: Int64, token: Int64) {
    (self.key, self.granted, self.token) = (key, granted, token)
  }
}

/// The entries of the cluster that this node has started or decided.
package struct LocalEntries {
  /// Returns the nominal instants of a job's entries with an active run, or with a run that an earlier daemon left open.
  let open: (JobName) -> [WallInstant]
  /// Returns whether an entry has an outcome in this node's ledger.
  let hasOutcome: (EntryKey) -> Bool

  /// Makes entries from the functions that find them.
  package init(
    open: @escaping (JobName) -> [WallInstant] = { _ in [] },
    hasOutcome: @escaping (EntryKey) -> Bool = { _ in false }
  ) {
    (self.open, self.hasOutcome) = (open, hasOutcome)
  }
}

/// An action of the shell for a node of a cluster. Effects are performed in the order in which they are returned.
package enum ClusterEffect: Sendable, Equatable {
  /// Wakes the node at this instant; `nil` disarms.
  case arm(BootInstant?)
  /// Sends a request to the store adapter. ``ClusterEvent/answered(_:_:)`` has the answer. At most one call is in flight.
  case send(StoreRequest)
  /// Sends the oldest records that the store does not have, as a ``StoreCall/record(_:)`` with this number.
  /// ``ClusterEvent/answered(_:_:)`` has the answer. After success, the shell removes them from the unsent records and reports
  /// ``ClusterEvent/hasRecords(_:)``.
  case sendRecords(UInt64)
  /// Replaces the process of the store adapter, because its call is late. The call gets no answer.
  case replaceAdapter
  /// Lets the engine run these jobs.
  case takeOver([OwnedJob])
  /// Stops the engine from starting further runs of these jobs. If the jobs are given up, the claims of entries that were not
  /// started are withdrawn.
  case handOver(Set<JobName>, isGivenUp: Bool)
  /// Passes answers to the engine.
  case answer([ClaimAnswer])
  /// Keeps the state of the node for the next daemon process. It comes before effects that lead to starts.
  case keep(FormerLife)
  /// Logs a notice for the operator.
  case tell(ClusterNotice)
  /// The node has left the cluster, or cannot leave it.
  case left
}
