import TimelineCore

extension ControlInterface {
  /// Methods that return a job's past and future.
  static let timelineMethods = """
    # What happened at a moment of a job's timeline, or will happen, and why.
    method Why(
      # Name of the job.
      job: string,
      # The moment; without an offset it is always one of the job's zone.
      moment: string,
      # Time zone of headline and details; absent for the job's.
      zone: ?string
    ) -> (
      # Name of the job.
      job: string,
      # Time zone of headline and details.
      zone: string,
      # Current time of the daemon's clock, RFC 3339 in UTC.
      now: string,
      # State at the moment, one of:
      # settled: the entry has its outcome
      # running: its run is active
      # waiting: the entry is due and waits, as waiting shows
      # held: the entry is due, and the job is paused
      # planned: the entry is in the future
      # silent: the entry is in the future, and was decided before the clock was set back
      # omitted: the rule leaves the moment out, for the reason in omission
      # counted: the job has too many entries for a record of each; counts are those of the hour
      # unrecorded: the entry is one of the schedule, and the ledger has no record of it
      # none: the schedule has no entry there
      verdict: string,
      # The answer in one sentence, in the time zone in zone.
      headline: string,
      # Reasons and further facts, one line each, in the time zone in zone.
      details: []Detail,
      # Nominal time of the entry, RFC 3339 in UTC; absent if there is none.
      entry: ?string,
      # The ledger's record of a settled or running entry; absent if there is none.
      record: ?Entry,
      # The known attempts of the run, in order.
      attempts: []Attempt,
      # The active run of the entry; absent if there is none.
      running: ?Run,
      # The wait of the entry; without an entry at a moment that contains now, the job's oldest wait. Absent if
      # there is none, or it is not known.
      waiting: ?Waiting,
      # The outcome excluded, dst-gap or dst-fold; absent unless the verdict is omitted.
      omission: ?string,
      # Number of entries of the hour by outcome; absent unless the verdict is counted.
      counts: ?[string]int,
      # Instant at which the job's present pause began, RFC 3339 in UTC; absent if the job is not paused.
      pausedSince: ?string,
      # The operator who paused the job; absent if the job is not paused, or it is not known.
      pausedBy: ?Operator,
      # The reason for the pause; absent if the job is not paused, or there was none.
      pauseReason: ?string,
      # What the job needs and the machine lacks; absent for nothing.
      fault: ?string,
      # The node of the cluster that runs the job, empty for none at present; absent unless one node runs the job.
      # ClusterHistory has the job's entries on all nodes.
      node: ?string,
      # Other runs that were active then, if they were in the way of the entry or there is no entry: runs of the
      # job, or of jobs that share a group with it.
      underWay: []Entry,
      # The latest ten runs of other jobs that the entry caused, oldest first; absent if there is no entry.
      reactions: ?[]Entry,
      # The latest ten reruns of the entry, oldest first; absent if there is no entry.
      reruns: ?[]Entry,
      # The incident in which a failed entry counts; absent for other entries, and when the incident is over.
      incident: ?Incident,
      # The entry before; absent if there is none.
      before: ?Neighbor,
      # The entry after; absent if there is none, or it is not known.
      after: ?Neighbor,
      # Number of further entries at the moment.
      alsoCount: int,
      # The last part of the run's output, as in RunOutput; absent if there is none.
      output: ?string
    )

    # The next entries of a job, by the schedule that is in force.
    method Next(
      # Name of the job.
      job: string,
      # Entries after this instant, RFC 3339 with any offset; absent for the daemon's current time.
      from: ?string,
      # Largest number of entries, from 1 to 100; absent for 100.
      limit: ?int
    ) -> (
      # Name of the job.
      job: string,
      # Time zone of the job.
      zone: string,
      # The schedule in words.
      schedule: string,
      # Current time of the daemon's clock, RFC 3339 in UTC.
      now: string,
      # Nominal times of the entries, RFC 3339 in UTC, ascending.
      entries: []string,
      # Occasion of further entries whose times are not known, in words; absent if there
      # is none, and if limit entries were found.
      withoutNext: ?string
    )

    # The schedule of a job in words, and the clock changes that affect it.
    method Explain(
      # Name of the job.
      job: string,
      # The explanation is for the time after this instant, RFC 3339 with any offset; absent for the current time.
      from: ?string,
      # Number of years of clock changes, from 1 to 292; absent for 2.
      years: ?int
    ) -> (
      # Name of the job.
      job: string,
      # Time zone of the job.
      zone: string,
      # The schedule in words.
      words: string,
      # The rule in the canonical form of its language; absent for schedules that have none.
      canonicalForm: ?string,
      # Effect of daylight-saving time on the schedule, in words; absent if there is none.
      daylightSaving: ?string,
      # Nominal time of the first entry after from, RFC 3339 in UTC; absent if there is none.
      next: ?string,
      # When the job runs without a next entry, in words, or "never again"; absent if there is a next entry.
      withoutNext: ?string,
      # The clock changes of these years that affect the schedule, ascending.
      changes: []ClockChange
    )

    # Outcomes of entries of one job or of all jobs. Called with "more", it replies several times, with some of
    # the entries in each reply.
    method History(
      # Name of the job; absent for all jobs.
      job: ?string,
      # A moment: only entries from it on. Absent for no such bound.
      since: ?string,
      # A moment: only entries before it. Absent for no such bound.
      until: ?string,
      # Whether only these outcomes are listed:
      # \(Outcome.names(of: .failure).joined(separator: ", ")). Absent for false.
      onlyFailures: ?bool,
      # Largest number of entries, from 1 to 1000; absent for 50.
      limit: ?int
    ) -> (
      # The last of these entries, oldest first.
      entries: []Entry,
      # Whether there are more of them.
      isCut: bool,
      # Whether the requested job has too many entries for a record of each; Why has
      # their counts by the hour. Absent for false.
      isCounted: ?bool,
      # Time zone of moments without an offset: the job's, or the daemon's without a job.
      zone: string,
      # Time zone of each configured job in entries, by the name of the job. This version always has it.
      zones: ?[string]string
    )

    # Events of one job or of all jobs, as they happen, until the client disconnects. A call needs "more".
    method Watch(
      # Name of the job; absent for all jobs.
      job: ?string
    ) -> (
      # Kind of the event, one of:
      # watching: the first reply; no event
      # started: an attempt began
      # waiting: the plugin of a run is not called yet, or not yet again, for the reason in text
      # progress: a plugin reported its progress
      # ended: an entry has its outcome
      # busy: counts of outcomes, in text, of a job that has too many entries to report each of them
      # paused, resumed: an operator paused or resumed a job
      # clock-stepped: the clock was set, or the machine resumed
      # clock-controlled: an operator changed the clock of a rehearsal
      # mode-changed: the mode, its cadence or its cause changed
      # reloaded: a new configuration is in force
      # stopping: the daemon is draining
      # lost: events were not sent, because the client did not read them fast enough
      kind: string,
      # Instant of the event, RFC 3339 in UTC.
      at: string,
      # Time zone of the job, or the daemon's without a job. This version always has it.
      zone: ?string,
      # Name of the job; absent for an event of the daemon as a whole.
      job: ?string,
      # Number of the run; absent if there is none.
      run: ?int,
      # Nominal time of the entry, RFC 3339 in UTC; absent for an event that is not about an entry.
      entry: ?string,
      # Number of the attempt, from 1; absent unless the kind is started.
      attempt: ?int,
      # Cause of the run, as in Entry; absent unless the kind is started or ended.
      cause: ?string,
      # Nominal time of the entry that the run repeats, RFC 3339 in UTC; absent unless the cause is rerun.
      of: ?string,
      # Progress in millionths, from 0 to 1000000; absent if the kind is not progress, or the plugin has reported
      # only a text.
      progressMillionths: ?int,
      # The end of the entry; absent unless the kind is ended.
      end: ?Entry,
      # The event in words: the reason of a wait, the current work of a plugin, the counts of a busy job, the
      # operator and the reason, the step or the change of the clock, the mode with its cause and in low-frequency
      # mode its cadence, or the changes of a reload. Absent for other kinds.
      text: ?string,
      # Number of events that were not sent; absent unless the kind is lost.
      count: ?int,
      # The operator who paused or resumed the job, changed the clock, or chose the mode. Absent for other events,
      # and if the operator's choice of the mode is auto.
      by: ?Operator
    )

    # Output of a job's last runs. Called with "more", it goes on: each later reply has one line as it is written.
    method Logs(
      # Name of the job.
      job: string,
      # Largest number of runs, from 1 to 100; absent for 10.
      limit: ?int
    ) -> (
      # Output of the last runs, oldest first, active runs included; empty in later replies.
      runs: []RunOutput,
      # A line that was written, or a note of how many lines were not sent to a client that read too slowly;
      # absent in the first reply.
      line: ?string,
      # Number of the run that wrote the line; absent in the first reply, and for such a note.
      run: ?int,
      # Whether the job has too many entries for a record of each, so that no output of them is kept. Absent for
      # false, and in later replies.
      isCounted: ?bool,
      # Time zone of the job.
      zone: string
    )
    """
}
