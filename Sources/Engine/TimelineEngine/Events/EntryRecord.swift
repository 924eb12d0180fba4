package import TimelineCore

/// The end of an entry: its outcome, with cause and reason. As the upstream of a reaction, also an entry without an outcome yet.
package struct EntryRecord: Sendable, Hashable {
  /// The entry, with the job's position in the engine unless the record was read back.
  package var entry: EntryKey
  /// Cause of the run, even if the run was not started; ``RunCause/schedule`` for entries that share a record.
  package var cause: RunCause
  package var outcome: Outcome
  /// One line for people.
  package var reason: String
  /// `nil` without a run.
  package var run: RunID?
  // The next two properties fill the padding between two optional values. Records are copied for each entry.
  /// Whether entries before this entry are still to be decided, because the clock was set back. The record then does not raise
  /// the job's watermark. The ledger does not store this property.
  package var isAhead = false
  /// Stage of the entry. Before the end, ``outcome`` has no meaning, and ``endedAt`` is the instant of the report.
  package var stage = Stage.ended
  /// Start of the first attempt; `nil` without an attempt. In a record from the shell: the instant of the plugin's call. A run
  /// that only waited for a plugin host has no start.
  package var startedAt: WallInstant?
  /// Instant at which the entry was settled. In a record from the shell: the end of the plugin's last call, if it settled the
  /// entry.
  package var endedAt: WallInstant
  package var attempts: Int
  /// Number of consecutive entries that this record stands for, the last of them ``entry``; 1 for an entry that ran. The
  /// claims of all these entries are finished.
  package var entryCount: Int
  /// Nominal instant of the first of these entries.
  package var firstNominal: WallInstant
  /// Clock steps during the run, which are not part of ``elapsed``. The shell sets this property. The ledger does not store
  /// it.
  package var clockMoved = ElapsedTime.zero
  /// Incident that this record reports to a reaction; `nil` for a reaction to a single entry, and for a record that is not an
  /// upstream.
  package var incident: IncidentReport? {
    get { extra.incident }
    set { extra.incident = newValue }
  }
  /// Upstream entry of a reaction; `nil` for any other record, or if unknown.
  package var upstream: EntryKey? {
    get { extra.upstream }
    set { extra.upstream = newValue }
  }
  /// The entry that the run repeats; `nil` for a record of any other run, or if unknown.
  package var rerun: RerunOrigin? {
    get { extra.rerun }
    set { extra.rerun = newValue }
  }
  // At most one element. Stored out of line, because few records have it.
  private var extras: [RecordExtra] = []
  private var extra: RecordExtra {
    get { extras.first ?? RecordExtra() }
    // Empty if there is nothing to store, so that equal records have equal representations.
    set { extras = newValue == RecordExtra() ? [] : [newValue] }
  }

  /// Stage of an entry, as reported to a reaction.
  package enum Stage: String, Sendable, Hashable, CaseIterable {
    /// The entry is due and has not begun.
    case waiting
    /// The run has begun.
    case running
    /// The entry has its outcome.
    case ended
  }

  /// Text of the outcome, or of the stage if the entry has no outcome yet. Passed to reactions, and stored in the ledger for
  /// them.
  package var stateText: String { stage == .ended ? outcome.rawValue : stage.rawValue }

  /// Returns the stage of a ``stateText``, and the outcome if the entry has ended. Returns `nil` for any other text.
  package static func state(ofText text: String) -> (stage: Stage, outcome: Outcome)? {
    if let stage = Stage(rawValue: text), stage != .ended { return (stage, .unknown) }
    return Outcome(rawValue: text).map { (.ended, $0) }
  }

  /// Elapsed time from the start of the first attempt to the end, without clock steps; `nil` without a start.
  package var elapsed: ElapsedTime? { startedAt.map { endedAt - $0 - clockMoved } }

  package init(
    entry: EntryKey, cause: RunCause = .schedule, outcome: Outcome, reason: String = "",
    run: RunID? = nil, startedAt: WallInstant? = nil, endedAt: WallInstant, attempts: Int = 0,
    entryCount: Int = 1, firstNominal: WallInstant? = nil
  ) {
    self.entry = entry
    self.cause = cause
    self.outcome = outcome
    self.reason = reason
    self.run = run
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.attempts = attempts
    self.entryCount = entryCount
    self.firstNominal = firstNominal ?? entry.nominal
  }
}

/// Parts that few records have.
private struct RecordExtra: Sendable, Hashable {
  var incident: IncidentReport?
  var upstream: EntryKey?
  var rerun: RerunOrigin?
}
