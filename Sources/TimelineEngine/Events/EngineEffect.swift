package import TimelineCore

/// Something the shell is to do; effects are performed in the order in which they are returned.
package enum EngineEffect: Sendable, Equatable {
  /// Wake at this instant (at once when it has passed); `nil` disarms. There is one wake-up for everything.
  case arm(WallInstant?)
  /// Make the claims of these entries durable and answer with ``EngineEvent/claimsAnswered(_:)``, in this order.
  case claim([EntryKey])
  /// Give these claims up: a reload or the end of the daemon took their entries off the timeline before they fell
  /// due, so no start and no outcome will follow.
  case withdraw([EntryKey])
  /// Call the job's plugin.
  case start(Attempt)
  /// Ask the plugin to stop: its cancel callback, SIGTERM to what it started; the attempt's end is still awaited.
  case askToStop(RunID, StopReason)
  /// Kill the attempt's host and all it started; the attempt's end is still awaited.
  case kill(RunID, StopReason)
  /// End the attempt if it still waits for a plugin host; one whose plugin was called goes on.
  case dequeue(RunID)
  /// The entry has its outcome.
  case settle(EntryRecord)
  /// The job is paused since this instant, which is to be remembered over a restart; `nil` when it goes on.
  case notePause(JobName, since: WallInstant?)
  /// The entry waits, which a later daemon is to know until its run is started or it has its outcome.
  case noteWaiting(WaitingEntry)
  /// The run's last attempt failed and the next one is due at this instant, which a later daemon is to know.
  case noteRetry(RunID, EntryKey, at: WallInstant)
  /// Take these entries out of the records of several entries, for they are decided anew; comes before what is decided of them.
  case cutRanges([RangeCut])
  /// These jobs have come so far, which a later daemon is to know.
  case noteWatermarks([Watermark])
  /// Incidents have changed, which a later daemon is to know.
  case noteIncidents([IncidentNote])
  /// The last run has ended after ``EngineEvent/drain(patience:)`` or ``EngineEvent/leave``.
  case drained
}

/// One call of a plugin.
package struct Attempt: Sendable, Hashable {
  /// The run that the attempt belongs to.
  package var run: RunID
  /// The job and the nominal instant: the run key; it says where the job stands.
  package var entry: EntryKey
  /// Cause of the run.
  package var cause: RunCause
  /// 1 for the first attempt of a run.
  package var number: Int
  /// Instant at which the engine decided to start it; the shell replaces it with that of the plugin's call.
  package var startedAt: WallInstant
  /// Instant at which its timeout expires; `nil` for a job without a timeout.
  package var deadline: WallInstant?
  /// Rate at which the daemon can keep up at present.
  package var cadence: Cadence
  /// The daemon's mode.
  package var mode: ScheduleMode
  /// Whether ``EngineEvent/attemptBegan(_:late:)`` is to report the call of the plugin at any rate, because a job reacts to the begin.
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
  /// Schedule of the job of ``upstream``, as programs outside know it. The shell sets it when it starts the attempt.
  package var upstreamSchedule: PortableSchedule? {
    get { extra.upstreamSchedule }
    set { extra.upstreamSchedule = newValue }
  }
  /// Fencing token of the entry's claim: of a job's runs a later one has a higher token. `nil` where the ledger alone was asked.
  package var token: Int64? {
    get { extra.token }
    set { extra.token = newValue }
  }

  private var previousStatus: AttemptResult.Status?
  private var previousIsWorthRetrying = false
  // At most one, out of the way: few attempts need it, every effect is as large as the largest, and each copy of one counts
  // a reference for each of its parts.
  private var extras: [AttemptExtra] = []
  private var extra: AttemptExtra {
    get { extras.first ?? AttemptExtra() }
    // None where there is nothing to keep, so that equal attempts are kept equally.
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
  /// Somebody asked for it.
  case trigger
  /// It reacts to another job's outcome.
  case reaction
  /// A daemon ended before the run did, and the job's delivery is at least once.
  case recovery

  /// Whether the run has an entry of the job's schedule, and not one made for it alone.
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
  /// Whether its host outlived the daemon, so that the end of the attempt will still be told.
  package var isAlive: Bool
  /// Whether an entry without an attempt is known to have waited, and ``cause`` to be why.
  package var hasWaited = false
  /// Whether somebody who resumed the job asked for an entry without an attempt.
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
  /// It outlived the job's timeout.
  case timeout
  /// Somebody asked for it, or an overlap policy did.
  case cancel
  /// The daemon is going down and its patience is over.
  case shutDown = "shut-down"
}
