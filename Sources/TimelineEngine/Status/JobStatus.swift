package import TimelineCore

/// Status of one job for operators: its next entry, its active runs, and the reasons why it may be idle.
package struct JobStatus: Sendable, Hashable {
  /// The job.
  package var name: JobName
  /// The nominal instant of the next entry; `nil` when there is none, or when it depends on the end of a run, of a
  /// pause or of low-frequency mode.
  package var next: WallInstant?
  /// Active runs, in the order in which they were made.
  package var runs: [RunID]
  /// Runs among these that wait for a plugin host or for the end of a back-off.
  package var idleRuns: Set<RunID>
  /// Due entries that wait for room, for the ledger to answer, or for the end of a pause.
  package var waitingEntries: Int
  /// Waits of the job, oldest entry first: the waits of all waiting runs, and for each reason the waits of the first
  /// ``EngineLimits/waitsShownMax`` entries without a run.
  package var waits: [EntryWait]
  /// The oldest entry that is overdue; `nil` for none, and while the job is paused.
  package var overdueEntry: WallInstant?
  /// Result of the last attempt; `nil` when none is known.
  package var previous: AttemptResult?
  /// Last instant, ahead of a clock that was set back, up to which entries are decided without a gap in the schedule; `nil` for
  /// none.
  ///
  /// Until then the job starts no entry, because an entry that was decided when it fell due is not run again.
  package var settledThrough: WallInstant?
  /// Instant at which the job was paused; `nil` when it is not paused.
  package var pausedSince: WallInstant?
  /// Incidents of the job that no success has ended, including those that have not opened.
  package var incidents: [IncidentNote]
}
