package import TimelineCore

/// Action for the shell. Effects are performed in the order in which they are returned.
package enum EngineEffect: Sendable, Equatable {
  /// Wake at this instant (at once when it has passed); `nil` disarms. There is one wake-up for everything.
  case arm(WallInstant?)
  /// Make the claims of these entries durable and answer with ``EngineEvent/claimsAnswered(_:)``, in this order.
  case claim([EntryKey])
  /// Give these claims up: a reload or the end of the daemon removed their entries from the timeline before they fell due, so no
  /// start and no outcome will follow.
  case withdraw([EntryKey])
  /// Call the job's plugin.
  case start(Attempt)
  /// Ask the plugin to stop: call its cancel callback, and send SIGTERM to what it started. The attempt's end is still awaited.
  case askToStop(RunID, StopReason)
  /// Kill the attempt's host and all that it started. The attempt's end is still awaited.
  case kill(RunID, StopReason)
  /// End the attempt if it still waits for a plugin host. An attempt whose plugin was called continues.
  case dequeue(RunID)
  /// The entry has its outcome.
  case settle(EntryRecord)
  /// Record the start of the job's pause, so that it lasts over a restart; `nil` when the pause ends.
  case notePause(JobName, since: WallInstant?)
  /// Record that the entry waits, for a later daemon, until its run starts or it has its outcome.
  case noteWaiting(WaitingEntry)
  /// Record that the run's last attempt failed and when the next one is due, for a later daemon.
  case noteRetry(RunID, EntryKey, at: WallInstant)
  /// Remove these entries from records of several entries, because they are decided anew. Comes before their new outcomes.
  case cutRanges([RangeCut])
  /// Record the watermarks of these jobs, for a later daemon.
  case noteWatermarks([Watermark])
  /// Record changed incidents, for a later daemon.
  case noteIncidents([IncidentNote])
  /// The last run has ended after ``EngineEvent/drain(patience:)`` or ``EngineEvent/leave``.
  case drained
}

/// One call of a plugin.
package struct Attempt: Sendable, Hashable {
  /// The run that the attempt belongs to.
  package var run: RunID
  /// The job and the nominal instant (the run key), with the job's position in the engine.
  package var entry: EntryKey
  /// Cause of the run.
  package var cause: RunCause
  /// 1 for the first attempt of a run.
  package var number: Int
  /// Instant at which the engine decided to start it; the shell replaces it with the instant of the plugin's call.
  package var startedAt: WallInstant
  /// Instant at which its timeout expires; `nil` for a job without a timeout.
  package var deadline: WallInstant?
  /// Rate at which the daemon can keep up at present.
  package var cadence: Cadence
  /// The daemon's mode.
  package var mode: ScheduleMode
  /// Whether ``EngineEvent/attemptBegan(_:late:)`` must report the call of the plugin in any case, because a job reacts to the
  /// begin.
  package var reportsCall: Bool
  /// Number of entries that the run stands for: its own, and one for each missed entry that it replaces.
  package var entryCount: Int
  /// Result of the job's previous attempt; `nil` when none is known.
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
  /// The entry of another job that this run reacts to.
  package var upstream: EntryRecord? {
    get { extra.upstream }
    set { extra.upstream = newValue }
  }
  /// Last lines that the run of ``upstream`` wrote. The shell sets it when it starts the attempt.
  package var upstreamOutput: String {
    get { extra.upstreamOutput }
    set { extra.upstreamOutput = newValue }
  }
  /// Schedule of the job of ``upstream``, in the form for other programs. The shell sets it when it starts the attempt.
  package var upstreamSchedule: PortableSchedule? {
    get { extra.upstreamSchedule }
    set { extra.upstreamSchedule = newValue }
  }
  /// Fencing token of the entry's claim; a later run of the job has a higher token. `nil` if only the ledger answered the claim.
  package var token: Int64? {
    get { extra.token }
    set { extra.token = newValue }
  }

  private var previousStatus: AttemptResult.Status?
  private var previousIsWorthRetrying = false
  // At most one element. Stored out of line, because few attempts need it, every effect is as large as the largest case, and
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
  /// Message of the job's previous attempt.
  var previousMessage = ""
  /// The end that the run reacts to.
  var upstream: EntryRecord?
  /// Last lines that its run wrote.
  var upstreamOutput = ""
  /// Schedule of its job.
  var upstreamSchedule: PortableSchedule?
  /// Fencing token.
  var token: Int64?
}

/// Cause of a run.
package enum RunCause: String, CaseIterable, Sendable, Hashable {
  /// Its entry fell due.
  case schedule
  /// Its entry was missed or fell due in a pause, and is run later (catch-up).
  case missed
  /// An operator triggered it.
  case trigger
  /// It reacts to another job's outcome.
  case reaction
  /// A daemon ended before the run did, and the job's delivery is at least once.
  case recovery

  /// Whether the run has an entry of the job's schedule, and not an entry made for the run alone.
  package var isOfSchedule: Bool {
    switch self {
    case .schedule, .missed, .recovery: true
    case .trigger, .reaction: false
    }
  }
}

/// A run that an earlier daemon, or an earlier owner of its job, left open.
package struct OpenRun: Sendable, Hashable {
  /// The run's number in the ledger; 0 for a run of another node.
  package var run: RunID
  /// The job and the nominal instant.
  package var entry: EntryKey
  /// Cause of the run.
  package var cause: RunCause
  /// Number of attempts that were started; 0 for an entry that was claimed and fell due but was certainly not started.
  package var attempts: Int
  /// Start of the first attempt.
  package var startedAt: WallInstant
  /// Number of entries that it stands for.
  package var entryCount: Int
  /// Whether its host outlived the daemon, so that the end of the attempt will still be reported.
  package var isAlive: Bool
  /// Whether an entry without an attempt is known to have waited; ``cause`` is then known, too.
  package var hasWaited = false
  /// Whether an entry without an attempt was requested by the operator who resumed the job.
  package var isAskedFor = false
  /// Instant at which the next attempt is due, for a run whose last attempt is known to have failed; `nil` for any other.
  package var retryAt: WallInstant?
  /// Message of the failed attempt.
  package var message = ""
  /// The end of another job's entry that it reacts to, if that is known.
  package var upstream: EntryRecord?
  /// Name of the other node that was granted the entry; `nil` for this one.
  package var node: String?
  /// Fencing token under which it is taken over.
  package var token: Int64?

  /// Makes an open run.
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
  /// It exceeded the job's timeout.
  case timeout
  /// An operator or an overlap policy requested it.
  case cancel
  /// The daemon is stopping, and the patience of its drain has ended.
  case shutDown = "shut-down"
}
