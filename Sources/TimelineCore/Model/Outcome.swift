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
  /// It may have run: the daemon died between claim and result.
  case unknown
  /// It did not run because the job was still running.
  case overlapped
  /// It did not run because a later entry took its place.
  case superseded
  /// It did not run because the daemon did not get to it in time.
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

  /// Class of the outcome: the one place that decides how it is shown, and which reaction it has.
  package var kind: Kind {
    switch self {
    case .succeeded: .success
    case .failed, .timedOut, .lost, .unknown: .failure
    case .cancelled: .cancellation
    case .missed, .overlapped, .limited: .miss
    case .superseded, .paused, .excluded, .daylightSavingGap, .daylightSavingFold, .lowFrequency, .shutDown:
      .omission
    }
  }

  /// Classes of outcomes: what went well, what went wrong, what somebody stopped, what should have run and did not, and what was
  /// not to run.
  package enum Kind: String, Sendable {
    case success, failure, cancellation, miss, omission
  }

  /// Names of all outcomes of a kind, in the order of the cases.
  package static func names(of kind: Kind) -> [String] {
    allCases.filter { $0.kind == kind }.map(\.rawValue)
  }

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
