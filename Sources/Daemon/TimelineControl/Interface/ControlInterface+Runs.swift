import TimelineCore

extension ControlInterface {
  /// Returns the names of the outcomes of entries that ran or may have run; of entries that did not run if `ran` is false.
  private static func outcomes(ran: Bool) -> String {
    Outcome.allCases.filter { $0.ran == ran }.map(\.rawValue).joined(separator: ", ")
  }

  /// Returns the names of the outcomes of a kind.
  private static func outcomes(of kind: Outcome.Kind) -> String {
    Outcome.names(of: kind).joined(separator: ", ")
  }

  /// Types of entries, runs and attempts.
  static let runTypes = """
    # An entry of a job that falls due.
    type NextEntry (
      # Name of the job.
      job: string,
      # Nominal time of the entry, RFC 3339 in UTC.
      entry: string
    )

    # A due entry that waits.
    type Waiting (
      # Nominal time of the entry, RFC 3339 in UTC.
      entry: string,
      # Number of its run; absent if it has none yet.
      run: ?int,
      # Instant at which the wait began, RFC 3339 in UTC; absent if it is not known.
      since: ?string,
      # Instant at which the wait ends, RFC 3339 in UTC; absent if it is not known.
      until: ?string,
      # What the entry waits for: plugin-host, group (its limit is reached), previous-run (of the same job),
      # back-off (the time before the next attempt), jitter, pause (its end), ledger, or store (of the cluster).
      reason: string,
      # The reason in words that follow "waits".
      text: string
    )

    # An active run.
    type Run (
      # Number of the run.
      run: int,
      # Nominal time of its entry, RFC 3339 in UTC.
      entry: string,
      # Instant at which the latest attempt began, RFC 3339 in UTC.
      startedAt: string,
      # Number of the latest attempt, from 1.
      attempt: int,
      # Cause of the run, as in Entry. This version always has it.
      cause: ?string,
      # Nominal time of the entry that the run repeats, RFC 3339 in UTC; absent unless it is a rerun.
      of: ?string,
      # Progress in millionths, from 0 to 1000000; absent until the plugin reports it.
      progressMillionths: ?int,
      # Current work of the plugin in words; absent until the plugin reports it.
      progressText: ?string
    )

    # An entry of a job, with or without an outcome.
    type Entry (
      # Name of the job.
      job: string,
      # Nominal time of the entry, RFC 3339 in UTC; of several entries in a row, that of the last.
      entry: string,
      # Nominal time of the first of several entries in a row, RFC 3339 in UTC; absent for a single entry.
      firstEntry: ?string,
      # Number of entries in a row that this one stands for; 1 for a single entry.
      entryCount: int,
      # Cause of the run: schedule (the entry fell due), missed (catch-up), trigger (by an operator), rerun
      # (another run of an entry, by an operator), backfill (a rerun as one of many), reaction (to another job),
      # or recovery (an earlier daemon ended before the run did).
      cause: string,
      # Nominal time of the entry that a rerun repeats, RFC 3339 in UTC; absent for other causes, and if it is not
      # known.
      of: ?string,
      # The outcome; absent while the entry is open. The entry ran, or may have run:
      # \(outcomes(ran: true)).
      # It did not run, but should have: \(outcomes(of: .miss)).
      # It was not to run:
      # \(outcomes(of: .omission)).
      outcome: ?string,
      # Reason for the outcome, one line for people; may be empty.
      reason: string,
      # Number of the run; absent if there was none.
      run: ?int,
      # The node that gave the entry its outcome, or claimed it; only in the history of a cluster.
      node: ?string,
      # Fencing token of the claim; only in the history of a cluster, and absent if the entry was not claimed.
      token: ?int,
      # Instant at which the claim became durable, RFC 3339 in UTC; absent if there was none or it is not known.
      # In the history of a cluster: instant of the claim by the store's clock; absent for an entry with an outcome.
      claimedAt: ?string,
      # End of the lease of the node that claimed the entry, by the store's clock, RFC 3339 in UTC; only in the
      # history of a cluster, and absent for an entry with an outcome.
      leaseUntil: ?string,
      # Instant at which the first attempt began, RFC 3339 in UTC; absent if nothing was started.
      startedAt: ?string,
      # Instant at which the entry got its outcome, RFC 3339 in UTC; absent while the entry is open.
      endedAt: ?string,
      # Nanoseconds from the start of the first attempt to the end. Absent if nothing was started, while the entry
      # is open, and if the clock shows an end before the start.
      durationNanoseconds: ?int,
      # Nanoseconds from the nominal time to the start of the first attempt. Absent if nothing was started, and
      # for the causes trigger, rerun, backfill and reaction.
      latenessNanoseconds: ?int,
      # Nanoseconds of processor time of the run and of all that it started, in all attempts.
      # Absent while the entry is open, and if it is not known: without a control group for each
      # plugin host, and for a run of two daemons.
      processorTimeNanoseconds: ?int,
      # Bytes of memory that the run and all that it started had at one time at most, in the largest attempt.
      # Absent as processorTimeNanoseconds is, and if only a bound is known.
      memoryPeakBytes: ?int,
      # Bytes that this memory did not exceed; absent unless only this bound is known.
      memoryPeakBoundBytes: ?int,
      # Number of attempts.
      attempts: int,
      # The operator who triggered the run, or requested the rerun; absent if no operator did.
      by: ?Operator,
      # The operator who cancelled the run; absent if no operator did.
      cancelledBy: ?Operator
    )

    # One call of a plugin.
    type Attempt (
      # Number of the attempt within its run, from 1.
      number: int,
      # Instant at which the attempt began, RFC 3339 in UTC.
      startedAt: string,
      # Nanoseconds from the start to the end. Absent while the attempt runs, if its end is not known, and if the
      # clock shows an end before the start.
      durationNanoseconds: ?int,
      # succeeded, failed, timed-out, cancelled, lost or unknown; absent while the
      # attempt runs, and if its end is not known.
      outcome: ?string,
      # Message of the plugin, or a description of the failure, in one line; may be empty.
      message: string
    )

    # An entry before or after the requested one.
    type Neighbor (
      # Nominal time of the entry, RFC 3339 in UTC.
      entry: string,
      # State of the entry, as the verdict of Why.
      verdict: string,
      # The outcome, as in Entry; absent if the entry has none.
      outcome: ?string
    )

    # Failures of a job that are reported together. No success has ended the incident.
    type Incident (
      # failure, or missed for entries that should have run and did not.
      kind: string,
      # Number of failures that count at present.
      failures: int,
      # Number of failures that opens the incident, at least 1.
      after: int,
      # Nanoseconds within which these failures must occur; absent if no success may occur between them instead.
      withinNanoseconds: ?int,
      # Instant at which the first of the failures ended, RFC 3339 in UTC.
      since: string,
      # Instant of the last report, or of one that a pause held back, RFC 3339
      # in UTC; absent before the incident opens.
      toldAt: ?string,
      # Instant of the next reminder, RFC 3339 in UTC; absent if there is none.
      nextReminder: ?string
    )

    # A line of an answer for people.
    type Detail (
      # Subject of the line, one or two words.
      name: string,
      # Text of the line.
      text: string
    )

    # Output of a job during one run.
    type RunOutput (
      # The entry of the run; it has no outcome while the run is active.
      entry: Entry,
      # The last lines that were written, 40 lines or 4 KiB, whichever is less; may be empty.
      output: string
    )
    """
}
