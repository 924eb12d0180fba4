package import TimelineCore
package import TimelineEngine

/// The ledger's record of one entry, or of several consecutive entries that share a record.
package struct LedgerEntry: Sendable, Equatable {
  /// The entry and its end. While the entry is open, the outcome is ``TimelineCore/Outcome/unknown``, the reason is empty, and
  /// the end is the latest recorded instant.
  package var record: EntryRecord
  /// Whether the entry has no outcome yet: it is claimed, or it runs.
  package var isOpen: Bool
  /// `nil` without a claim.
  package var claimedAt: WallInstant?
  /// Usage of the run in all attempts; none while the entry is open.
  package var usage: RunUsage
  /// Last lines of the run's output, joined by line ends; at most ``OutputTail/byteCountMax`` bytes. Written with the run's
  /// end.
  package var outputTail: String
  /// Attempts of the run, oldest first; empty for an entry that did not run, or that an older program has written.
  package var attempts: [LedgerAttempt]
  /// Actions of operators that triggered, repeated or cancelled the entry, oldest first.
  package var actions: [OperatorAction]

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

  /// Operator who requested the run; `nil` for none.
  package var requestedBy: Operator? { actions.first { $0.verb == .trigger || $0.verb == .rerun }?.by }
  /// Operator who cancelled the entry; `nil` for none.
  package var cancelledBy: Operator? { actions.first { $0.verb == .cancel }?.by }

  /// Whether an operator may have requested or cancelled the run.
  var mayHaveActions: Bool {
    record.cause.isOfOperator || record.cause == .recovery || record.outcome == .cancelled
      || isOpen && record.startedAt != nil
  }
}

/// One call of a plugin.
package struct LedgerAttempt: Sendable, Equatable {
  /// Number of the attempt within its run, from 1.
  package var number: Int
  package var startedAt: WallInstant
  /// `nil` while the attempt runs, or if its end is unknown.
  package var endedAt: WallInstant?
  /// Result of the attempt, as an outcome: `succeeded`, `failed`, `timed-out`, `cancelled`, `lost` or `unknown`; `nil` if
  /// ``endedAt`` is `nil`.
  package var outcome: Outcome?
  /// Result text of the plugin, or a description of the failure; one line.
  package var message: String

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
package struct HistoryQuery: Sendable, Equatable {
  /// Maximum number of entries. A query for this number takes about 10 ms of the daemon's only thread, and several times as
  /// long with details. The number is one more than the maximum for a client, to detect whether there are more entries.
  package static let limitMax = 1_001

  /// Job of the entries; `nil` for all jobs.
  package var job: JobName?
  /// Beginning of the span (inclusive). A record of several entries counts by its last entry.
  package var since: WallInstant?
  /// End of the span (exclusive). A record of several entries counts by its first entry.
  package var until: WallInstant?
  /// Whether only failures are returned.
  package var onlyFailures: Bool
  /// Whether only entries that were started are returned. If a job was blocked by its own run for long, all its skipped entries
  /// are scanned.
  package var onlyRuns: Bool
  /// Maximum number of entries, from 0 to ``limitMax``; other values are clamped.
  package var limit: Int
  /// Whether the output and the attempts of each run are read, too. This needs two more queries per run.
  package var hasDetails: Bool

  /// Makes a query; the default is the newest entries of all jobs.
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
