package import TimelineCore

/// Status of one job for operators: its next entry, its active runs, and the reasons why it may be idle.
package struct JobStatus: Sendable, Hashable {
  package var name: JobName
  /// Nominal instant of the next entry; `nil` for none, or if the entry depends on the end of a run, of a pause or of
  /// low-frequency mode.
  package var next: WallInstant?
  /// Active runs, in the order in which the runs were made.
  package var runs: [RunID]
  /// Active runs that wait for a plugin host or for the end of a back-off.
  package var idleRuns: Set<RunID>
  /// Number of due entries that wait for room, for the answer of the ledger, or for the end of a pause.
  package var waitingEntries: Int
  /// Waits of the job, oldest entry first: all waiting runs, and for each reason the first ``EngineLimits/waitsShownMax``
  /// entries without a run.
  package var waits: [EntryWait]
  /// The oldest entry that is overdue; `nil` for none, and while the job is paused.
  package var overdueEntry: WallInstant?
  /// Result of the last attempt; `nil` if unknown.
  package var previous: AttemptResult?
  /// Last instant, ahead of a clock that was set back, up to which entries are decided without a gap in the schedule; `nil` for
  /// none.
  ///
  /// Until this instant the job starts no entry, because an entry that was decided when it fell due is not run again.
  package var settledThrough: WallInstant?
  /// Entries of the schedule, ascending, that do not run because they have run where they had moved.
  package var movedAway: [WallInstant] = []
  /// Instant of the pause; `nil` if the job is not paused.
  package var pausedSince: WallInstant?
  /// Incidents of the job that no success has ended, including incidents that have not opened.
  package var incidents: [IncidentNote]
}
