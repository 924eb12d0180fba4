package import TimelineCore

/// Nominal instants, ascending, of entries of jobs that have an outcome of their own.
package typealias DecidedEntries = [JobName: [WallInstant]]

/// Time that the clock shows again after it was set back, and what jobs have decided of it.
package struct RepeatedTime: Sendable {
  /// Entries of jobs, later than their watermark, that have a run or an outcome of their own.
  package var decided: DecidedEntries = [:]
  /// Entries of the same jobs and later than their watermark that share an outcome, from the first to the last.
  package var ranges: [JobName: [ClosedRange<WallInstant>]] = [:]
  /// Instant up to which entries had been decided, for each job that decides entries anew.
  package var furthest: [JobName: WallInstant] = [:]
  /// Entries up to here may have been decided by a ledger that was lost; `.min` for none.
  package var unknownThrough: WallInstant = .min
  /// Jobs that an operator released from waiting for ``unknownThrough``.
  package var released: Set<JobName> = []

  /// Makes a time that is not shown again.
  package init() {}
}

/// Something that happened, handed to ``EngineState`` with the instant at which it did.
package enum EngineEvent: Sendable, Equatable {
  /// The armed deadline has come, or the shell woke for another reason; due work is done.
  case wake
  /// The wall clock was set or the machine resumed: every deadline is computed anew.
  ///
  /// `by` is how far the wall clock moved against a clock that only ever runs (wall minus monotonic, after less
  /// before), `.zero` when nobody knows. Timeouts and pauses are lengths of time, not dates, and move with it.
  /// `decided` are entries later than now that have a run or an outcome of their own by the ledger; after a step forwards there are none.
  case clockStepped(by: ElapsedTime, decided: DecidedEntries = [:])
  /// The ledger has answered claims made by ``EngineEffect/claim(_:)``.
  case claimsAnswered([ClaimAnswer])
  /// The attempt waits for a plugin host: its plugin has not been called.
  case attemptWaits(RunID)
  /// The plugin was called this long after the attempt was decided, and only then did its timeout begin to run; of an
  /// attempt that waited for a plugin host it was called just now. A shell may leave it out for an attempt that did not wait and was not
  /// late, unless ``Attempt/reportsCall``.
  case attemptBegan(RunID, late: ElapsedTime)
  /// An attempt is over, however it ended.
  case attemptEnded(RunID, AttemptResult)
  /// Somebody asked for a run of a job now, whatever its schedule says.
  case trigger(JobName)
  /// Somebody asked for a run to be stopped.
  case cancel(RunID)
  /// Somebody asked that no entry of the job be started until it is resumed; active runs go on.
  case pause(JobName)
  /// Somebody asked that the job go on; `catchUp` says what becomes of the entries that fell due in between.
  case resume(JobName, catchUp: MissedPolicy.Choice)
  /// Somebody asked that the job go on by its schedule although its next entries were decided while the clock was ahead; the ledger
  /// has forgotten them.
  case release(JobName)
  /// A new configuration: jobs that did not change keep running and keep their phase.
  ///
  /// `groups` are the limits of the groups that jobs name, each at least 1.
  case reload([JobDefinition], groups: [GroupName: Int] = [:])
  /// The node became the owner of jobs; ``TakenJob`` says what is known of each.
  ///
  /// `among` are all jobs that the engine is to have from now on, in the order of the configuration, as in
  /// ``reload(_:groups:)``; the limits of groups stay. A job that the engine has already goes on as it is. An engine that drains takes
  /// nothing over.
  case takeOver([TakenJob], among: [JobDefinition])
  /// The node is not the owner of these jobs any more: nothing of them is started from now on.
  ///
  /// Waiting entries, planned ones and runs whose plugin is not called just now are left to the next owner, without an outcome. Active
  /// runs go on and are settled here. What only this node knows of ends here: manual triggers, reactions and entries of closed
  /// loops; and of jobs that are given up waiting entries that no schedule brings again, as their claims are given up, too. The shell drops
  /// answers to claims that it asked for before.
  case handOver(Set<JobName>, isGivenUp: Bool = false)
  /// The daemon's mode changed.
  case mode(ScheduleMode)
  /// The cadence that runs are told changed.
  case cadence(Cadence)
  /// Another daemon follows some day: no new run is to be started, and what it takes up from the ledger stays open.
  ///
  /// ``EngineEffect/drained`` follows when the last run has ended, should that be awaited.
  case leave
  /// No new run is to be started; ``EngineEffect/drained`` follows when the last one has ended.
  ///
  /// Runs that outlive `patience` are asked to stop and, after their grace, killed; `nil` waits for as long as
  /// they like. A second drain can shorten the patience of the first. What waits ends as `shut-down`, unless
  /// ``leave`` came before.
  case drain(patience: ElapsedTime?)

  /// Whether somebody asked for a change, so that what is due at its instant comes before it.
  package var comesAfterDueWork: Bool {
    switch self {
    case .trigger, .pause, .resume, .release, .reload, .takeOver, .mode: true
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
    /// The plugin returned failure, refused to load, or its host died.
    case failed
    /// The plugin gave up because it was asked to stop.
    case cancelled
  }

  /// Kind of the result.
  package var status: Status
  /// Whether the plugin marked the failure as worth another try.
  package var isWorthRetrying: Bool
  /// One line for people: the result, or what failed and what to do about it; at most 4 KiB.
  package var message: String
  /// Whether a plugin host came too late to call the plugin within the node's lease. If the node still owns the job, it decides anew.
  package var isUncalled = false
  /// Whether the run has written something, in this attempt or before.
  package var hasOutput = false
  /// Whether the attempt had ended by itself before its run was asked to stop, which the daemon heard too late: it was away, or held.
  package var precededStop = false

  /// Makes an outcome.
  package init(status: Status, isWorthRetrying: Bool = false, message: String = "") {
    self.status = status
    self.isWorthRetrying = isWorthRetrying
    self.message = message
  }
}

/// Answer of the ledger, or of the cluster's store, to a claim.
///
/// It may come long after the claim was asked for. An answer about an entry that is not asked for any more is ignored.
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

  /// The entry that was claimed.
  package var entry: EntryKey
  /// Decision about the claim.
  package var verdict: Verdict
  /// Fencing token of a claim that a cluster's store has granted; `nil` for any other.
  package var token: Int64?

  /// Makes an answer.
  package init(entry: EntryKey, verdict: Verdict, token: Int64? = nil) {
    self.entry = entry
    self.verdict = verdict
    self.token = token
  }
}
