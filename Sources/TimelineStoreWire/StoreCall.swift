/// A call to the cluster's store. Each case has a method of its own on the wire.
///
/// All calls can be repeated: after an undecided call, the second one does no harm and returns the result of the first.
package enum StoreCall: Sendable, Hashable {
  /// Create the store's tables, or bring older ones to the present form.
  case initialize(InitializeCall)
  /// Become a member of the cluster.
  case join(JoinCall)
  /// Renew the node's lease, and read the state of the other nodes.
  case renew(RenewCall)
  /// End the node's lease, and give up its jobs.
  case leave(LeaveCall)
  /// Become the owner of jobs.
  case acquire(AcquireCall)
  /// Give up jobs.
  case release(ReleaseCall)
  /// Claim entries of jobs that the node owns.
  case claim(ClaimCall)
  /// Take claims of former owners of jobs.
  case take(TakeCall)
  /// Withdraw claims to entries that are no longer scheduled, or that the next owner will run.
  case withdraw(WithdrawCall)
  /// Store the outcomes of entries.
  case record(RecordCall)
  /// Store recent claims again, after a standby has taken the store's place.
  case publish(PublishCall)
  /// Choose the definitions by which jobs run.
  case activate(ActivateCall)
  /// Pause or resume a job for all nodes.
  case pause(PauseCall)
  /// Read outcomes of all nodes.
  case history(HistoryCall)
  /// Read the state of the cluster and of the store.
  case status(StatusCall)

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
  /// Method of a ``StoreCall`` with the same name.
  case initialize, join, renew, leave, acquire, release, claim, take, withdraw, record, publish, activate
  /// Method of a ``StoreCall`` with the same name.
  case pause, history, status
}

/// Result of a call.
package enum StoreReply: Sendable, Hashable {
  /// The call has no result but success.
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
package struct StoreFailure: Error, Codable, Sendable, Hashable {
  /// Kind of a failure, by its effect and its cause.
  package enum Kind: String, Codable, CaseIterable, Sendable, Hashable {
    /// The store cannot be reached, and the call had no effect.
    case unavailable
    /// The store was lost or slow during the call, which may have had its effect.
    case undecided
    /// The store refused the call, for example for lack of rights, because the disk is full, or because the server is read-only.
    case refused
    /// The store has no tables of a cluster, or older ones; `timelinectl cluster init` makes them.
    case uninitialized
    /// The tables are of a later version of the program.
    case newer
    /// The call could not be decoded; a fault of one of the programs.
    case malformed
  }

  /// Kind of the failure.
  package var kind: Kind
  /// One line for the operator: subject, error, remedy.
  package var message: String

  /// Makes a failure.
  package init(_ kind: Kind, _ message: String) {
    (self.kind, self.message) = (kind, message)
  }
}

/// Limits of the messages between daemon and store adapter.
package enum StoreWireLimits {
  /// Bytes of a message: the maximum for a SEQPACKET socket with the kernel's default buffers, with room to spare.
  package static let messageMax = 160 * 1024
  /// Entries in one call. 100 sorted claims in a statement reached the store's highest rate; more only makes the statement
  /// longer.
  package static let entriesMax = 100
  /// Jobs in one call or in one part of a view.
  package static let jobsMax = 500
  /// Nodes in a view: with their labels they fill less than half of a message.
  package static let nodesMax = 100
  /// Bytes of a node's labels as JSON.
  package static let labelsMax = 512
  /// Records in one reply of history.
  package static let recordsMax = 200
  /// Bytes of a cursor.
  package static let cursorMax = 64 * 1024
  /// Bytes of a reason; a longer one is cut.
  package static let reasonMax = 1024
}
