extension ControlInterface {
  /// Methods that pause, resume and release jobs.
  static let changeMethods = """
    # Pauses jobs: no entry of them is started until they are resumed. Active runs go on, and a pause lasts beyond
    # the daemon's end. If one of the names is unknown, no job is paused.
    method Pause(
      # Names of the jobs, at least one.
      jobs: []string,
      # Reason for the pause, at most 500 bytes, kept with the pause; a job that is
      # already paused keeps its own. Absent for none.
      reason: ?string
    ) -> (
      # The jobs, in the order of the request.
      jobs: []PausedJob
    )

    # Resumes a job. A job that is not paused is left as it is.
    method Resume(
      # Name of the job.
      job: string,
      # Catch-up of the entries that fell due during the pause: latest, all or skip. Absent for the job's own
      # policy for missed entries.
      catchUp: ?string
    ) -> (
      # Name of the job.
      job: string,
      # Instant at which the pause had begun, RFC 3339 in UTC; absent if the job was not paused.
      pausedSince: ?string,
      # The catch-up in effect: latest, all or skip.
      catchUp: string,
      # Number of entries that fell due during the pause.
      heldCount: int,
      # Number of these entries that are run, at once or when their turn comes.
      takenCount: int
    )

    # Releases a job whose future entries were decided while the clock was ahead of what it shows now. The entries
    # run at their times, and the ledger's records of them are deleted.
    method Release(
      # Name of the job.
      job: string
    ) -> (
      # Name of the job.
      job: string,
      # Nominal time of the entry that the job waited for, RFC 3339 in UTC; absent if the job did not wait.
      waitedUntil: ?string,
      # Nominal time of the next entry, RFC 3339 in UTC; absent if there is none.
      next: ?string,
      # Number of records that were deleted.
      forgottenCount: int
    )
    """
}
