package import TimelineCore

/// What an operator asks about one job: when it runs next, what runs now, and why it may be silent.
package struct JobStatus: Sendable, Hashable {
  /// The job.
  package var name: JobName
  /// The nominal instant of the next entry; `nil` when there is none, or when it depends on the end of a run or
  /// of a pause.
  package var next: WallInstant?
  /// The runs in flight, in the order in which they were made.
  package var runs: [RunID]
  /// Those of them that wait for a plugin host or for the end of a back-off.
  package var idleRuns: Set<RunID>
  /// Due entries that wait for room, for the ledger to answer, or for the end of a pause.
  package var waitingEntries: Int
  /// Waits of the job, oldest entry first: those of all waiting runs, and of the first ``EngineLimits/waitsShownMax`` entries without a run
  /// that wait for the same.
  package var waits: [EntryWait]
  /// How the last attempt ended, if there was one.
  package var previous: AttemptOutcome?
  /// After the clock went back: the last instant ahead of it up to which entries are decided without a gap in the schedule.
  ///
  /// Until then the job is silent: what was decided as it fell due is never fired again.
  package var settledThrough: WallInstant?
  /// Since when the job is paused; `nil` when it is not.
  package var pausedSince: WallInstant?
}
