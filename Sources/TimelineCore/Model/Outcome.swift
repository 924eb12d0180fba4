/// The outcome of an entry. Every entry ends with exactly one.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// It ran and reported success.
  case succeeded
  /// It ran and reported failure, or its host died.
  case failed
  /// It ran longer than the job's timeout and was stopped.
  case timedOut = "timed-out"
  /// It ran and was stopped by an operator, by an overlap policy or by the end of the daemon.
  case cancelled
  /// It ran at least once and its result could not be collected.
  case lost
  /// It may have run: the daemon died between intent and result.
  case unknown
  /// It did not run because the job was still running.
  case overlapped
  /// It did not run because a later entry took its place.
  case superseded
  /// It did not run because nobody was there at its time.
  case missed
  /// It did not run because the job was paused.
  case paused
  /// It did not run because a window or a holiday excluded it.
  case excluded
  /// It did not run because its civil time does not exist that day.
  case daylightSavingGap = "dst-gap"
  /// It did not run because its civil time came twice that day.
  case daylightSavingFold = "dst-fold"
  /// It did not run because the daemon was in low-frequency mode.
  case lowFrequency = "low-frequency"
  /// It did not run because a limit was reached.
  case limited
  /// It did not run because the daemon was shutting down and its ledger does not keep that it waited: it is of a job whose entries
  /// are only counted, or of a rehearsal.
  case shutDown = "shut-down"

  /// Whether the plugin was called for the entry, or may have been.
  public var ran: Bool {
    switch self {
    case .succeeded, .failed, .timedOut, .cancelled, .lost, .unknown: true
    case .overlapped, .superseded, .missed, .paused, .excluded, .daylightSavingGap, .daylightSavingFold,
      .lowFrequency, .limited, .shutDown:
      false
    }
  }
}
