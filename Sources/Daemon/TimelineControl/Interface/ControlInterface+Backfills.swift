import TimelineCore

extension ControlInterface {
  /// Returns the names of the outcomes that a backfill accepts, of entries that ran or of entries that did not run.
  private static func outcomes(ran: Bool) -> String {
    Control.Backfill.allowedOutcomes.filter { $0.ran == ran }.map(\.rawValue).joined(separator: ", ")
  }

  /// The type of a backfill.
  static let backfillTypes = """
    # A backfill: entries of a job's schedule without a success that are run again, one after the other.
    type BackfillState (
      # Name of the job.
      job: string,
      # Start of the stretch, RFC 3339 in UTC.
      from: string,
      # End of the stretch, not included, RFC 3339 in UTC.
      until: string,
      # Outcomes of the entries to run again, as in Entry.
      outcomes: []string,
      # Whether the newest entry is run first.
      isNewestFirst: bool,
      # Largest number of backfilled runs at a time.
      parallel: int,
      # Nanoseconds from one start to the next; 0 for none.
      paceNanoseconds: int,
      # Whether entries without a record are run as well.
      includesUnrecorded: bool,
      # planned (a dry run), running, paused (by an operator), suspended (the job or its schedule has changed),
      # cancelled (by an operator) or ended.
      state: string,
      # Cause of the state: why the backfill is suspended, or who has paused it. Absent in other states.
      reason: ?string,
      # Number of entries to run again, those that are done included.
      totalCount: int,
      # Number of entries whose backfilled run has ended.
      doneCount: int,
      # Number of these entries that ended with a success.
      succeededCount: int,
      # Number of these entries that ended without a success.
      failedCount: int,
      # Number of entries that are left out because they have no record in the ledger.
      unrecordedCount: int,
      # Numbers of the backfilled runs that are active.
      activeRuns: []int,
      # Nominal time of the last entry that was begun, RFC 3339 in UTC; absent if there is none.
      position: ?string,
      # Instant of the request, RFC 3339 in UTC; absent for a dry run.
      requestedAt: ?string,
      # Instant of the end, RFC 3339 in UTC; absent before the end, and for a dry run.
      endedAt: ?string,
      # The operator who requested the backfill; absent if it is not known, and for a dry run.
      by: ?Operator,
      # Nanoseconds that the rest takes, by the durations of the job's last runs; absent if there are none, and
      # after the end.
      estimateNanoseconds: ?int,
      # Nominal times of the first entries to run, RFC 3339 in UTC, ten at most; empty unless it is a dry run.
      firstEntries: []string,
      # Time zone of the job, in which moments without an offset are read.
      zone: string
    )
    """

  /// Methods that run many entries again.
  static let backfillMethods = """
    # Runs the entries of a job's schedule in a stretch of time that have no success again, one after the other.
    # Each is run as by Rerun, with the cause backfill. It replies when the backfill is recorded; a job has one
    # open backfill. More than 10000 entries, and the outcomes unknown and lost of a job with at-most-once
    # delivery, are answered with BackfillQuestion, unless isConfirmed is true.
    method Backfill(
      # Name of the job.
      job: string,
      # A moment: the start of the stretch.
      from: string,
      # A moment: the end of the stretch, not included. Absent for now.
      until: ?string,
      # Outcomes of the entries to run again, at least one. Of entries that ran, or may have run:
      # \(outcomes(ran: true)).
      # Of entries that did not run:
      # \(outcomes(ran: false)).
      # Absent for all of these except unknown, lost and left-to-cron.
      outcomes: ?[]string,
      # Whether the newest entry is run first; absent for the oldest first.
      isNewestFirst: ?bool,
      # Largest number of backfilled runs at a time, from 1 to 100, and not above the job's concurrency. Absent
      # for 1.
      parallel: ?int,
      # Nanoseconds from one start to the next, up to a day; absent for 0.
      paceNanoseconds: ?int,
      # Whether entries without a record in the ledger are run as well; absent to leave them out.
      includesUnrecorded: ?bool,
      # Whether the reply only describes the backfill, and nothing is run; absent for false.
      isDryRun: ?bool,
      # Whether the backfill starts without a question; absent for false.
      isConfirmed: ?bool
    ) -> (
      # The backfill as it is now.
      backfill: BackfillState
    )

    # Pauses, resumes or cancels the open backfill of a job. Active runs go on.
    method ChangeBackfill(
      # Name of the job.
      job: string,
      # pause, resume or cancel.
      change: string
    ) -> (
      # The backfill after the change.
      backfill: BackfillState
    )

    # The open backfills, and the last one of each job that has ended.
    method Backfills(
      # Name of a job; absent for all jobs.
      job: ?string
    ) -> (
      # The backfills, newest first, 200 at most.
      backfills: []BackfillState
    )
    """
}
