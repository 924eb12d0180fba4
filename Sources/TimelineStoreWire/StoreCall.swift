/// A call of the cluster's store, each a method of its own.
///
/// All calls can be repeated: a second one after an undecided first does no harm and returns what the first did.
package enum StoreCall: Sendable, Hashable {
  /// Create the store's tables, or bring older ones to the present form.
  case initialize(InitializeCall)
  /// Become a member of the cluster.
  case join(JoinCall)
  /// Prolong the node's lease, and learn about the other nodes.
  case renew(RenewCall)
  /// End the node's lease, and give its jobs up.
  case leave(LeaveCall)
  /// Become the owner of jobs.
  case acquire(AcquireCall)
  /// Give jobs up.
  case release(ReleaseCall)
  /// Claim entries of jobs that the node owns.
  case claim(ClaimCall)
  /// Take claims over from former owners of jobs.
  case take(TakeCall)
  /// Give claims up of entries that left the timeline, or that the node leaves to the next owner.
  case withdraw(WithdrawCall)
  /// Store the outcomes of entries.
  case record(RecordCall)
  /// Store the claims of the last while again, after the store was replaced by a standby.
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
  /// Kind of a failure, by what is known about the call.
  package enum Kind: String, Codable, CaseIterable, Sendable, Hashable {
    /// The store cannot be reached, and the call had no effect.
    case unavailable
    /// The store was lost or slow while it had the call, which may have had its effect.
    case undecided
    /// The store refused the call: rights, a full disk, a server that only reads.
    case refused
    /// The store has no tables of a cluster, or older ones; `timelinectl cluster init` makes them.
    case uninitialized
    /// The tables are of a later version of the program.
    case newer
    /// The call could not be read; a fault of one of the programs.
    case malformed
  }

  /// Kind of the failure.
  package var kind: Kind
  /// One line for people: what failed, on what, what to do.
  package var message: String

  /// Makes a failure.
  package init(_ kind: Kind, _ message: String) {
    (self.kind, self.message) = (kind, message)
  }
}

/// Limits of the messages between daemon and store adapter.
package enum StoreWireLimits {
  /// Bytes of a message: what a SEQPACKET socket takes with the kernel's default buffers, with room to spare.
  package static let messageMax = 160 * 1024
  /// Entries in one call: 100 sorted claims in a statement reached the store's highest rate, and more only makes the statement longer.
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
  /// Bytes of a reason; more is cut.
  package static let reasonMax = 1024
}
