extension ControlInterface {
  /// Methods that find entries without a success, and run entries again.
  static let rerunMethods = """
    # Runs an entry of a job's schedule again, without its requirements. The rerun is an entry of its own with the
    # cause rerun; the plugin gets the nominal time of the repeated entry, and no cursor. It replies as Trigger does.
    method Rerun(
      # Name of the job.
      job: string,
      # The moment of the entry; without an offset it is one of the job's zone. The entry must have its outcome.
      moment: string
    ) -> (
      # Number of the run; 0 while it waits for its turn, and if it was not started, as end shows.
      run: int,
      # Nominal time of the entry that is repeated, RFC 3339 in UTC. This version always has it.
      of: ?string,
      # Progress in millionths, from 0 to 1000000; absent in other replies, and if the plugin has not reported it.
      progressMillionths: ?int,
      # Current work of the plugin in words; absent in other replies.
      progressText: ?string,
      # The end of the rerun, in the last reply to a call with "more", and
      # if it has ended at once. Absent otherwise.
      end: ?Entry
    )

    # The entries of a job's schedule in a stretch of time that have an outcome and no success. An entry with a
    # rerun that has succeeded is not among them.
    method Gaps(
      # Name of the job.
      job: string,
      # A moment: the start of the stretch, which is at most 400 days long. Absent for 7 days before its end.
      from: ?string,
      # A moment: the end of the stretch, not included. Absent for now.
      until: ?string,
      # Largest number of lines, from 1 to 1000; absent for 1000.
      limit: ?int
    ) -> (
      # The entries, oldest first. Entries in a row that share a record are one line.
      entries: []Entry,
      # Number of entries of the schedule without a record in the ledger.
      unknownCount: int,
      # Start of the stretch, RFC 3339 in UTC.
      from: string,
      # End of the stretch that was searched, not included, RFC 3339 in UTC.
      until: string,
      # Whether the search ended before the end of the stretch. Another call can go on from until.
      isCut: bool,
      # Time zone of the job, in which moments without an offset are read.
      zone: string
    )
    """
}
