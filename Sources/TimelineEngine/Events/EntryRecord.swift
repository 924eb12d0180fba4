package import TimelineCore

/// The end of an entry: its outcome, with cause and reason. As the upstream of a reaction, also an entry without an outcome yet.
package struct EntryRecord: Sendable, Hashable {
  /// The job and the nominal instant, with the job's position in the engine unless the record was read back.
  package var entry: EntryKey
  /// Cause of the run, whether it was started or not; ``RunCause/schedule`` for entries that share a record.
  package var cause: RunCause
  /// Outcome of the entry.
  package var outcome: Outcome
  /// Reason for the outcome, as one line for people.
  package var reason: String
  /// The run, if there was one.
  package var run: RunID?
  // The next two properties fill the padding between two optional values. Records are copied for each entry.
  /// Whether entries before it are still to be decided, because the clock was set back. The record then does not raise the
  /// job's watermark. The ledger does not store this.
  package var isAhead = false
  /// Stage of the entry. Before the end, ``outcome`` has no meaning, and ``endedAt`` is the instant of the report.
  package var stage = Stage.ended
  /// Instant at which the first attempt was started, if one was. In a record from the shell, the instant of the plugin's call. A
  /// run that only waited for a plugin host has none.
  package var startedAt: WallInstant?
  /// Instant at which the entry was settled. In a record from the shell, the end of the plugin's last call if that settled it.
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
  /// Incident that this record reports to a reaction; `nil` for a reaction to a single entry, and for a record that is no
  /// upstream.
  package var incident: IncidentReport? {
    get { extra.incident }
    set { extra.incident = newValue }
  }
  /// The entry of another job that a reaction reacted to; `nil` for any other record, and if it is not known.
  package var upstream: EntryKey? {
    get { extra.upstream }
    set { extra.upstream = newValue }
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
    /// It is due and has not begun.
    case waiting
    /// Its run has begun.
    case running
    /// It has its outcome.
    case ended
  }

  /// Text of the outcome, or of the stage of an entry without one, as passed to reactions and stored in the ledger for them.
  package var stateText: String { stage == .ended ? outcome.rawValue : stage.rawValue }

  /// Returns the stage of a ``stateText``, and the outcome if the entry has ended. Returns `nil` for any other text.
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
  /// Incident that the record reports to a reaction.
  var incident: IncidentReport?
  /// The entry that a reaction reacted to.
  var upstream: EntryKey?
}
