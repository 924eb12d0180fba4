import TimelineCore

extension ControlInterface {
  /// Names of the outcomes of entries that ran or may have, or of those that did not.
  private static func outcomes(ran: Bool) -> String {
    Outcome.allCases.filter { $0.ran == ran }.map(\.rawValue).joined(separator: ", ")
  }

  /// The types of the interface, which stand before its methods.
  static let types = """
    # Somebody who asked for something: the user, and the process, absent when it is of another PID namespace, with the name of its
    # program, which it may have chosen itself. The name of the user is absent where it is not known.
    type Operator (
      uid: int,
      user: ?string,
      pid: ?int,
      program: ?string
    )

    # A table of the configuration: the words of its header, and its values. isElement says that it is one of an array of tables.
    # origin is FILE:LINE of the header, absent for a table that no file has.
    type ConfigurationTable (
      path: []string,
      isElement: bool,
      origin: ?string,
      values: []ConfigurationValue
    )

    # A value under its key, as TOML in one line. origin is FILE:LINE, "default", or the option or variable that it comes from.
    type ConfigurationValue (
      key: string,
      text: string,
      origin: string
    )

    # An entry that falls due.
    type NextEntry (
      job: string,
      entry: string
    )

    # A due entry that waits. The reason is one of: plugin-host, group, previous-run, back-off (the time before the next attempt),
    # jitter, pause, ledger, store; text says it for people, as it follows "waits". run is absent where there is none yet, until where
    # nobody knows when the wait ends.
    type Waiting (
      entry: string,
      run: ?int,
      since: ?string,
      until: ?string,
      reason: string,
      text: string
    )

    # An active run. Its latest attempt, counted from 1, began at startedAt. Progress is in millionths, absent until told.
    type Run (
      run: int,
      entry: string,
      startedAt: string,
      attempt: int,
      progressMillionths: ?int,
      progressText: ?string
    )

    # How an entry ended. The outcome is one of: \(outcomes(ran: true)) (it ran, or may have),
    # \(outcomes(ran: false)) (it did not). The duration goes from the start of the first attempt to the end, the lateness from the entry to that start; both
    # are absent when nothing was started. entryCount is how many entries in a row it stands for.
    type EntryEnd (
      job: string,
      entry: string,
      run: ?int,
      outcome: string,
      reason: string,
      startedAt: ?string,
      endedAt: string,
      durationNanoseconds: ?int,
      latenessNanoseconds: ?int,
      attempts: int,
      entryCount: int
    )

    # An entry as the ledger has it. One that is still open has no outcome and no end. The cause says why a run exists: schedule
    # (it fell due), missed (catch-up), trigger (manual), reaction (to another job's end), recovery (after the daemon
    # died). An entry that stands for several in a row is the last of them, firstEntry the first. claimedAt is when its claim
    # became durable. The processor time is that of the run and of all that it started, in all attempts; it is absent where it is not
    # known: without a control group for each plugin host, and for a run that two daemons saw. The same holds for the peak of memory, that of
    # the largest attempt; where only a bound of it is known, there is that. by is who triggered it, cancelledBy who had it stopped.
    type HistoryEntry (
      job: string,
      entry: string,
      firstEntry: ?string,
      entryCount: int,
      cause: string,
      outcome: ?string,
      reason: string,
      run: ?int,
      claimedAt: ?string,
      startedAt: ?string,
      endedAt: ?string,
      durationNanoseconds: ?int,
      latenessNanoseconds: ?int,
      processorTimeNanoseconds: ?int,
      memoryPeakBytes: ?int,
      memoryPeakBoundBytes: ?int,
      attempts: int,
      by: ?Operator,
      cancelledBy: ?Operator
    )

    # One call of a plugin. The outcome is absent while it runs.
    type Attempt (
      number: int,
      startedAt: string,
      durationNanoseconds: ?int,
      outcome: ?string,
      message: string
    )

    # An entry beside the one that was asked for; verdicts are those of Why.
    type Neighbor (
      entry: string,
      verdict: string,
      outcome: ?string
    )

    # Failures of a job that are reported together, which no success has ended. The kind is failure or missed; after failures open it,
    # within a length of time if there is one. since is the end of the first; toldAt is absent before it opens.
    type Incident (
      kind: string,
      failures: int,
      after: int,
      withinNanoseconds: ?int,
      since: string,
      toldAt: ?string,
      nextReminder: ?string
    )

    # A line of an answer for people: what it is about, and the text.
    type Detail (
      name: string,
      text: string
    )

    # The last of what a job wrote during one run: 40 lines or 4 KiB, whichever is less.
    type RunOutput (
      entry: HistoryEntry,
      output: string
    )

    # Since when a job is paused, whether it was so before it was asked for, how many of its runs still go on, and who paused it for
    # which reason.
    type PausedJob (
      job: string,
      pausedSince: string,
      wasPaused: bool,
      runningCount: int,
      by: ?Operator,
      reason: ?string
    )

    # A group of jobs that share a limit: how many runs there may be at a time and are, and how many due entries wait.
    type Group (
      name: string,
      limit: int,
      runningCount: int,
      waitingCount: int
    )

    # A job as configured, and how it stands. The zone is absent when the schedule does not depend on one, next when it has no
    # entry any more; it waitsForClock when entries before that were decided while the clock was ahead. pausedSince is absent when
    # it is not paused; pausedBy and pauseReason say who paused it and why. fault is what the machine lacks of what the job needs,
    # for example the file of its time zone. waitingCount is how many due entries wait; waiting has those that have
    # a run and the first of the others.
    # A run that waits for a plugin host or the end of a back-off is in waiting and not in running. Outcomes
    # are counts since the daemon was started; last may be of an earlier one, for up to 1,000 jobs that have had no entry since.
    # leftToCron says why cron runs the job, which is one of a crontab; its entries are then recorded and not run.
    type Job (
      name: string,
      plugin: string,
      schedule: string,
      zone: ?string,
      next: ?string,
      pausedSince: ?string,
      pausedBy: ?Operator,
      pauseReason: ?string,
      fault: ?string,
      running: []Run,
      waiting: []Waiting,
      waitingCount: int,
      last: ?EntryEnd,
      outcomes: [string]int,
      waitsForClock: bool,
      node: ?string, isElsewhere: bool,
      leftToCron: ?string
    )

    # The daemon's clock, which shows now. It is "system", or that of a rehearsal: "scaled:60" at sixty times real pace, "scaled:max"
    # from deadline to deadline. One that isPaused stands still; its pace is that after it is resumed. offsetNanoseconds is absent
    # unless a file sets it off the system's. next is the next entry of any job, reached the one that StepClock has come to. The
    # zone is the daemon's; zones has that of every job that is named.
    type ClockState (
      clock: string,
      now: string,
      isPaused: bool,
      offsetNanoseconds: ?int,
      zone: string, zones: ?[string]string,
      next: ?NextEntry,
      reached: ?NextEntry
    )

    # State of the mode. The mode is "normal" or "low-frequency", the cadence "live", "seconds" or "minutes", the choice of an
    # operator "normal", "low-frequency" or "auto" (none). The cause is one of: operator, configuration, battery, cpu-pressure,
    # memory-pressure, io-pressure, none; reason says it in words. since is when mode, cadence,
    # choice or cause changed last, by who made the choice.
    type ModeState (
      mode: string,
      cadence: string,
      choice: string,
      cause: string,
      reason: string,
      since: string,
      by: ?Operator,
      zone: string
    )

    # A node of a cluster and what it knows of the others.
    type ClusterState (
      cluster: string, node: string, epoch: string, isMember: bool,
      trustNanoseconds: ?int, clockOffsetNanoseconds: ?int,
      storeFault: ?string, joinFault: ?string, store: ?ClusterStore,
      nodes: []ClusterNode, jobs: []ClusterJob,
      counters: [string]int
    )

    # The server of a cluster's store, its copies in words, and what an operator should know about these.
    type ClusterStore (server: string, identity: string, standbys: []string, warning: ?string)

    # A node as of the last view of the cluster; its state is member, left or dead.
    type ClusterNode (
      node: string, epoch: string, state: string, leaseNanoseconds: int, clockOffsetNanoseconds: ?int,
      labels: [string]string, jobCount: int, version: string
    )

    # A job that one node runs. divergentNodes define it otherwise than the active definition. formerNode had a job that no node can run:
    # it is gone, and no other defines the job.
    type ClusterJob (
      job: string, node: ?string, isHere: bool, divergentNodes: []string, isActiveHere: bool,
      formerNode: ?string
    )

    # An entry as the store has it.
    type ClusterEntry (
      job: string, entry: string, firstEntry: ?string, entryCount: int, node: string, token: ?int,
      cause: string, outcome: ?string, reason: string, claimedAt: ?string, leaseUntil: ?string,
      startedAt: ?string, endedAt: ?string, attempts: int
    )

    # A job that lacks something of the machine. It does not run while isSuspended; otherwise it goes on with what was read before and
    # does not run after a restart, or its plugin could not be asked who it is and its runs show whether it can be called.
    type Fault (
      job: string,
      message: string,
      isSuspended: bool
    )

    # A gap or a fold of the clocks, how many times of a rule it touches, and which entries its policy makes of them.
    type ClockChange (instant: string, kind: string, times: int, entries: []string, words: string)

    # An entry, the first of its job, that a change of the zone database has moved; before or after is absent where there is none.
    type EntryMove (job: string, before: ?string, after: ?string)

    # A change of the zone database, or of the machine's zone when it names no zones: when it was noticed, which zones have other
    # rules, how many jobs have entries that moved, and the first hundred of these.
    type ZoneChange (at: string, zones: []string, movedCount: int, moves: []EntryMove)
    """
}
