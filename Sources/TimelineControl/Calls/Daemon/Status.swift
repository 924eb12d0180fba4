package import TimelineCore

extension Control {
  /// State of the daemon as a whole.
  package struct Status: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = StatusReply

    package init() {}
  }
}

/// Reply to `Status`.
package struct StatusReply: Codable, Sendable, Hashable {
  /// The daemon's version.
  package var version: String
  /// The daemon's zone; set afterwards.
  package var zone: String?
  /// The zone of every named job; set afterwards.
  package var zones: [String: String]?
  /// Its process.
  package var pid: Int32
  /// Instant at which it was started, by its own clock.
  package var startedAt: Timestamp
  /// Current time of its clock.
  package var now: Timestamp
  /// Time since it was started, not affected by clock steps.
  package var uptimeNanoseconds: Int64
  /// `system`, or `scaled:60` or `scaled:max` in a rehearsal.
  package var clock: String
  /// Whether a rehearsal's clock stands still.
  package var isClockPaused: Bool
  /// Offset from the system's clock by a file; `nil` for none.
  package var clockOffsetNanoseconds: Int64?
  /// `normal` or `low-frequency`.
  package var mode: String
  /// Cause of the mode in words; set afterwards.
  package var modeReason: String?
  /// The configuration file.
  package var configuration: String
  /// Number of jobs.
  package var jobCount: Int
  /// Number of paused jobs.
  package var pausedCount: Int
  /// Number of active runs.
  package var runningCount: Int
  /// Number of due entries that wait, including those of runs without a plugin host or in a back-off.
  package var waitingCount: Int
  /// The groups that jobs share, in the order of their names.
  package var groups: [GroupReport]
  /// Whether the daemon is draining.
  package var isDraining: Bool
  /// Reason why the ledger cannot be written; `nil` while it can.
  package var ledgerFault: String?
  /// Records that the ledger had lost when the daemon was started, as text after "the ledger"; `nil` for none. Set afterwards.
  package var ledgerLoss: String?
  /// Fault of the control socket; `nil` for none. Set afterwards.
  package var controlFault: String?
  /// State of the node in its cluster, in words; `nil` for a daemon by itself. Set afterwards.
  package var cluster: String?
  /// Number of jobs that cron runs at present, and why, in words; `nil` for none. Set afterwards.
  package var leftToCron: String?
  /// A sentence for each file of imported jobs whose source still runs them; `nil` for none. Set afterwards.
  package var importConflicts: [String]?
  /// The next entry to fall due, if there is one.
  package var next: NextEntry?
  /// The most recent entry that ended in failure, if one did.
  package var lastFailure: EntryEnd?
  /// The last change of the zones since the start, if there was one.
  package var zoneChange: ZoneChangeReport?
  /// The number of jobs with a missing requirement on this machine.
  package var faultCount: Int
  /// The first of these jobs.
  package var faults: [FaultReport]
  /// Number of entries since the start, by outcome.
  package var outcomes: [String: Int]
  /// The number of jobs that wait because the clock was set back to before their last decided entry.
  package var clockWaitCount: Int
  /// The first of these jobs, each with the entry for which it waits.
  package var clockWaits: [NextEntry]

  /// Makes a reply.
  package init(
    version: String, pid: Int32, startedAt: WallInstant, now: WallInstant, uptime: ElapsedTime, clock: String,
    isClockPaused: Bool = false, clockOffset: ElapsedTime? = nil, mode: ScheduleMode,
    configuration: String, jobCount: Int, pausedCount: Int = 0, runningCount: Int, waitingCount: Int = 0,
    groups: [GroupReport] = [],
    isDraining: Bool = false, ledgerFault: String? = nil,
    next: NextEntry?,
    lastFailure: EntryEnd?, zoneChange: ZoneChangeReport? = nil, faultCount: Int = 0,
    faults: [FaultReport] = [], outcomes: [Outcome: Int],
    clockWaitCount: Int = 0, clockWaits: [NextEntry] = []
  ) {
    self.version = version
    self.pid = pid
    self.startedAt = Timestamp(startedAt)
    self.now = Timestamp(now)
    uptimeNanoseconds = uptime.nanoseconds
    self.clock = clock
    self.isClockPaused = isClockPaused
    clockOffsetNanoseconds = clockOffset?.nanoseconds
    self.mode = mode.rawValue
    self.configuration = configuration
    self.jobCount = jobCount
    self.pausedCount = pausedCount
    self.runningCount = runningCount
    self.waitingCount = waitingCount
    self.groups = groups
    self.isDraining = isDraining
    self.ledgerFault = ledgerFault
    self.next = next
    self.lastFailure = lastFailure
    self.zoneChange = zoneChange
    self.faultCount = faultCount
    self.faults = faults
    self.outcomes = outcomes.named
    self.clockWaitCount = clockWaitCount
    self.clockWaits = clockWaits
  }
}
