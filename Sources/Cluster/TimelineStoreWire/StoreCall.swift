/// A call to the cluster's store. Each case has its own method on the wire.
///
/// All calls can be repeated. After a call with an unknown effect, the repetition does no harm and returns the result of the
/// first.
package enum StoreCall: Sendable, Equatable {
  /// Creates the store's tables, or migrates older tables.
  case initialize
  /// Makes the node a member of the cluster.
  case join(JoinCall)
  /// Renews the node's lease, and reads the state of all nodes and jobs.
  case renew(RenewCall)
  /// Ends the node's lease, and releases its jobs.
  case leave
  /// Makes the node the owner of jobs.
  case acquire(AcquireCall)
  /// Releases jobs.
  case release(ReleaseCall)
  /// Claims entries of jobs that the node owns.
  case claim(ClaimCall<WantedClaim>)
  /// Takes claims of former owners of jobs.
  case take(ClaimCall<TakenClaim>)
  /// Withdraws claims of entries that are no longer scheduled, or that the next owner will run.
  case withdraw(ClaimCall<WithdrawnClaim>)
  /// Stores outcomes of entries.
  case record(RecordCall)
  /// Stores recent claims again, after a failover of the store.
  case publish(ClaimCall<PublishedClaim>)
  /// Selects the active definitions of jobs.
  case activate(ActivateCall)
  /// Pauses or resumes a job on all nodes.
  case pause(PauseCall)
  /// Reads the outcomes from all nodes.
  case history(HistoryCall)
  /// Reads the state of the cluster and of the store.
  case status(StatusCall)

  /// Whether the call is made by a node, which names its epoch.
  package var needsEpoch: Bool {
    switch method {
    case .join, .renew, .leave, .acquire, .release, .claim, .take, .withdraw, .publish: true
    case .initialize, .record, .activate, .pause, .history, .status: false
    }
  }

  /// Name of the method on the wire.
  package var method: StoreMethod {
    switch self {
    case .initialize: .initialize
    case .join: .join
    case .renew: .renew
    case .leave: .leave
    case .acquire: .acquire
    case .release: .release
    case .claim: .claim
    case .take: .take
    case .withdraw: .withdraw
    case .record: .record
    case .publish: .publish
    case .activate: .activate
    case .pause: .pause
    case .history: .history
    case .status: .status
    }
  }
}

/// Name of a method of the store.
package enum StoreMethod: String, Codable, CaseIterable, Sendable, Hashable {
  /// Methods of the ``StoreCall`` cases with the same names.
  case initialize, join, renew, leave, acquire, release, claim, take, withdraw, record, publish, activate
  /// Methods of the ``StoreCall`` cases with the same names.
  case pause, history, status
}

/// Result of a call.
package enum StoreReply: Sendable, Equatable {
  /// Success without a result.
  case done
  /// Reply to ``StoreCall/join(_:)``.
  case join(JoinReply)
  /// Reply to ``StoreCall/renew(_:)``.
  case renew(RenewReply)
  /// Reply to ``StoreCall/acquire(_:)``.
  case acquire(AcquireReply)
  /// Reply to ``StoreCall/claim(_:)`` and ``StoreCall/take(_:)``.
  case claim(ClaimReply)
  /// Reply to ``StoreCall/record(_:)`` and ``StoreCall/publish(_:)``.
  case conflicts(ConflictReply)
  /// Reply to ``StoreCall/history(_:)``.
  case history(StoreHistoryReply)
  /// Reply to ``StoreCall/status(_:)``.
  case status(StoreStatusReply)
}

/// Failure of a call.
package struct StoreFailure: Error, Codable, Sendable, Equatable {
  /// Kind of a failure, by its effect and its cause.
  package enum Kind: String, Codable, CaseIterable, Sendable, Hashable {
    /// The store cannot be reached, and the call had no effect.
    case unavailable
    /// The connection was lost or slow during the call. The call may have had its effect.
    case undecided
    /// The store refused the call, for example: permission denied, disk full, read-only server.
    case refused
    /// The store has no tables of the cluster, or older ones. `timelinectl cluster init` creates or migrates them.
    case uninitialized
    /// The tables belong to a later version of the program.
    case newer
    /// The call could not be decoded. One of the two programs has a bug.
    case malformed
  }

  package var kind: Kind
  /// One line for the operator: subject, error, remedy.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    (self.kind, self.message) = (kind, message)
  }
}

/// Limits of the messages between daemon and store adapter.
package enum StoreWireLimits {
  /// Maximum size of a message in bytes: below the limit of a SEQPACKET socket with the kernel's default buffers.
  package static let messageMax = 160 * 1024
  /// Entries in one call. The store reached its highest rate with 100 sorted claims per statement. More entries only make the
  /// statement longer.
  package static let entriesMax = 100
  /// Jobs in one call or in one part of a view.
  package static let jobsMax = 500
  /// Nodes in a view. With their labels they fill less than half of a message.
  package static let nodesMax = 100
  /// Bytes of a node's labels as JSON.
  package static let labelsMax = 512
  /// Records in one reply of history.
  package static let recordsMax = 200
  /// Size of a cursor in bytes.
  package static let cursorMax = 64 * 1024
  /// Size of a reason in bytes. A longer reason is cut.
  package static let reasonMax = 1024
}
