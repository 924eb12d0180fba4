import TimelineCore

/// One active run.
struct Run: Sendable {
  /// Phase of a run.
  enum Phase: Sendable, Hashable {
    /// The attempt waits for a plugin host and has not been asked to stop.
    case waiting
    /// The attempt has been started and has not been asked to stop.
    case running
    /// The attempt has been asked to stop, and its grace period has begun.
    case stopping
    /// The attempt has been killed. Its end is awaited.
    case killed
    /// The last attempt failed. The next attempt waits for the end of the back-off.
    case backingOff
  }

  let id: RunID
  /// Index of the job. In a free slot of the table: index of the next free slot.
  var job: Int
  let nominal: WallInstant
  let cause: RunCause
  /// Number of entries of the run.
  let entryCount: Int
  /// Whether the entry was only counted when the run started. The ledger then has no row of it.
  let isCounted: Bool
  /// Start of the first attempt. While the first attempt waits for a plugin host: instant of the decision to start it.
  private(set) var startedAt: WallInstant
  /// Number of attempts, including one that waits for a plugin host.
  private(set) var attempts = 1
  private(set) var phase = Phase.running
  /// Reason of the first stop request; `nil` for none.
  private(set) var stopReason: StopReason?
  /// Whether the plugin of the last attempt has not been called, because there was no plugin host.
  private(set) var waitsForHost = false
  /// Whether a later entry is to replace the run.
  private(set) var isSuperseded = false
  /// Instant at which the last attempt was started or began to wait for a plugin host, by the present clock. The timeout
  /// counts from this instant.
  private(set) var attemptStartedAt: WallInstant
  /// Timeout that the run exceeded and was stopped for; zero for none.
  private(set) var outlived = ElapsedTime.zero
  /// Whether an attempt has written output.
  private(set) var hasOutput = false
  /// Whether the reaction to the start of the run has been queued, by this daemon or by the daemon that started the run.
  private var isBeginTold = false
  /// Fencing token of the entry's claim, for the next attempt.
  private(set) var token: Int64?
  /// Owner of the entry if the attempt ends before the plugin is called.
  private(set) var unstartedOwner = Owner.here

  /// Owner of an entry whose attempt waits for a plugin host.
  enum Owner: Sendable, Hashable {
    /// This node.
    case here
    /// The next owner of the job.
    case next
    /// This node again. It decides about the entry again after the attempt has ended.
    case hereAgain
  }

  /// Makes a run whose first attempt starts at `now`.
  init(_ id: RunID, of entry: DueEntry, job: Int, isCounted: Bool, at now: WallInstant) {
    (self.id, self.job, nominal, cause) = (id, job, entry.nominal, entry.cause)
    (entryCount, self.isCounted, token) = (entry.entryCount, isCounted, entry.token)
    (startedAt, attemptStartedAt) = (now, now)
  }

  /// Makes a run of an earlier daemon that is still active.
  ///
  /// The start of a later attempt is unknown, so its timeout counts from now. The timeout of a first attempt also counts from
  /// now if its start is later, because the clock was set back.
  init(adopting run: OpenRun, job: Int, isCounted: Bool, at now: WallInstant) {
    (id, self.job, nominal, cause) = (run.run, job, run.entry.nominal, run.cause)
    (entryCount, self.isCounted, token) = (run.entryCount, isCounted, run.token)
    (startedAt, attempts, isBeginTold) = (run.startedAt, run.attempts, true)
    attemptStartedAt = run.attempts == 1 ? min(run.startedAt, now) : now
  }

  /// Makes a run of an earlier daemon that gets another attempt.
  init(resuming run: OpenRun, job: Int, isCounted: Bool) {
    (id, self.job, nominal) = (run.run, job, run.entry.nominal)
    cause = run.cause.isOfSchedule && run.retryAt == nil ? .recovery : run.cause
    (entryCount, self.isCounted, token) = (run.entryCount, isCounted, run.token)
    (startedAt, attempts, attemptStartedAt) = (run.startedAt, run.attempts, run.startedAt)
    phase = .backingOff
  }

  /// Whether the run has no active call of a plugin.
  var isIdle: Bool { waitsForHost || phase == .backingOff }
  /// Whether the start of the run must still be reported to a job that reacts to it, once the plugin is called. No job reacts
  /// to the start of a reaction or of a backfilled entry.
  var hasUntoldBegin: Bool { !isBeginTold && attempts == 1 && cause != .reaction && cause.isReported }
  /// Whether the phase of the run ends at a deadline that ``RunDeadline`` computes.
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

  /// Records that the reaction to the start of the run is queued.
  mutating func noteBeginTold() { isBeginTold = true }

  /// Delays the start of the attempt's timeout.
  mutating func delayAttempt(by delay: ElapsedTime) { attemptStartedAt = attemptStartedAt + delay }

  /// Moves the start of the last attempt by a clock step of `length`, at most to `now`. The bound matters if the length is
  /// unknown and passed as zero.
  mutating func clockStepped(by length: ElapsedTime, _ now: WallInstant) {
    attemptStartedAt = min(attemptStartedAt + length, now)
  }

  /// Begins the wait for a plugin host. Only ``RunTable`` calls this, because it counts these runs.
  mutating func beginHostWait() {
    waitsForHost = true
    if phase == .running { phase = .waiting }
  }

  /// Ends the wait for a plugin host. Only ``RunTable`` calls this, because it counts these runs.
  mutating func endHostWait() { waitsForHost = false }

  /// Records that the plugin of an attempt that waited is called at `now`.
  mutating func callPlugin(at now: WallInstant) {
    attemptStartedAt = now
    if attempts == 1 { startedAt = now }
    if phase == .waiting { phase = .running }
    unstartedOwner = .here
  }

  /// Leaves the entry to the next owner of the job, unless the plugin is called before.
  mutating func handOver() { unstartedOwner = .next }

  /// Takes the entry back, because this node is the next owner of the job.
  mutating func takeBack() { if unstartedOwner == .next { unstartedOwner = .hereAgain } }

  /// Marks the entry to be decided again here, because its plugin was not called and this node still owns the job.
  mutating func decideAnew() { if unstartedOwner == .here { unstartedOwner = .hereAgain } }

  /// Records that the entry was granted again.
  mutating func renewClaim(_ token: Int64?) { self.token = token ?? self.token }

  /// Records that an attempt has written output.
  mutating func noteOutput() { hasOutput = true }

  /// Begins the back-off before the next attempt.
  mutating func backOff() { phase = .backingOff }

  /// Returns the run to its back-off, because its last attempt was never started.
  mutating func revertAttempt() {
    attempts -= 1
    (phase, unstartedOwner) = (.backingOff, .here)
  }
}

// Stops.
extension Run {
  /// Records the first stop request.
  mutating func stop(_ reason: StopReason) {
    if phase != .backingOff { phase = .stopping }
    stopReason = reason
  }

  /// Records that a later entry is to replace the run.
  mutating func supersede() { isSuperseded = true }

  /// Records the timeout that the run exceeded and is asked to stop for.
  mutating func outlive(_ timeout: ElapsedTime) { outlived = timeout }

  /// Records the kill. Returns its reason: the first stop request if there was one, otherwise `reason`.
  mutating func kill(_ reason: StopReason) -> StopReason {
    phase = .killed
    let reason = stopReason ?? reason
    stopReason = reason
    return reason
  }

  /// Drops a stop request that came after the end of the attempt, if the run ends like its attempt. Returns whether the
  /// request was dropped.
  mutating func withdrawStop(after result: AttemptResult) -> Bool {
    // A failed run that was asked to stop for another reason than its timeout is not tried again.
    guard result.precededStop, result.status == .succeeded || stopReason == .timeout else { return false }
    phase = .running
    stopReason = nil
    return true
  }
}
