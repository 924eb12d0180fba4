import TimelineCore

/// What the engine keeps of one job.
struct JobState: Sendable {
  /// The job as configured.
  var definition: JobDefinition
  /// Who goes first at one instant.
  var tie: TieBreak
  /// Taken out of the configuration while a run was in flight: it starts nothing any more.
  var isRetired = false

  /// The nominal instant of the next entry: not due yet, and the only one that is in the queue.
  var next: WallInstant?
  /// Whose the next entry is.
  var nextClaim: ClaimState = .won
  /// Every entry up to here, this one included, is settled, waits or runs; `nil` when nothing is known.
  var decidedThrough: WallInstant?
  /// A closed loop's next start is not earlier than this.
  var earliestStart: WallInstant

  /// Due entries whose claim has not been answered, oldest first.
  var unclaimed: [DueEntry] = []
  /// Due entries that wait for a run of this job to end, oldest first.
  var buffered: [DueEntry] = []

  /// How many runs are in flight.
  var runCount = 0
  /// How the last attempt ended.
  var previous: AttemptOutcome?
  /// The nominal instant of the last manual trigger, so that the next one gets another.
  var lastTrigger: WallInstant?

  /// Whether the next entry depends on the end of the last run.
  var isClosedLoop: Bool { definition.schedule.isClosedLoop }
  /// Due entries that have neither a run nor a disposition.
  var waitingEntries: Int { unclaimed.count + buffered.count }
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
}
