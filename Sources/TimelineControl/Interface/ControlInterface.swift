import TimelineCore

/// Our Varlink interface: its name and its description, which is the contract with other people's clients.
///
/// The Swift types beside it say the same once more; tests hold the two together.
package enum ControlInterface {
  /// The interface's name.
  package static let name = "io.timelined.Control"

  /// The name of a method or an error of the interface as messages have it.
  static func fullName(_ name: String) -> String { "\(Self.name).\(name)" }

  /// Names of the methods that are for everyone who may connect.
  private static var openMethods: String {
    ControlMethod.allCases.filter { !$0.needsPermission }.map(\.rawValue).joined(separator: ", ")
  }

  /// The description in Varlink's interface definition language.
  package static let description = """
    # Looks into a running timelined, reloads it, triggers jobs and stops it. Instants are RFC 3339 strings in UTC with
    # as many fraction digits as they need, lengths of time are whole nanoseconds. Fields may be added; ignore what you
    # do not know. These methods only read: \(openMethods).
    # The other methods are for root, the daemon's own user and the users that the configuration names, and answer others with org.varlink.service.PermissionDenied.
    #
    # A moment is a time as people write it: "now", "02:30" (the last one), "yesterday 02:30", "2026-11-21 02:30", "2026-11-21",
    # "2h ago", "in 2h", or RFC 3339. Without an offset it is meant in the job's zone, or in the daemon's where no job is named.
    # One that cannot be read is answered with BadMoment.
    interface io.timelined.Control

    \(types)

    \(metricsTypes)

    # How the daemon stands. zoneChange is the last one since the daemon was started, if there was one. The clock is "system", or "scaled:60" for a rehearsal at sixty times real pace (see ClockState), and now is what it
    # shows; clockOffsetNanoseconds is absent unless a file sets it off the system's; uptimeNanoseconds is elapsed time, however often that was set. ledgerFault
    # says why the ledger cannot be written, while it cannot. ledgerLoss says which records it had lost when the daemon was started. clockWaitCount jobs wait until the clock, which was set back, has passed
    # what they decided; clockWaits are the first twenty, with the entries that they wait for. The mode is "normal" or "low-frequency", and modeReason says why. Outcomes are counts over all jobs since the daemon was started; lastFailure may be older. The zone is the daemon's; zones has that of every job that is named.
    # faultCount is how many jobs lack something of the machine, faults are the first hundred of them.
    # cluster says how the node stands in its cluster; it is absent for a daemon by itself. leftToCron says how many jobs cron runs, and
    # why; it is absent for none. importConflicts has a sentence for each file of jobs that were imported from what still runs them.
    method Status() -> (
      version: string, zone: ?string, zones: ?[string]string,
      pid: int,
      startedAt: string,
      now: string,
      uptimeNanoseconds: int,
      clock: string, isClockPaused: bool, clockOffsetNanoseconds: ?int,
      mode: string, modeReason: ?string, configuration: string,
      jobCount: int,
      pausedCount: int, runningCount: int, waitingCount: int,
      groups: []Group,
      isDraining: bool,
      ledgerFault: ?string,
      ledgerLoss: ?string,
      controlFault: ?string,
      cluster: ?string,
      leftToCron: ?string,
      importConflicts: ?[]string,
      next: ?NextEntry,
      lastFailure: ?EntryEnd,
      zoneChange: ?ZoneChange,
      faultCount: int,
      faults: []Fault,
      outcomes: [string]int,
      clockWaitCount: int,
      clockWaits: []NextEntry
    )

    # All jobs, in the order of the configuration; with "more" some after the other, as more than 1000 have to be asked for.
    method List() -> (jobs: []Job)

    \(metricsMethod)

    # The configuration in effect, its defaults filled in; with "more" some tables after the other, as a long one has to be asked for.
    # path is the main file.
    method Configuration() -> (path: string, tables: []ConfigurationTable)

    # Reads the configuration again and replies when it is in force. Jobs that did not change keep running and keep their
    # phase. A configuration with any error changes nothing. Warnings say which settings are in force only after a restart, and which
    # jobs lack something of the machine.
    method Reload() -> (
      added: []string,
      changed: []string,
      removed: []string,
      unchangedCount: int,
      warnings: []string
    )

    # Runs a job now, whatever its schedule says, and replies when it is started, could not be, or waits for its turn, with 0 for
    # the run. Called with "more" it goes on with the start, replies of progress and, in the last one, the end.
    method Trigger(job: string) -> (
      run: int,
      progressMillionths: ?int,
      progressText: ?string,
      end: ?EntryEnd
    )

    # What happened at a moment of a job's timeline, and why. The verdict is one of: settled (the entry has its outcome), running, waiting (for what waiting
    # says), held (by a pause), planned (in the future), silent (in the future, and decided before the clock was set back), omitted (the rule leaves it out:
    # omission is the outcome), counted (the job has too many entries for a record an entry: counts are those of the hour), unrecorded (an entry of which
    # the ledger has nothing), none (no entry of the schedule). headline and details say the same for people, in the zone, which is the job's unless another
    # is asked for; a moment without an offset is always one of the job's. alsoCount is how many more entries the moment names. underWay are other runs of
    # the job that were active then: what was in the way of an entry that did not run. reactions are the latest ten runs of other jobs that the entry
    # caused. incident is that in which a failed entry counts, until it is over. node is the node of the cluster that runs the job, empty for none, if it is
    # one that one node runs: ClusterHistory has what became of its entries on all nodes.
    method Why(job: string, moment: string, zone: ?string) -> (
      job: string,
      zone: string,
      now: string,
      verdict: string,
      headline: string,
      details: []Detail,
      entry: ?string,
      record: ?HistoryEntry,
      attempts: []Attempt,
      running: ?Run,
      waiting: ?Waiting,
      omission: ?string,
      counts: ?[string]int,
      pausedSince: ?string,
      pausedBy: ?Operator,
      pauseReason: ?string,
      fault: ?string,
      node: ?string,
      underWay: []HistoryEntry,
      reactions: ?[]HistoryEntry,
      incident: ?Incident,
      before: ?Neighbor,
      after: ?Neighbor,
      alsoCount: int,
      output: ?string
    )

    # The next entries of a job as it runs now, after from or the daemon's now: limit of them, 100 when it is absent and at most. If there are fewer, withoutNext says on which occasion there are more, if on any.
    method Next(job: string, from: ?string, limit: ?int) -> (
      job: string, zone: string, schedule: string, now: string, entries: []string, withoutNext: ?string
    )

    # A job's schedule in words (withoutNext says when it runs that has no next entry), and the clock changes of some years that touch it, 2 when it is absent, at most 292.
    method Explain(job: string, from: ?string, years: ?int) -> (
      job: string, zone: string, words: string, canonicalForm: ?string, daylightSaving: ?string,
      next: ?string, withoutNext: ?string, changes: []ClockChange
    )

    # What became of entries, oldest first, of one job or of all; with "more" some after the other. Of the entries from since on and
    # before until the last ones are given, limit of them: 50 when it is absent, at most 1000. isCut says that there were more.
    # onlyFailures leaves out all but those that ended: \(Outcome.names(of: .failure).joined(separator: ", ")). Moments without an offset are meant in the zone.
    # zones has the zone of every job that is named. isCounted says of the one job that its entries come too often for a record of each: Why has their counts by the hour.
    method History(job: ?string, since: ?string, until: ?string, onlyFailures: ?bool, limit: ?int) -> (
      entries: []HistoryEntry,
      isCut: bool, isCounted: ?bool,
      zone: string, zones: ?[string]string
    )

    # What happens, as it does, of one job or of all; to be called with "more". The kind is one of: watching (the first reply),
    # started, waiting (a run is not called yet, or not yet again: text says what for), progress, ended, busy (of a job that has too many entries to tell each entry: text has the counts), paused, resumed,
    # clock-stepped, clock-controlled (an operator changed a rehearsal's clock: text says how), mode-changed (text says to which, and
    # why: with low-frequency mode its cadence too), reloaded, stopping, lost (the client did not keep up: count says how many were not sent). by is who paused or resumed a
    # job, changed the clock or chose normal or low-frequency mode (auto is nobody's choice), and text says it in words, with the reason.
    # The zone is the job's, and the daemon's where there is no job.
    method Watch(job: ?string) -> (
      kind: string,
      at: string, zone: ?string,
      job: ?string,
      run: ?int,
      entry: ?string,
      attempt: ?int,
      cause: ?string,
      progressMillionths: ?int,
      end: ?EntryEnd,
      text: ?string,
      count: ?int,
      by: ?Operator
    )

    # What a job wrote in its last runs, oldest first, active ones included: limit runs, 10 when it is absent, at most 100. Called
    # with "more" it goes on with replies that each have a line as it is written; line also says how many were not sent to a client
    # that did not keep up. Of a job that comes too often for a record of every entry, as isCounted says, nothing is kept.
    method Logs(job: string, limit: ?int) -> (
      runs: []RunOutput,
      line: ?string,
      run: ?int, isCounted: ?bool,
      zone: string
    )

    # Starts no entry of these jobs until they are resumed; active runs go on. A pause outlives the daemon. If there is no job of
    # one of the names, none is paused. The reason, of 500 bytes at most, is kept with the pause; that of a job which is paused
    # already stays.
    method Pause(jobs: []string, reason: ?string) -> (jobs: []PausedJob)

    # Lets a job go on. catchUp says what becomes of the entries that fell due while it was paused: latest, all or skip; absent for the
    # job's own policy for missed entries. A job that is not paused is left as it is. heldCount is how many fell due, takenCount how
    # many of them are run.
    method Resume(job: string, catchUp: ?string) -> (
      job: string, pausedSince: ?string, catchUp: string,
      heldCount: int, takenCount: int
    )

    # Lets a job go on whose entries ahead were decided while the clock was ahead of what it shows now: they come again in their time,
    # and what the ledger had of them is forgotten, forgottenCount rows. waitedUntil is absent for a job that did not wait.
    method Release(job: string) -> (
      job: string, waitedUntil: ?string, next: ?string, forgottenCount: int
    )

    # The daemon's clock. The five methods after this one change that of a rehearsal; on the system's clock they are answered with
    # NotRehearsing. Timers follow at once.
    method Clock() -> (state: ClockState)

    # Stops the clock: nothing falls due, and no timeout runs. Active runs go on.
    method PauseClock() -> (state: ClockState)

    # Lets the clock go on at the pace that it had.
    method ResumeClock() -> (state: ClockState)

    # Lets the clock go on at a speed such as "60", "0.5" or "1/3", or "max": from deadline to deadline while no run is active, at
    # real pace while one is. "0" pauses it. A text that is none of these is answered with BadSpeed.
    method SetClockSpeed(speed: string) -> (state: ClockState)

    # Moves the clock to the next deadline: an entry of any job, or the timeout or the end of the back-off of a run if that comes
    # first; then reached is absent. It stays running or paused. Without a deadline it is answered with NothingToCome.
    method StepClock() -> (state: ClockState)

    # Moves the clock to a moment in the zone of the daemon, the next one where only a time of day is given, as if the machine had
    # been suspended until then: entries in between count as missed. A moment that is not later is answered with BadMoment.
    method LeapClock(to: string) -> (state: ClockState)

    # The daemon's mode and cadence, and why.
    method Mode() -> (state: ModeState)

    # Chooses the mode: normal or low-frequency, which outlive the daemon, or auto for what the configuration says. With low-frequency
    # a cadence of seconds or minutes may be chosen.
    method SetMode(mode: string, cadence: ?string) -> (state: ModeState)

    \(clusterMethods)

    # Copies the ledger to a file beside it, while it is in use, in place of a former copy. Replies when the disk has it.
    method Backup() -> (path: string)

    # Asks a run to stop; one that does not is killed after its job's grace. Called with "more" it replies when it has asked, and
    # once more with the end.
    method Cancel(run: int) -> (
      run: int,
      job: string,
      end: ?EntryEnd
    )

    # Starts no further run, waits for active ones and ends; what waits is kept for the next start. Replies when that has begun,
    # with the number of runs waited for. Called again it changes nothing. With now set the runs are asked to stop at once, also
    # when it is stopping already.
    method Stop(now: ?bool) -> (runningCount: int)

    \(errors)

    """
}
