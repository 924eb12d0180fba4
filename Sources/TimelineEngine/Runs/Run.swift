import TimelineCore

/// One active run.
struct Run: Sendable {
  /// Phase of a run.
  enum Phase: Sendable, Hashable {
    /// Its attempt waits for a plugin host and has not been asked to stop.
    case waiting
    /// Its attempt has been started and not been asked to stop.
    case running
    /// Its attempt has been asked to stop and has its grace.
    case stopping
    /// Its attempt has been killed; the end is awaited.
    case killed
    /// Its last attempt failed, the next one waits for the end of the back-off.
    case backingOff
  }

  /// Its number.
  let id: RunID
  /// The index of its job; in a free slot of the table that of the next free one.
  var job: Int
  /// The entry's nominal instant.
  let nominal: WallInstant
  /// Cause of the run.
  let cause: RunCause
  /// Number of entries that it stands for.
  let entryCount: Int
  /// Whether its entry was one that is only counted as it was started, so that the ledger has no row of it.
  let isCounted: Bool
  /// Instant at which its first attempt was started, or decided on while that waits for a plugin host.
  private(set) var startedAt: WallInstant
  /// Number of attempts, including one that waits for a plugin host.
  private(set) var attempts = 1
  /// Phase of the run.
  private(set) var phase = Phase.running
  /// Reason for its first stop request; `nil` when there was none.
  private(set) var stopReason: StopReason?
  /// Whether the plugin of its last attempt has not been called, as there was no plugin host.
  private(set) var waitsForHost = false
  /// Whether a later entry is to have its place.
  private(set) var isSuperseded = false
  /// Instant at which its last attempt was started, or began to wait for a plugin host, on the present clock; its timeout counts from it.
  private(set) var attemptStartedAt: WallInstant
  /// The timeout that it was stopped for outliving; zero for none.
  private(set) var outlived = ElapsedTime.zero
  /// Whether one of its attempts has written something.
  private(set) var hasOutput = false
  /// Whether the reaction to its begin has been queued, here or by the daemon that began it.
  private var isBeginTold = false
  /// Fencing token of its entry's claim, for the next attempt.
  private(set) var token: Int64?
  /// Owner of the entry, should the attempt end before its plugin is called.
  private(set) var unstartedOwner = Owner.here

  /// Owner of an entry whose attempt waits for a plugin host.
  enum Owner: Sendable, Hashable {
    /// This node.
    case here
    /// The next owner of the job.
    case next
    /// This node again, which decides anew about the entry when the attempt has ended.
    case hereAgain
  }

  /// A run whose first attempt starts at `now`.
  init(_ id: RunID, of entry: DueEntry, job: Int, isCounted: Bool, at now: WallInstant) {
    (self.id, self.job, nominal, cause) = (id, job, entry.nominal, entry.cause)
    (entryCount, self.isCounted, token) = (entry.entryCount, isCounted, entry.token)
    (startedAt, attemptStartedAt) = (now, now)
  }

  /// A run of an earlier daemon that lives on.
  ///
  /// The start of a later attempt is not known, so its timeout counts from now. So does that of a first attempt whose start is later
  /// than now because the clock was set back.
  init(adopting run: OpenRun, job: Int, isCounted: Bool, at now: WallInstant) {
    (id, self.job, nominal, cause) = (run.run, job, run.entry.nominal, run.cause)
    (entryCount, self.isCounted, token) = (run.entryCount, isCounted, run.token)
    (startedAt, attempts, isBeginTold) = (run.startedAt, run.attempts, true)
    attemptStartedAt = run.attempts == 1 ? min(run.startedAt, now) : now
  }

  /// A run of an earlier daemon that is to have another attempt.
  init(resuming run: OpenRun, job: Int, isCounted: Bool) {
    (id, self.job, nominal) = (run.run, job, run.entry.nominal)
    cause = run.cause.isOfSchedule && run.retryAt == nil ? .recovery : run.cause
    (entryCount, self.isCounted, token) = (run.entryCount, isCounted, run.token)
    (startedAt, attempts, attemptStartedAt) = (run.startedAt, run.attempts, run.startedAt)
    phase = .backingOff
  }

  /// Whether no plugin is called for it just now.
  var isIdle: Bool { waitsForHost || phase == .backingOff }
  /// Whether a job that reacts to its begin is still to be told, once the plugin is called. A reaction has no reaction.
  var hasUntoldBegin: Bool { !isBeginTold && attempts == 1 && cause != .reaction }
  /// Whether its phase ends at a deadline that ``RunDeadline`` gives.
  var isPending: Bool { phase == .waiting || phase == .running }
}

// Attempts.
extension Run {
  /// Starts an attempt, the first one or one after a back-off.
  mutating func startAttempt(at now: WallInstant) {
    if phase == .backingOff { attempts += 1 }
    phase = .running
    attemptStartedAt = now
  }

  /// Takes in that the reaction to its begin is queued.
  mutating func noteBeginTold() { isBeginTold = true }

  /// Lets the timeout of the attempt count from later.
  mutating func delayAttempt(by delay: ElapsedTime) { attemptStartedAt = attemptStartedAt + delay }

  /// Moves with a clock that moved by `length` and shows `now`; the bound holds when the length of the step is not known.
  mutating func clockStepped(by length: ElapsedTime, _ now: WallInstant) {
    attemptStartedAt = min(attemptStartedAt + length, now)
  }

  /// Waits for a plugin host. Only ``RunTable`` calls this, which counts such runs.
  mutating func beginHostWait() {
    waitsForHost = true
    if phase == .running { phase = .waiting }
  }

  /// Ends the wait for a plugin host. Only ``RunTable`` calls this, which counts such runs.
  mutating func endHostWait() { waitsForHost = false }

  /// Takes in that the plugin of an attempt that waited is called just now.
  mutating func callPlugin(at now: WallInstant) {
    attemptStartedAt = now
    if attempts == 1 { startedAt = now }
    if phase == .waiting { phase = .running }
    unstartedOwner = .here
  }

  /// Leaves the entry to the next owner of the job, unless the plugin is called all the same.
  mutating func handOver() { unstartedOwner = .next }

  /// Takes the entry back from the next owner, because that is this node.
  mutating func takeBack() { if unstartedOwner == .next { unstartedOwner = .hereAgain } }

  /// Is decided anew here, as its plugin was not called and the job is still this node's.
  mutating func decideAnew() { if unstartedOwner == .here { unstartedOwner = .hereAgain } }

  /// Takes in that its entry was granted anew.
  mutating func renewClaim(_ token: Int64?) { self.token = token ?? self.token }

  /// Takes in that an attempt has written something.
  mutating func noteOutput() { hasOutput = true }

  /// Waits for the next attempt.
  mutating func backOff() { phase = .backingOff }

  /// Is between two attempts again, for the last one was never started.
  mutating func revertAttempt() {
    attempts -= 1
    (phase, unstartedOwner) = (.backingOff, .here)
  }
}

// Stops.
extension Run {
  /// Is asked to stop, for the first time.
  mutating func stop(_ reason: StopReason) {
    if phase != .backingOff { phase = .stopping }
    stopReason = reason
  }

  /// Makes way for a later entry.
  mutating func supersede() { isSuperseded = true }

  /// Is asked to stop because it outlived a timeout.
  mutating func outlive(_ timeout: ElapsedTime) { outlived = timeout }

  /// Is killed; the first stop request, if there was one, stays the reason. Returns the reason.
  mutating func kill(_ reason: StopReason) -> StopReason {
    phase = .killed
    let reason = stopReason ?? reason
    stopReason = reason
    return reason
  }

  /// Forgets a stop request that came after the end of the attempt, if the run ends as its attempt did; returns whether it does.
  mutating func withdrawStop(after result: AttemptResult) -> Bool {
    // What was not to go on is not tried again.
    guard result.precededStop, result.status == .succeeded || stopReason == .timeout else { return false }
    phase = .running
    stopReason = nil
    return true
  }
}
