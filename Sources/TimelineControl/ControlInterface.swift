/// Our Varlink interface: its name and its description, which is the contract with other people's clients.
///
/// The Swift types beside it say the same once more; tests hold the two together.
package enum ControlInterface {
  /// The interface's name.
  package static let name = "io.timelined.Control"

  /// The description in Varlink's interface definition language.
  package static let description = """
    # Looks into a running timelined, reloads it, triggers jobs and stops it. Instants are RFC 3339 strings in UTC with
    # as many fraction digits as they need, lengths of time are whole nanoseconds. Fields may be added; ignore what you
    # do not know. Status and List only read; the other methods are for root and the users that the configuration names,
    # and answer others with org.varlink.service.PermissionDenied.
    interface io.timelined.Control

    # An entry that falls due.
    type NextEntry (
      job: string,
      entry: string
    )

    # A run in flight. Its latest attempt, counted from 1, began at startedAt. Progress is in millionths of the whole, absent
    # when the plugin has not said.
    type Run (
      run: int,
      entry: string,
      startedAt: string,
      attempt: int,
      progressMillionths: ?int,
      progressText: ?string
    )

    # How an entry ended. The disposition is one of: succeeded, failed, timed-out, cancelled, lost, unknown (it ran, or may
    # have), overlapped, superseded, missed, paused, excluded, dst-gap, dst-fold, low-frequency, limited, shut-down (it
    # did not). The duration goes from the start of the first attempt to the end, the lateness from the entry to that start; both
    # are absent when nothing was started. entryCount is how many entries in a row it stands for.
    type EntryEnd (
      job: string,
      entry: string,
      run: ?int,
      disposition: string,
      reason: string,
      startedAt: ?string,
      endedAt: string,
      durationNanoseconds: ?int,
      latenessNanoseconds: ?int,
      attempts: int,
      entryCount: int
    )

    # A job as configured, and how it stands. The zone is absent when the schedule does not depend on one, next when it has no
    # entry any more. Dispositions are counts since the daemon was started.
    type Job (
      name: string,
      plugin: string,
      schedule: string,
      zone: ?string,
      next: ?string,
      running: []Run,
      last: ?EntryEnd,
      dispositions: [string]int
    )

    # How the daemon stands. The clock is "system", or "scaled:60" for a rehearsal at sixty times real pace, and now is what it
    # shows. The mode is "normal" or "low-frequency". Dispositions are counts over all jobs since the daemon was started.
    method Status() -> (
      version: string,
      pid: int,
      startedAt: string,
      now: string,
      clock: string,
      mode: string,
      configuration: string,
      jobCount: int,
      runningCount: int,
      isDraining: bool,
      next: ?NextEntry,
      lastFailure: ?EntryEnd,
      dispositions: [string]int
    )

    # All jobs, in the order of the configuration.
    method List() -> (jobs: []Job)

    # Reads the configuration again and replies when it is in force. Jobs that did not change keep running and keep their
    # phase. A configuration with any error changes nothing.
    method Reload() -> (
      added: []string,
      changed: []string,
      removed: []string,
      unchangedCount: int
    )

    # Runs a job now, whatever its schedule says, and replies when it is started or could not be. Called with "more" it goes on
    # with replies of progress and, in the last one, the end.
    method Trigger(job: string) -> (
      run: int,
      progressMillionths: ?int,
      progressText: ?string,
      end: ?EntryEnd
    )

    # Starts no further run, waits for those in flight and ends. Replies when that has begun, with the number of runs waited for.
    method Stop() -> (runningCount: int)

    # There is no job of that name; nearest is one that is spelled much like it.
    error NoSuchJob (job: string, nearest: ?string)

    # The configuration has errors and the one in force still is; diagnostics is text for people, of several lines.
    error ReloadFailed (diagnostics: string)

    # The daemon is on its way down.
    error ShuttingDown ()

    """
}
