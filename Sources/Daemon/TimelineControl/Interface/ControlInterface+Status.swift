extension ControlInterface {
  /// The method that returns the status.
  static let statusMethod = """
    # The state of the daemon as a whole.
    method Status() -> (
      # Version of the daemon.
      version: string,
      # Time zone of the daemon. This version always has it.
      zone: ?string,
      # Time zone of each configured job that the reply names outside of faults, by the
      # name of the job. This version always has it.
      zones: ?[string]string,
      # Process number of the daemon.
      pid: int,
      # Instant at which the daemon was started, by its own clock, RFC 3339 in UTC.
      startedAt: string,
      # Current time of the daemon's clock, RFC 3339 in UTC.
      now: string,
      # Nanoseconds since the daemon was started; steps of the clock do not count.
      uptimeNanoseconds: int,
      # "system", or "scaled:60" for a rehearsal at sixty times real pace; see ClockState.
      clock: string,
      # Whether the clock of a rehearsal stands still.
      isClockPaused: bool,
      # Offset from the system's clock in nanoseconds; absent unless a file sets one.
      clockOffsetNanoseconds: ?int,
      # "normal" or "low-frequency".
      mode: string,
      # Cause of the mode in words. This version always has it.
      modeReason: ?string,
      # Absolute path of the main file of the configuration.
      configuration: string,
      # Number of jobs.
      jobCount: int,
      # Number of paused jobs.
      pausedCount: int,
      # Number of active runs, without those that wait for a plugin host or the end of a back-off.
      runningCount: int,
      # Number of due entries that wait, with those of waiting runs.
      waitingCount: int,
      # The groups that jobs share, in the order of their names.
      groups: []Group,
      # Whether the daemon is draining: it stops and waits for active runs.
      isDraining: bool,
      # Reason why the ledger cannot be written; absent while it can.
      ledgerFault: ?string,
      # Records that the ledger had lost when the daemon was started, in words
      # that follow "the ledger"; absent for none.
      ledgerLoss: ?string,
      # Fault of the control socket, in words; absent for none.
      controlFault: ?string,
      # State of the node in its cluster, in words; absent for a daemon without a cluster.
      cluster: ?string,
      # Number of jobs that cron runs at present, and the reason, in words; absent for none.
      leftToCron: ?string,
      # A sentence for each file of imported jobs that their former scheduler still runs; absent for none.
      importConflicts: ?[]string,
      # The next entry of any job to fall due; absent if there is none.
      next: ?NextEntry,
      # The latest entry that ended in failure, under this daemon or an earlier one; absent if none is known.
      lastFailure: ?Entry,
      # The last change of time zones since the daemon was started; absent if there was none.
      zoneChange: ?ZoneChange,
      # Number of jobs that need something that the machine lacks.
      faultCount: int,
      # The first hundred of these jobs at most.
      faults: []Fault,
      # Number of entries of all jobs since the daemon was started, by
      # outcome; outcomes without entries are left out.
      outcomes: [string]int,
      # Number of jobs that wait because the clock was set back, until it has passed the entries already decided.
      clockWaitCount: int,
      # The first twenty of these jobs at most, with the entries that they wait for.
      clockWaits: []NextEntry
    )
    """
}
