import TimelineCore
import TimelineEngine

/// State of an active run, kept until its end is filed.
struct RunNotes {
  var entry: EntryKey
  /// Latest attempt of the run.
  var attempt: LedgerAttempt
  /// Last lines of the output of all attempts.
  var tail = OutputTail()
  /// Usage of the attempts that have ended.
  var usage = RunUsage()
  /// Whether an earlier daemon started the run.
  var isOfEarlierDaemon = false

  init(entry: EntryKey, number: Int, startedAt: WallInstant) {
    self.entry = entry
    attempt = LedgerAttempt(number: number, startedAt: startedAt)
  }

  /// Usage of the run; unknown if the end of the latest attempt is not recorded.
  var usageOfRun: RunUsage { attempt.endedAt == nil ? RunUsage() : usage }

  /// Records the end and the usage of the latest attempt, and `startedAt` if its start is now known more exactly.
  mutating func end(
    _ outcome: AttemptResult, startedAt: WallInstant?, usage: RunUsage, at now: WallInstant
  ) {
    self.usage.add(usage)
    if let startedAt { attempt.startedAt = startedAt }
    attempt.endedAt = now
    attempt.outcome = Outcome(outcome.status)
    attempt.message = outcome.message
  }
}

/// Run numbers. The highest number ever assigned is in the file, so that no number is assigned twice.
///
/// Busy jobs write nothing at their starts. A whole block of numbers is written to the file for them. A daemon that dies
/// leaves the rest of its block unused.
struct RunNumbers {
  /// Number of run numbers in a block: one write in eight seconds at 120 starts per second.
  static let blockLength: UInt64 = 1_000
  /// The highest number assigned.
  var highest: UInt64 = 0
  /// The highest number that needs no further write.
  var reserved: UInt64 = 0
  /// Value of ``reserved`` in the file.
  var filed: UInt64 = 0

  /// Whether ``reserved`` must be written to the file.
  var isDue: Bool { reserved > filed }

  mutating func take(_ run: RunID, reserving: Bool) {
    highest = max(highest, run.number)
    guard run.number > reserved else { return }
    reserved = reserving ? run.number.addingReportingOverflow(Self.blockLength).partialValue : run.number
  }
}

extension Outcome {
  init(_ status: AttemptResult.Status) {
    switch status {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    }
  }
}
