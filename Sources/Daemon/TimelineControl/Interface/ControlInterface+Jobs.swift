extension ControlInterface {
  /// Types of jobs, pauses and groups.
  static let jobTypes = """
    # A job that is paused.
    type PausedJob (
      # Name of the job.
      job: string,
      # Instant at which the pause began, RFC 3339 in UTC.
      pausedSince: string,
      # Whether the job was already paused before the request.
      wasPaused: bool,
      # Number of its runs that are still active, without those that wait
      # for a plugin host or the end of a back-off.
      runningCount: int,
      # The operator who paused the job; absent if it is not known.
      by: ?Operator,
      # The operator's reason; absent if there was none.
      reason: ?string
    )

    # A group of jobs that share a limit of active runs.
    type Group (
      # Name of the group.
      name: string,
      # Largest number of active runs of its jobs at a time.
      limit: int,
      # Number of active runs of its jobs, also of those that wait for a plugin host or the end of a back-off.
      runningCount: int,
      # Number of due entries of its jobs that wait and have no run.
      waitingCount: int
    )

    # A job as configured, and its state.
    type Job (
      # Name of the job.
      name: string,
      # The plugin, by its name or path.
      plugin: string,
      # The schedule in words, such as "every 30s".
      schedule: string,
      # Time zone of the job, such as "Europe/Berlin". It may be absent if the schedule does not depend on a zone;
      # this version always has it.
      zone: ?string,
      # Nominal time of the next entry, RFC 3339 in UTC. Absent if there is none, and while it depends on the end
      # of a run, of a pause or of low-frequency mode.
      next: ?string,
      # Instant at which the pause of the job began, RFC 3339 in UTC; absent if the job is not paused.
      pausedSince: ?string,
      # The operator who paused the job; absent if the job is not paused, or it is not known.
      pausedBy: ?Operator,
      # The reason for the pause; absent if the job is not paused, or there was none.
      pauseReason: ?string,
      # Progress of the open backfill of the job in words, such as "12 of 60 entries"; absent if it has none.
      backfill: ?string,
      # What the job needs and the machine lacks, for example the file of its time zone; absent for nothing.
      fault: ?string,
      # Active runs, oldest first, without those that wait for a plugin host or the end of a back-off.
      running: []Run,
      # Waiting entries, oldest first: all that have a run, and the first of the others.
      waiting: []Waiting,
      # Number of due entries that wait, with those of waiting runs.
      waitingCount: int,
      # The end of the latest entry that ended, under this daemon or an earlier one; absent if none is known.
      last: ?Entry,
      # Number of entries since the daemon was started, by outcome; outcomes without entries are left out.
      outcomes: [string]int,
      # Whether entries before next were decided while the clock was ahead of what it shows now.
      waitsForClock: bool,
      # The node of the cluster that runs the job, empty for none at present; absent unless one node runs the job.
      node: ?string,
      # Whether another node of the cluster runs the job, or none.
      isElsewhere: bool,
      # Reason why cron runs the job, which is one of a crontab; its entries are then recorded and
      # not run. Absent if cron does not run it.
      leftToCron: ?string
    )
    """
}
