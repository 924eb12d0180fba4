package import TimelineCore

extension EngineState {
  /// The state of every configured job at `now`, in the order of the configuration.
  package func statuses(at now: WallInstant) -> [JobStatus] {
    let survey = RunSurvey(of: self)
    return jobs.configured.map { status(of: $0, survey, at: now) }
  }

  /// The state at `now` of those of some jobs that are configured; O(they and all runs).
  package func statuses(of names: some Sequence<JobName>, at now: WallInstant) -> [JobStatus] {
    let survey = RunSurvey(of: self)
    return names.compactMap { jobs.index(named: $0) }.map { status(of: $0, survey, at: now) }
  }

  /// The state of one job at `now`; `nil` when there is no such job.
  package func status(of job: JobName, at now: WallInstant) -> JobStatus? {
    jobs.index(named: job).map { status(of: $0, RunSurvey(of: self), at: now) }
  }

  /// The entry that falls due first of any job, and whose it is: what a status line shows; O(jobs).
  package var nextEntry: EntryKey? {
    var earliest: (index: Int, nominal: WallInstant, due: WallInstant)?
    for index in jobs.configured {
      guard let next = jobs[index].next else { continue }
      let due = planned(index)
      if earliest.map({ due < $0.due }) ?? true { earliest = (index, next, due) }
    }
    return earliest.map { jobs.key($0.index, $0.nominal) }
  }

  /// The first of all deadlines, for which the shell has been told to wake unless entries only join a queue then.
  package var nextDeadline: WallInstant? { deadlines.first?.deadline }

  /// About how many entries fall due at ``nextDeadline``, at most `limit`: what to prepare for; O(that many).
  package func entryCountNext(atMost limit: Int) -> Int { deadlines.countOfFirst(atMost: limit) }

  /// Number of active runs.
  package var runCount: Int { runs.count }

  /// The earliest entry whose nominal instant may have passed and that has no outcome yet; O(runs, and jobs that
  /// have jitter or an accuracy or of which an entry has waited).
  package var earliestOpenEntry: WallInstant? {
    var earliest: WallInstant?
    for slot in runs.occupied { earliest = min(earliest ?? .max, runs[slot].nominal) }
    for index in jobs.inexact {
      // One that its jitter puts off may have an earlier nominal instant than what has been settled.
      if let next = jobs[Int(index)].next, next != planned(Int(index)) {
        earliest = min(earliest ?? .max, next)
      }
    }
    for index in jobs.withPastWaits.lazy.map(Int.init) where jobs[index].waitingEntries > 0 {
      for entry in jobs[index].waiting.all { earliest = min(earliest ?? .max, entry.nominal) }
    }
    return earliest
  }

  /// Whether the run is active; one that was left to the next daemon is not.
  package func isInFlight(_ run: RunID) -> Bool { runs.slot(of: run) != nil }

  /// Returns the instant at which an active run exceeds its job's timeout; `nil` for never.
  package func timeoutInstant(of run: RunID) -> WallInstant? { runs.slot(of: run).flatMap { timeoutAt($0) } }

  private func status(of index: Int, _ survey: RunSurvey, at now: WallInstant) -> JobStatus {
    let job = jobs[index]
    let own = survey.slots[index] ?? []
    return JobStatus(
      name: job.definition.name, next: job.next, runs: own.map { runs[$0].id },
      idleRuns: Set(own.filter { runs[$0].isIdle }.map { runs[$0].id }), waitingEntries: job.waitingEntries,
      waits: waits(of: index, survey, at: now),
      previous: job.previous, settledThrough: job.waitsForClock(at: now) ? job.decidedBeforeNext : nil,
      pausedSince: job.pause?.since)
  }
}
