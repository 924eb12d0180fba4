package import TimelineCore

/// An entry's end: its one outcome, and what led to it. As the upstream of a reaction, also an entry that has none yet.
package struct EntryRecord: Sendable, Hashable {
  /// The job and the nominal instant; it says where the job stands, unless the record was read back.
  package var entry: EntryKey
  /// Cause of the run, whether it was started or not; ``RunCause/schedule`` for entries that share a record.
  package var cause: RunCause
  /// Outcome of the entry.
  package var outcome: Outcome
  /// One line for people that says why.
  package var reason: String
  /// The run, if there was one.
  package var run: RunID?
  // They stand between two optional values, where they make the record no longer. Records are copied for each entry.
  /// Whether entries before it are still to be decided, because the clock was set back; then it does not raise the job's watermark. No
  /// ledger keeps it.
  package var isAhead = false
  /// Stage of the entry. Before the end ``outcome`` stands for none, and ``endedAt`` is when the entry was reported.
  package var stage = Stage.ended
  /// Instant at which the first attempt was started, if one was; from the shell, that of the plugin's call. A run that only waited for a
  /// plugin host has none.
  package var startedAt: WallInstant?
  /// Instant at which the entry was settled; from the shell, the end of the plugin's last call if that settled it.
  package var endedAt: WallInstant
  /// Number of attempts.
  package var attempts: Int
  /// Number of consecutive entries that this record stands for, the last of them ``entry``; 1 for an entry that ran. The
  /// claims of all of them are finished.
  package var entryCount: Int
  /// The nominal instant of the first of them.
  package var firstNominal: WallInstant
  /// Clock steps during the run, which are not part of ``elapsed``. The shell sets it; the ledger does not store it.
  package var clockMoved = ElapsedTime.zero
  /// Incident of which a reaction is told with this record; `nil` for a reaction to the one entry, and for a record that is no upstream.
  package var incident: IncidentReport? {
    get { extra.incident }
    set { extra.incident = newValue }
  }
  /// The entry of another job that a reaction reacted to; `nil` for any other record, and when it is not known.
  package var upstream: EntryKey? {
    get { extra.upstream }
    set { extra.upstream = newValue }
  }
  // At most one, out of the way: few records have it.
  private var extras: [RecordExtra] = []
  private var extra: RecordExtra {
    get { extras.first ?? RecordExtra() }
    // None where there is nothing to keep, so that equal records are kept equally.
    set { extras = newValue == RecordExtra() ? [] : [newValue] }
  }

  /// Stage of an entry of which a reaction is told.
  package enum Stage: String, Sendable, Hashable, CaseIterable {
    /// It is due and has not begun.
    case waiting
    /// Its run has begun.
    case running
    /// It has its outcome.
    case ended
  }

  /// Word for the outcome, or for the stage of an entry that has none, as reactions are told it and as the ledger keeps it for them.
  package var stateText: String { stage == .ended ? outcome.rawValue : stage.rawValue }

  /// Returns the stage, and the outcome of one that has ended, of a ``stateText``; `nil` for a text that is none.
  package static func state(ofText text: String) -> (stage: Stage, outcome: Outcome)? {
    if let stage = Stage(rawValue: text), stage != .ended { return (stage, .unknown) }
    return Outcome(rawValue: text).map { (.ended, $0) }
  }

  /// Elapsed time from the start of the first attempt to the end, without clock steps; `nil` when it did not run.
  package var elapsed: ElapsedTime? { startedAt.map { endedAt - $0 - clockMoved } }

  /// Makes a record.
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
  /// Incident of which a reaction is told.
  var incident: IncidentReport?
  /// The entry that a reaction reacted to.
  var upstream: EntryKey?
}
