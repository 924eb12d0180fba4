import TimelineCore

/// A job's being paused.
struct Pause: Sendable, Hashable {
  /// Since when.
  var since: WallInstant
  /// Entries of the schedule after this have not been decided.
  var origin: WallInstant
}

/// Whose an entry is.
enum ClaimState: UInt8, Sendable, Hashable {
  /// Ours, or nobody is asked.
  case won
  /// Asked, not answered.
  case asked
  /// Another's.
  case lost
  /// The ledger cannot say.
  case unknown

  init(_ verdict: ClaimAnswer.Verdict) {
    self =
      switch verdict {
      case .won: .won
      case .lost: .lost
      case .unknown: .unknown
      }
  }
}

/// An entry whose time has come and that is neither running nor settled.
struct DueEntry: Sendable, Hashable {
  /// Its nominal instant.
  var nominal: WallInstant
  /// Why there is to be a run.
  var cause: RunCause
  /// How many entries the run will stand for.
  var entryCount = 1
  /// Whether somebody who resumed the job asked for it, so that the missed policy's choice is not asked.
  var isAskedFor = false
  /// Since when it waits for room.
  var waitingSince: WallInstant = .min
}
