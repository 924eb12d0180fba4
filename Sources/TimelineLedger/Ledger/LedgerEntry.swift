package import TimelineCore
package import TimelineEngine

/// All that the ledger knows of one entry, or of several in a row that share a record.
package struct LedgerEntry: Sendable, Hashable {
  /// The entry and its end; while it is open the outcome is ``TimelineCore/Outcome/unknown``, the reason is empty and
  /// the end is the last instant that is known of it.
  package var record: EntryRecord
  /// Whether it has no outcome yet: it is claimed, or it runs.
  package var isOpen: Bool
  /// Time of the claim, if there was one.
  package var claimedAt: WallInstant?
  /// Figures of what its run has used in all attempts; none while it is open.
  package var usage: RunUsage
  /// The last lines that its run wrote, joined by line ends; at most ``OutputTail/byteCountMax`` bytes. Filed with the run's end.
  package var outputTail: String
  /// Its run's attempts, oldest first; none for an entry that did not run and for what an older program has filed.
  package var attempts: [LedgerAttempt]
  /// The actions of operators that triggered or cancelled it, oldest first.
  package var actions: [OperatorAction]

  /// Makes an entry.
  package init(
    record: EntryRecord, isOpen: Bool = false, claimedAt: WallInstant? = nil,
    usage: RunUsage = RunUsage(), outputTail: String = "", attempts: [LedgerAttempt] = [],
    actions: [OperatorAction] = []
  ) {
    self.record = record
    self.isOpen = isOpen
    self.claimedAt = claimedAt
    self.usage = usage
    self.outputTail = outputTail
    self.attempts = attempts
    self.actions = actions
  }

  /// The operator who triggered it, if one did.
  package var triggeredBy: Operator? { actions.first { $0.verb == .trigger }?.by }
  /// The operator who cancelled it, if one did.
  package var cancelledBy: Operator? { actions.first { $0.verb == .cancel }?.by }

  /// Whether an operator may have triggered or cancelled it.
  var mayHaveActions: Bool {
    [.trigger, .recovery].contains(record.cause) || record.outcome == .cancelled
      || isOpen && record.startedAt != nil
  }
}

/// One call of a plugin.
package struct LedgerAttempt: Sendable, Hashable {
  /// Number of the attempt within its run; 1 is the first.
  package var number: Int
  /// Start of the attempt.
  package var startedAt: WallInstant
  /// End of the attempt; `nil` while it runs, or when its end is not known.
  package var endedAt: WallInstant?
  /// Result of the attempt, as an outcome: `succeeded`, `failed`, `timed-out`, `cancelled`, `lost` or `unknown`; `nil` while
  /// ``endedAt`` is.
  package var outcome: Outcome?
  /// Result text of the plugin, or a description of the failure; one line.
  package var message: String

  /// Makes an attempt.
  package init(
    number: Int, startedAt: WallInstant, endedAt: WallInstant? = nil, outcome: Outcome? = nil,
    message: String = ""
  ) {
    self.number = number
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.message = message
  }
}

/// Selection of entries for ``Ledger/history(_:)``.
package struct HistoryQuery: Sendable, Hashable {
  /// More would hold the daemon's one thread for too long: this many take some 10 ms, and several times that with their details. It is
  /// one more than a client is given, to tell whether there are more.
  package static let limitMax = 1_001

  /// Job of the entries; `nil` for all jobs.
  package var job: JobName?
  /// None that lie before this; a record that stands for several lies where its last does.
  package var since: WallInstant?
  /// None that lie at or after this; a record that stands for several lies where its first does.
  package var until: WallInstant?
  /// Whether all but failures are left out.
  package var onlyFailures: Bool
  /// Only what was started, whatever became of it; of a job that was in its own way for long, all its entries are gone through.
  package var onlyRuns: Bool
  /// Maximum number of entries, from 0 to ``limitMax``; other values are clamped.
  package var limit: Int
  /// Whether what each run wrote and its attempts are read too, which are two more questions to the file for each.
  package var hasDetails: Bool

  /// Makes a query; without arguments it asks for the newest entries of all jobs.
  package init(
    job: JobName? = nil, since: WallInstant? = nil, until: WallInstant? = nil, onlyFailures: Bool = false,
    onlyRuns: Bool = false, limit: Int = 100, hasDetails: Bool = true
  ) {
    self.job = job
    self.since = since
    self.until = until
    self.onlyFailures = onlyFailures
    self.onlyRuns = onlyRuns
    self.limit = limit
    self.hasDetails = hasDetails
  }
}
