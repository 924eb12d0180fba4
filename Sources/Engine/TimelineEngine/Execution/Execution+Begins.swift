import TimelineCore

/// Reactions to the begin of runs.
extension Execution {
  /// Whether the shell must report the call of the plugin for the attempt in `slot`, because a job reacts to the begin of the
  /// run.
  func reportsCall(_ slot: Int) -> Bool {
    jobs[runs[slot].job].hasBeginListener && runs[slot].hasUntoldBegin
  }

  /// Queues the reaction to the begin of the run in `slot`, whose plugin was called at `instant`.
  mutating func tellBegin(_ slot: Int, at instant: WallInstant, _ now: WallInstant) {
    let run = runs[slot]
    var record = EntryRecord(
      entry: jobs.key(run.job, run.nominal), cause: run.cause, outcome: .unknown, run: run.id,
      startedAt: instant, endedAt: now, attempts: 1)
    record.stage = .running
    outcomes.noteBegin(of: run.job, record)
    runs[slot].noteBeginTold()
  }
}
