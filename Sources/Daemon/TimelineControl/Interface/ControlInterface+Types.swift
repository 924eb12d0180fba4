extension ControlInterface {
  /// The types of the interface, listed before its methods.
  static let types = """
    # The sender of a request: a user, and the process that sent it.
    type Operator (
      # Number of the user.
      uid: int,
      # Name of the user; absent if it is not known.
      user: ?string,
      # Number of the process; absent for a process of another PID namespace.
      pid: ?int,
      # Name of the program in this process; the process may have chosen the name itself. Absent without pid,
      # and if the name could not be read.
      program: ?string
    )

    # A table of the configuration in effect.
    type ConfigurationTable (
      # The words of the table's header, such as "job" and "backup".
      path: []string,
      # Whether the table is one of an array of tables, with a header in double brackets.
      isElement: bool,
      # FILE:LINE of the header; absent for a table that no file has.
      origin: ?string,
      # The values of the table.
      values: []ConfigurationValue
    )

    # A value of the configuration under its key.
    type ConfigurationValue (
      # The key.
      key: string,
      # The value as TOML in one line.
      text: string,
      # The source of the value: FILE:LINE, "default", an option such as "--state", a variable such as
      # "$STATE_DIRECTORY", or "systemd"; "until the next restart" if a restart applies another value.
      origin: string
    )

    \(runTypes)

    \(jobTypes)

    \(backfillTypes)

    # State of the daemon's clock.
    type ClockState (
      # "system", or the clock of a rehearsal: "scaled:60" at sixty times real pace, "scaled:max" from deadline to
      # deadline. A paused clock has the pace at which it is resumed.
      clock: string,
      # Current time of the clock, RFC 3339 in UTC.
      now: string,
      # Whether the clock of a rehearsal stands still.
      isPaused: bool,
      # Offset from the system's clock in nanoseconds; absent unless a file sets one.
      offsetNanoseconds: ?int,
      # Time zone of the daemon.
      zone: string,
      # Time zone of each configured job in next and reached, by the name of the job. This version always has it.
      zones: ?[string]string,
      # The next entry of any job; absent if there is none.
      next: ?NextEntry,
      # The entry that StepClock has reached; absent if the deadline was that of a run, and after other methods.
      reached: ?NextEntry
    )

    # State of the daemon's mode.
    type ModeState (
      # "normal", or "low-frequency" for major entries only.
      mode: string,
      # The rate of updates that runs can expect: "live", "seconds" or "minutes".
      cadence: string,
      # The choice of an operator: "normal", "low-frequency", or "auto" for none.
      choice: string,
      # Cause of the mode: operator, configuration, battery, cpu-pressure, memory-pressure, io-pressure or none.
      cause: string,
      # The cause in words.
      reason: string,
      # Instant of the last change of mode, cadence, choice or cause, RFC 3339 in UTC.
      since: string,
      # The operator who made the choice; absent without a choice.
      by: ?Operator,
      # Time zone of the daemon.
      zone: string
    )

    \(clusterTypes)

    # A job that needs something that the machine lacks.
    type Fault (
      # Name of the job.
      job: string,
      # The thing that is missing, in words.
      message: string,
      # Whether the job does not run. If false, it runs with what was read before, and does not run after a
      # restart; or its plugin did not identify itself, and its runs show whether the plugin can be called.
      isSuspended: bool
    )

    # A change of the local clocks that affects times of a schedule.
    type ClockChange (
      # Instant of the change, RFC 3339 in UTC.
      instant: string,
      # gap if the clocks skip local times, fold if they repeat local times.
      kind: string,
      # Number of times of the rule that are skipped or repeated.
      times: int,
      # The entries that the job's policy makes of these times, RFC 3339 in UTC; the first eight at most.
      entries: []string,
      # The effect in words.
      words: string
    )

    # The first entry of a job that a change of the zone database, or of the machine's zone, has moved.
    type EntryMove (
      # Name of the job.
      job: string,
      # Instant of the entry before the change, RFC 3339 in UTC; absent if there was none.
      before: ?string,
      # Instant of the entry after the change, RFC 3339 in UTC; absent if there is none.
      after: ?string
    )

    # A change of the zone database, or of the machine's zone, and its effects.
    type ZoneChange (
      # Instant at which the change was noticed, RFC 3339 in UTC.
      at: string,
      # Names of the zones whose rules have changed, sorted; empty if the machine has got another zone.
      zones: []string,
      # Number of jobs with entries that moved.
      movedCount: int,
      # The moved entries, one of each job in the order of the configuration; the first hundred at most.
      moves: []EntryMove
    )
    """
}
