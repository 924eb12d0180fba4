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
package struct StatusReply: Codable, Sendable, Equatable {
  package var version: String
  /// The daemon's zone; not set by the initializer.
  package var zone: String?
  /// The zone of each job named in this reply, by the job's name; not set by the initializer.
  package var zones: [String: String]?
  package var pid: Int32
  /// Start of the daemon, by the daemon's own clock.
  package var startedAt: Timestamp
  package var now: Timestamp
  /// Time since the daemon's start, not affected by clock steps.
  package var uptimeNanoseconds: Int64
  /// `system`, or `scaled:60` or `scaled:max` in a rehearsal.
  package var clock: String
  /// Whether a rehearsal's clock is paused.
  package var isClockPaused: Bool
  /// Offset from the system's clock that a file sets; `nil` for none.
  package var clockOffsetNanoseconds: Int64?
  /// `normal` or `low-frequency`.
  package var mode: String
  /// Cause of the mode in words; not set by the initializer.
  package var modeReason: String?
  /// Path of the configuration file.
  package var configuration: String
  package var jobCount: Int
  package var pausedCount: Int
  package var runningCount: Int
  /// Number of due entries that wait, including entries whose run has no plugin host or is in a back-off.
  package var waitingCount: Int
  /// Groups of jobs, in order of the groups' names.
  package var groups: [GroupReport]
  package var isDraining: Bool
  /// Reason why the ledger cannot be written; `nil` while the ledger can be written.
  package var ledgerFault: String?
  /// Loss of records that was found at the daemon's start, as text after "the ledger"; `nil` for none. Not set by the
  /// initializer.
  package var ledgerLoss: String?
  /// Fault of the control socket; `nil` for none. Not set by the initializer.
  package var controlFault: String?
  /// State of the node in its cluster, in words; `nil` without a cluster. Not set by the initializer.
  package var cluster: String?
  /// Number of jobs that cron runs at present, with the reason, in words; `nil` for none. Not set by the initializer.
  package var leftToCron: String?
  /// One sentence for each file of imported jobs that the source of the import still runs; `nil` for none. Not set by the
  /// initializer.
  package var importConflicts: [String]?
  /// The next entry to fall due; `nil` for none.
  package var next: NextEntry?
  /// The most recent failed entry; `nil` for none.
  package var lastFailure: EntryReport?
  /// The last change of the zones since the start; `nil` for none.
  package var zoneChange: ZoneChangeReport?
  /// The number of jobs with a missing requirement on this machine.
  package var faultCount: Int
  /// The first jobs with a missing requirement.
  package var faults: [FaultReport]
  /// Number of entries since the start, by outcome.
  package var outcomes: [String: Int]
  /// Number of jobs that wait because the clock was set to a time before their last decided entry.
  package var clockWaitCount: Int
  /// The first of the jobs in ``clockWaitCount``, each with the entry that the job waits for.
  package var clockWaits: [NextEntry]

  package init(
    version: String, pid: Int32, startedAt: WallInstant, now: WallInstant, uptime: ElapsedTime, clock: String,
    isClockPaused: Bool = false, clockOffset: ElapsedTime? = nil, mode: ScheduleMode,
    configuration: String, jobCount: Int, pausedCount: Int = 0, runningCount: Int, waitingCount: Int = 0,
    groups: [GroupReport] = [],
    isDraining: Bool = false, ledgerFault: String? = nil,
    next: NextEntry?,
    lastFailure: EntryReport?, zoneChange: ZoneChangeReport? = nil, faultCount: Int = 0,
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
