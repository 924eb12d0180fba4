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
  /// Waits of the job, oldest entry first: those of all waiting runs, and of the first ``EngineLimits/waitsShownMax`` entries without a run
  /// that wait for the same.
  package var waits: [EntryWait]
  /// The oldest due entry that should have begun some time ago and has not; `nil` for none, and while the job is paused.
  package var overdueEntry: WallInstant?
  /// Result of the last attempt; `nil` when none is known.
  package var previous: AttemptResult?
  /// Last instant ahead of a clock that went back up to which entries are decided without a gap in the schedule; `nil` for none.
  ///
  /// Until then the job is silent: an entry that was decided as it fell due is not run again.
  package var settledThrough: WallInstant?
  /// Instant at which the job was paused; `nil` when it is not paused.
  package var pausedSince: WallInstant?
  /// Incidents of the job that no success has ended, those included that have not opened.
  package var incidents: [IncidentNote]
}
