package import TimelineCore

/// Action for the shell. Effects are performed in the order in which they are returned.
package enum EngineEffect: Sendable, Equatable {
  /// Wakes the engine at this instant, or at once if the instant has passed; `nil` disarms. There is one wake-up for
  /// everything.
  case arm(WallInstant?)
  /// Makes the claims of these entries durable. The shell answers with ``EngineEvent/claimsAnswered(_:)``, in this order.
  case claim([EntryKey])
  /// Gives these claims up. A reload or the end of the daemon removed their entries from the timeline before they fell due, so
  /// no start and no outcome will follow.
  case withdraw([EntryKey])
  /// Calls the job's plugin.
  case start(Attempt)
  /// Asks the plugin to stop: calls its cancel callback, and sends SIGTERM to all that it started. The attempt's end is still
  /// awaited.
  case askToStop(RunID, StopReason)
  /// Kills the attempt's host and all that it started. The attempt's end is still awaited.
  case kill(RunID, StopReason)
  /// Ends the attempt if it still waits for a plugin host. An attempt whose plugin was called continues.
  case dequeue(RunID)
  /// Records the outcome of the entry.
  case settle(EntryRecord)
  /// Records the start of the job's pause, so that the pause lasts over a restart; `nil` records the end of the pause.
  case notePause(JobName, since: WallInstant?)
  /// Records which entry the rerun at this key repeats. Comes before the claim of the rerun.
  case noteRerun(EntryKey, RerunOrigin)
  /// Records for a later daemon that the entry waits, until its run starts or it has its outcome.
  case noteWaiting(WaitingEntry)
  /// Records for a later daemon that the run's last attempt failed, and when the next attempt is due.
  case noteRetry(RunID, EntryKey, at: WallInstant)
  /// Removes these entries from records of several entries, because they are decided again. Comes before their new outcomes.
  case cutRanges([RangeCut])
  /// Records the watermarks of these jobs for a later daemon.
  case noteWatermarks([Watermark])
  /// Records changed incidents for a later daemon.
  case noteIncidents([IncidentNote])
  /// Reports that the last run has ended after ``EngineEvent/drain(patience:)`` or ``EngineEvent/leave``.
  case drained
}

/// One call of a plugin.
package struct Attempt: Sendable, Hashable {
  package var run: RunID
  /// The run key: job and nominal instant, with the job's position in the engine.
  package var entry: EntryKey
  package var cause: RunCause
  /// 1 for the first attempt of a run.
  package var number: Int
  /// Instant at which the engine decided to start the attempt. The shell replaces it with the instant of the plugin's call.
  package var startedAt: WallInstant
  /// Instant of the timeout; `nil` for a job without a timeout.
  package var deadline: WallInstant?
  /// Rate of updates that the run can expect at present.
  package var cadence: Cadence
  package var mode: ScheduleMode
  /// Whether the shell must report ``EngineEvent/attemptBegan(_:late:)`` in any case, because a job reacts to the begin of the
  /// run.
  package var reportsCall: Bool
  /// Number of entries of the run: its own entry, and the missed entries that it replaces.
  package var entryCount: Int
  /// Result of the job's previous attempt; `nil` if unknown.
  package var previous: AttemptResult? {
    get {
      previousStatus.map { status in
        AttemptResult(
          status: status, isWorthRetrying: previousIsWorthRetrying,
          message: extra.previousMessage)
      }
    }
    set {
      previousStatus = newValue?.status
      previousIsWorthRetrying = newValue?.isWorthRetrying ?? false
      extra.previousMessage = newValue?.message ?? ""
    }
  }
  /// Entry of another job that this run reacts to.
  package var upstream: EntryRecord? {
    get { extra.upstream }
    set { extra.upstream = newValue }
  }
  /// Last lines of output of the run of ``upstream``. The shell sets them when it starts the attempt.
  package var upstreamOutput: String {
    get { extra.upstreamOutput }
    set { extra.upstreamOutput = newValue }
  }
  /// Schedule of the job of ``upstream``, in the form for other programs. The shell sets it when it starts the attempt.
  package var upstreamSchedule: PortableSchedule? {
    get { extra.upstreamSchedule }
    set { extra.upstreamSchedule = newValue }
  }
  /// Fencing token of the entry's claim. A later run of the job has a higher token. `nil` if only the ledger answered the
  /// claim.
  package var token: Int64? {
    get { extra.token }
    set { extra.token = newValue }
  }

  /// Instants, ascending, from which windows and holidays have moved entries to ``entry``; empty for an entry that did not move.
  package var movedFrom: [WallInstant] {
    get { extra.movedFrom }
    set { extra.movedFrom = newValue }
  }

  /// The entry that this run repeats; `nil` unless ``RunCause/repeatsEntry``.
  package var rerun: RerunOrigin? {
    get { extra.rerun }
    set { extra.rerun = newValue }
  }

  private var previousStatus: AttemptResult.Status?
  private var previousIsWorthRetrying = false
  // At most one element. Stored out of line, because few attempts need it. Every effect is as large as the largest case, and
  // each copy of an effect retains each of its parts.
  private var extras: [AttemptExtra] = []
  private var extra: AttemptExtra {
    get { extras.first ?? AttemptExtra() }
    // Empty if there is nothing to store, so that equal attempts have equal representations.
    set { extras = newValue == AttemptExtra() ? [] : [newValue] }
  }

  /// Makes an attempt.
  package init(
    run: RunID, entry: EntryKey, cause: RunCause, number: Int = 1, startedAt: WallInstant,
    deadline: WallInstant? = nil, cadence: Cadence = .live, mode: ScheduleMode = .normal, entryCount: Int = 1,
    previous: AttemptResult? = nil, upstream: EntryRecord? = nil, token: Int64? = nil,
    reportsCall: Bool = false
  ) {
    self.run = run
    self.entry = entry
    self.cause = cause
    self.number = number
    self.startedAt = startedAt
    self.deadline = deadline
    self.cadence = cadence
    self.mode = mode
    self.reportsCall = reportsCall
    self.entryCount = entryCount
    previousStatus = previous?.status
    previousIsWorthRetrying = previous?.isWorthRetrying ?? false
    let message = previous?.message ?? ""
    if message.isEmpty, upstream == nil, token == nil { return }
    extra = AttemptExtra(previousMessage: message, upstream: upstream, token: token)
  }
}

/// Parts that few attempts have.
private struct AttemptExtra: Sendable, Hashable {
  var previousMessage = ""
  var upstream: EntryRecord?
  var upstreamOutput = ""
  var upstreamSchedule: PortableSchedule?
  var token: Int64?
  var movedFrom: [WallInstant] = []
  var rerun: RerunOrigin?
}

/// Cause of a run.
package enum RunCause: String, CaseIterable, Sendable, Hashable {
  /// The entry fell due.
  case schedule
  /// The entry was missed or fell due in a pause, and is run later (catch-up).
  case missed
  /// An operator triggered the run.
  case trigger
  /// An operator requested another run for an entry of the schedule.
  case rerun
  /// An operator requested another run for all entries of a stretch of time without a success, this entry among them.
  case backfill
  /// The run reacts to an entry of another job.
  case reaction
  /// A daemon ended before the run did, and the job's delivery is at least once.
  case recovery

  /// Whether the run has an entry of the job's schedule. False for an entry that was made for the run alone.
  package var isOfSchedule: Bool {
    switch self {
    case .schedule, .missed, .recovery: true
    case .trigger, .rerun, .backfill, .reaction: false
    }
  }

  /// Whether an operator requested the run.
  package var isOfOperator: Bool { self == .trigger || repeatsEntry }

  /// Whether the run repeats an entry of the schedule, which a ``RerunOrigin`` names.
  package var repeatsEntry: Bool {
    switch self {
    case .rerun, .backfill: true
    case .schedule, .missed, .trigger, .reaction, .recovery: false
    }
  }

  /// Whether the run reacts to an entry or repeats one.
  package var hasOrigin: Bool {
    switch self {
    case .rerun, .backfill, .reaction: true
    case .schedule, .missed, .trigger, .recovery: false
    }
  }

  /// Whether the run gets the job's cursor, and may leave a new one. A repetition would move the cursor back.
  package var usesCursor: Bool { !repeatsEntry }

  /// Whether the end of the run counts for the job: for its reactions and incidents, and as the previous result. What a backfill
  /// finds is old, and the operator who requested it gets one report of the whole.
  package var isReported: Bool { self != .backfill }
}

/// A run that an earlier daemon, or an earlier owner of its job, left open.
package struct OpenRun: Sendable, Hashable {
  /// Number of the run in the ledger; 0 for a run of another node.
  package var run: RunID
  package var entry: EntryKey
  package var cause: RunCause
  /// Number of started attempts; 0 for an entry that was claimed and fell due, but was certainly not started.
  package var attempts: Int
  /// Start of the first attempt.
  package var startedAt: WallInstant
  /// Number of entries of the run.
  package var entryCount: Int
  /// Whether the run's host outlived the daemon. The end of the attempt will then still be reported.
  package var isAlive: Bool
  /// Whether an entry without an attempt is known to have waited. ``cause`` is then known, too.
  package var hasWaited = false
  /// Whether an entry without an attempt was requested by the operator who resumed the job.
  package var isAskedFor = false
  /// Instant at which the next attempt is due; `nil` unless the last attempt is known to have failed.
  package var retryAt: WallInstant?
  /// Message of the failed attempt.
  package var message = ""
  /// Upstream entry of a reaction; `nil` if unknown.
  package var upstream: EntryRecord?
  /// The entry that the run repeats; `nil` for a run that repeats none, or if unknown.
  package var rerun: RerunOrigin?
  /// Other node that was granted the entry; `nil` for this node.
  package var node: String?
  /// Fencing token of the claim under which the run is taken over.
  package var token: Int64?

  package init(
    run: RunID, entry: EntryKey, cause: RunCause, attempts: Int, startedAt: WallInstant, entryCount: Int = 1,
    isAlive: Bool = false
  ) {
    self.run = run
    self.entry = entry
    self.cause = cause
    self.attempts = attempts
    self.startedAt = startedAt
    self.entryCount = entryCount
    self.isAlive = isAlive
  }
}

/// Reason for stopping an attempt.
package enum StopReason: String, Sendable, Hashable {
  /// The attempt exceeded the job's timeout.
  case timeout
  /// An operator or an overlap policy requested the stop.
  case cancel
  /// The daemon is stopping, and the patience of its drain has ended.
  case shutDown = "shut-down"
}
