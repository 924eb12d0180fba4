import TimelineCore

/// What the engine keeps of one job.
struct JobState: Sendable {
  /// The job as configured.
  var definition: JobDefinition
  /// Whether its rule can name instants and leave them out.
  var mayOmit: Bool
  /// Who goes first at one instant.
  var tie: TieBreak
  /// Taken out of the configuration while a run was in flight: it starts nothing any more.
  var isRetired = false

  /// The nominal instant of the next entry: not due yet, and the only one that is in the queue.
  var next: WallInstant?
  /// When the next entry falls due: its nominal instant, or by the job's ``ScheduleTiming`` a little later.
  var planned: WallInstant = .max
  /// Whose the next entry is.
  var nextClaim: ClaimState = .won
  /// Every entry up to here, this one included, is settled, waits or runs; `nil` when nothing is known.
  var decidedThrough: WallInstant?
  /// What an earlier daemon had decided up to, too far ahead of the clock to be kept to before the clock comes there.
  var farDecided: WallInstant?
  /// A closed loop's next start is not earlier than this.
  var earliestStart: WallInstant

  /// Due entries whose claim has not been answered, oldest first.
  var unclaimed: [DueEntry] = []
  /// Due entries that wait for room in this job or its groups, oldest first.
  var buffered: [DueEntry] = []
  /// Due entries that a pause keeps from running, oldest first.
  var held: [DueEntry] = []

  /// The places of its groups in ``EngineState/groups``; those without a limit are left out.
  var groups: [Int] = []
  /// Whether it is among ``EngineState/waitingJobs``.
  var isListedAsWaiting = false
  /// Set while it is paused.
  var pause: Pause?

  /// How many runs are in flight.
  var runCount = 0
  /// How the last attempt ended.
  var previous: AttemptOutcome?
  /// Whether its last run failed.
  var hasFailed = false
  /// The nominal instant of the last entry of its own, such as a manual trigger, so that the next one gets another.
  var lastTrigger: WallInstant?
  /// What its rule leaves out is settled up to here; `nil` when nothing has been settled yet.
  var omittedThrough: WallInstant?
  /// What its rule left out before this is nobody's business.
  var omissionsSince: WallInstant = .min
  /// When the next thing that its rule leaves out has passed, if that is before ``next``.
  var omissionAt: WallInstant?

  /// Whether the next entry depends on the end of the last run.
  var isClosedLoop: Bool { definition.schedule.isClosedLoop }
  /// Due entries that have neither a run nor a disposition.
  var waitingEntries: Int { unclaimed.count + buffered.count + held.count }
}

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
