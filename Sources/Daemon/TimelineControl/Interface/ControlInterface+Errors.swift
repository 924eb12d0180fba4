// The errors of the interface.
extension ControlInterface {
  static let errors = """
    # No job has this name.
    error NoSuchJob (
      # The name in the request.
      job: string,
      # Name of a job with a similar spelling; absent if there is none.
      nearest: ?string
    )

    # The job exists, but the configuration disables it.
    error JobDisabled (
      # Name of the job.
      job: string
    )

    # The schedule of the job has no entry at a moment, or several.
    error NoSuchEntry (
      # Name of the job.
      job: string,
      # The moment in the request.
      moment: string,
      # What the schedule has there instead, with the nearest entries.
      reason: string
    )

    # The entry cannot be repeated, or the job has no entries that could be.
    error NotRepeatable (
      # Name of the job.
      job: string,
      # What is in the way.
      reason: string
    )

    # The job cannot have this backfill, or has no open backfill to change.
    error BackfillRefused (
      # Name of the job.
      job: string,
      # What is in the way.
      reason: string
    )

    # The backfill needs a confirmation; the remedy is the same request with isConfirmed.
    error BackfillQuestion (
      # Name of the job.
      job: string,
      # What is unusual about the backfill.
      reason: string
    )

    # No active run has this number.
    error NoSuchRun (
      # The number in the request, in decimal digits.
      run: string,
      # The active runs in words; empty if there are none.
      running: string
    )

    # A text cannot be read as a moment, or the moment is too early for the request.
    error BadMoment (
      # The text in the request.
      text: string,
      # What is wrong with the text, and what is expected.
      reason: string
    )

    # The machine has no time zone of this name.
    error NoSuchZone (
      # The name in the request.
      zone: string
    )

    # The limit of clients that are connected, wait or watch is reached.
    error TooManyClients (
      # Largest number of clients of this kind, in decimal digits.
      limit: string
    )

    # The configuration has errors; the former one stays in force.
    error ReloadFailed (
      # The errors as text for people, of several lines.
      diagnostics: string
    )

    # The reply would be too long. The remedy is a narrower request, or a call with "more".
    error ReplyTooLong (
      # Full name of the method.
      method: string
    )

    # The reply could not be made.
    error ReplyFailed (
      # Full name of the method.
      method: string,
      # Reason of the failure.
      reason: string
    )

    # The daemon runs on the system's clock, which it does not change.
    error NotRehearsing ()

    # A text is not a speed.
    error BadSpeed (
      # The text in the request.
      text: string,
      # What is expected.
      reason: string
    )

    # No job has a future entry, and no run has a deadline.
    error NothingToCome ()

    # The daemon is not a node of a cluster.
    error NoCluster ()

    # Another node of the cluster owns the job, or no node does.
    error JobElsewhere (
      # Name of the job.
      job: string,
      # The node that owns the job; empty for none.
      node: string
    )

    # The cluster's store cannot be reached, or its answer cannot be used.
    error StoreFailed (
      # Reason of the failure.
      reason: string
    )

    # The ledger could not be copied.
    error BackupFailed (
      # Reason of the failure.
      reason: string
    )

    # The daemon has refused its configuration and does not start. The error is sent without a call, before the
    # connection is closed.
    error ConfigurationRefused ()

    # The daemon is stopping and does not accept this request.
    error ShuttingDown ()

    # The daemon is stopping before the entry of a waiting call has run. The next daemon goes on with the entry.
    error EntryKept (
      # Name of the job.
      job: string
    )

    # The job has already had an entry at this very instant, as after a clock was set back. Nothing was started.
    error EntryTaken (
      # Name of the job.
      job: string
    )

    # The call would wait forever: the run that it would wait for waits for the end of the caller's own run.
    error WaitWithoutEnd (
      # Name of the job in the request.
      job: string,
      # The runs that wait for one another, in words.
      reason: string
    )
    """
}
