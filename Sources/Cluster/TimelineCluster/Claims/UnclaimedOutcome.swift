import TimelineCore
package import TimelineEngine

/// Rule for outcomes of entries that a node ran without a claim, because the store did not answer.
///
/// A success is sent at once: the work is done. A failure may be the work of the next owner: a resource refuses the token of a run
/// that it has replaced. The store would count the failure as the outcome of the entry, and the next owner would not run the entry.
/// Therefore a failure is withheld until the store shows that the node still owns the job. If another node owns the job, that node
/// decides about the entry. If this node acquires the job later, it decides anew about an entry that has no outcome in the store.
package enum UnclaimedOutcome {
  /// Proof that a node owns a job.
  package enum Ownership: Sendable, Hashable, CaseIterable {
    /// The lease may have ended, and no snapshot of the store has been received since; or the job is being acquired.
    case unproven
    /// The last snapshot of the store names this node, and its lease lasts.
    case own
    /// The last snapshot of the store names another node, or none.
    case foreign
  }

  /// Whether an outcome is not sent to the store.
  ///
  /// An entry beside the schedule, such as a manual trigger, is sent at once: no other node runs it.
  ///
  /// - Parameters:
  ///   - record: The outcome.
  ///   - isUnclaimed: Whether the entry was run, or decided, without a claim.
  ///   - ownership: Whether the node owns the job.
  package static func isWithheld(_ record: EntryRecord, isUnclaimed: Bool, _ ownership: Ownership) -> Bool {
    guard isUnclaimed, record.cause.isOfSchedule, ownership != .own else { return false }
    switch record.outcome.kind {
    case .failure: return true
    case .success, .cancellation, .miss, .omission: return false
    }
  }
}
