package import TimelineCore

/// Nominal instants, ascending, of jobs' entries with a run or an outcome of their own: entries of schedules, triggers and
/// reactions.
package typealias DecidedEntries = [JobName: [WallInstant]]

/// Time that the clock shows again after it was set back, and the entries in this time that are already decided.
package struct RepeatedTime: Sendable {
  /// Entries of jobs, later than the clock or than their watermark, that have a run or an outcome of their own.
  package var decided: DecidedEntries = [:]
  /// Entries of the same jobs, later than their watermark, that share an outcome: the first and the last entry of each group.
  package var ranges: [JobName: [ClosedRange<WallInstant>]] = [:]
  /// Instant up to which entries had been decided, for each job that decides entries again.
  package var furthest: [JobName: WallInstant] = [:]
  /// Runs of jobs whose entries had moved, by nominal instant.
  package var moved: [JobName: [MovedEntry]] = [:]
  /// Instant up to which entries may have been decided in a ledger that was lost; `.min` for none.
  package var unknownThrough: WallInstant = .min
  /// Jobs that an operator released from waiting for ``unknownThrough``.
  package var released: Set<JobName> = []

  package init() {}
}

/// Event for ``EngineState``, which receives it with the instant at which it happened.
package enum EngineEvent: Sendable, Equatable {
  /// The armed deadline has come, or the shell woke for another reason. Due work is done.
  case wake
  /// The wall clock was set, or the machine resumed. Every deadline is computed again.
  ///
  /// `by` is the change of the wall clock relative to the monotonic clock, positive for a step forwards; `.zero` if unknown.
  /// Timeouts and pauses are lengths of time, not dates, and move with the clock. `decided` are entries later than now that
  /// have a run or an outcome of their own in the ledger; empty after a step forwards.
  case clockStepped(by: ElapsedTime, decided: DecidedEntries = [:])
  /// The ledger has answered claims made by ``EngineEffect/claim(_:)``.
  case claimsAnswered([ClaimAnswer])
  /// The attempt waits for a plugin host. Its plugin has not been called.
  case attemptWaits(RunID)
  /// The plugin was called `late` after the attempt was decided. The timeout counts from the call. If the attempt waited for a
  /// plugin host, the plugin was called just now. A shell may omit the event for an attempt that neither waited nor was late,
  /// unless ``Attempt/reportsCall``.
  case attemptBegan(RunID, late: ElapsedTime)
  /// An attempt has ended, in any way.
  case attemptEnded(RunID, AttemptResult)
  /// An operator triggered a job.
  case trigger(JobName)
  /// An operator requested another run for a decided entry of the job's schedule, as ``EngineState/rerunRefusal(_:of:at:)``
  /// allows. The shell numbers the reruns of each entry.
  case rerun(JobName, RerunOrigin)
  /// Backfills have ended with failures. Each record is of the last entry without a success, with a report that counts all of them.
  /// The job's reaction to failures runs, also if its incident policy would not report them.
  case backfillsFailed([EntryRecord])
  /// An operator requested the stop of a run.
  case cancel(RunID)
  /// An operator paused the job. No entry starts until the job is resumed. Active runs continue.
  case pause(JobName)
  /// An operator resumed the job. `catchUp` decides about the entries that fell due during the pause.
  case resume(JobName, catchUp: MissedPolicy.Choice)
  /// An operator released the job. It continues by its schedule, although its next entries were decided while the clock was
  /// ahead. The ledger has already discarded these entries.
  case release(JobName)
  /// A new configuration. Jobs that did not change keep running and keep their phase.
  ///
  /// `groups` are the limits of the groups that jobs name, each at least 1.
  case reload([JobDefinition], groups: [GroupName: Int] = [:])
  /// The node became the owner of jobs. ``TakenJob`` has the state of each job from the cluster's store and the node's ledger.
  ///
  /// `among` are all jobs of the engine from now on, in the order of the configuration, as in ``reload(_:groups:)``. The
  /// limits of groups stay. A job that the engine already has continues unchanged. An engine that drains takes over no job.
  case takeOver([TakenJob], among: [JobDefinition])
  /// The node no longer owns these jobs. None of their entries is started from now on.
  ///
  /// Waiting entries, planned entries and runs whose plugin is not being called are left to the next owner, without an
  /// outcome. Active runs continue and are settled here. Manual triggers, reactions and entries of closed loops end here,
  /// because only this node has them. If the jobs are given up, their claims are given up, too, and waiting entries that no
  /// schedule brings again end here. The shell drops answers to claims that were requested before.
  case handOver(Set<JobName>, isGivenUp: Bool = false)
  /// The daemon's mode changed.
  case mode(ScheduleMode)
  /// The cadence that is passed to runs changed.
  case cadence(Cadence)
  /// The daemon stops, and another daemon follows. No new run starts. Entries that the next daemon continues from the ledger
  /// stay open.
  ///
  /// ``EngineEffect/drained`` follows after the last run has ended, if the daemon waits for this.
  case leave
  /// No new run starts. ``EngineEffect/drained`` follows after the last run has ended.
  ///
  /// Runs that last longer than `patience` are asked to stop and, after their grace, killed. With `nil` the drain waits
  /// without a limit. A second drain can shorten the patience of the first. Waiting entries end as `shut-down`, unless
  /// ``leave`` came before.
  case drain(patience: ElapsedTime?)

  /// Whether the event is a requested change. Work that is due at the same instant comes before the event.
  package var comesAfterDueWork: Bool {
    switch self {
    case .trigger, .rerun, .backfillsFailed, .pause, .resume, .release, .reload, .takeOver, .mode: true
    case .wake, .clockStepped, .claimsAnswered, .attemptWaits, .attemptBegan, .attemptEnded,
      .cancel, .handOver, .cadence, .leave, .drain:
      false
    }
  }
}

/// Result of one attempt, as reported by its plugin host.
package struct AttemptResult: Sendable, Hashable {
  /// Kind of a result.
  package enum Status: Sendable, Hashable {
    /// The plugin returned success.
    case succeeded
    /// The plugin returned failure or refused to load, or its host died.
    case failed
    /// The plugin gave up because it was asked to stop.
    case cancelled
  }

  package var status: Status
  /// Whether the plugin marked the failure as worth another try.
  package var isWorthRetrying: Bool
  /// One line for people: the result, or the failure and its remedy; at most 4 KiB.
  package var message: String
  /// Whether the plugin was not called, because its host was too late for the node's lease. If the node still owns the job,
  /// the node decides about the entry again.
  package var isUncalled = false
  /// Whether the run has written something, in this attempt or before.
  package var hasOutput = false
  /// Whether the attempt had ended by itself before its run was asked to stop. The daemon received the end after the request,
  /// because the daemon was not running or was busy.
  package var precededStop = false

  package init(status: Status, isWorthRetrying: Bool = false, message: String = "") {
    self.status = status
    self.isWorthRetrying = isWorthRetrying
    self.message = message
  }
}

/// Answer of the ledger, or of the cluster's store, to a claim.
///
/// The answer may come long after the request. An answer about an entry whose claim is no longer requested is ignored.
package struct ClaimAnswer: Sendable, Hashable {
  /// Decision about a claim.
  package enum Verdict: Sendable, Hashable {
    /// Granted: the entry may be run.
    case granted
    /// Denied: the entry has an outcome or a run already. It must not be run here.
    case denied
    /// Undecided: the ledger was not available, or an earlier daemon started the entry. The job's delivery policy decides.
    case unknown
  }

  package var entry: EntryKey
  package var verdict: Verdict
  /// Fencing token of a claim that a cluster's store has granted; `nil` for any other answer.
  package var token: Int64?

  package init(entry: EntryKey, verdict: Verdict, token: Int64? = nil) {
    self.entry = entry
    self.verdict = verdict
    self.token = token
  }
}
