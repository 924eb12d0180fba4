import TimelineCore

/// Answers about jobs and runs. ``EngineState`` documents each.
extension Execution {
  func statuses(at now: WallInstant) -> [JobStatus] {
    let survey = RunSurvey(of: self)
    return jobs.configured.map { status(of: $0, survey, at: now) }
  }

  func statuses(of names: some Sequence<JobName>, at now: WallInstant) -> [JobStatus] {
    let survey = RunSurvey(of: self)
    return names.compactMap { jobs.index(named: $0) }.map { status(of: $0, survey, at: now) }
  }

  func status(of job: JobName, at now: WallInstant) -> JobStatus? {
    jobs.index(named: job).map { status(of: $0, RunSurvey(of: self), at: now) }
  }

  func incidents(of job: JobName) -> [IncidentNote]? {
    jobs.index(named: job).map { jobs[$0].incidentNotes }
  }

  var nextEntry: EntryKey? {
    var earliest: (index: Int, nominal: WallInstant, due: WallInstant)?
    for index in jobs.configured {
      guard let next = jobs[index].next else { continue }
      let due = timetable.planned(index)
      if earliest.map({ due < $0.due }) ?? true { earliest = (index, next, due) }
    }
    return earliest.map { jobs.key($0.index, $0.nominal) }
  }

  var earliestOpenEntry: WallInstant? {
    var earliest: WallInstant?
    for slot in runs.occupied { earliest = min(earliest ?? .max, runs[slot].nominal) }
    for index in jobs.inexact {
      // An entry that is delayed by jitter may have an earlier nominal instant than the entries that have been settled.
      if let next = jobs[Int(index)].next, next != timetable.planned(Int(index)) {
        earliest = min(earliest ?? .max, next)
      }
    }
    for index in jobs.withPastWaits.lazy.map(Int.init) where jobs[index].waitingEntries > 0 {
      for entry in jobs[index].waiting.all { earliest = min(earliest ?? .max, entry.nominal) }
    }
    return earliest
  }

  func timeoutInstant(of run: RunID) -> WallInstant? { runs.slot(of: run).flatMap { timeoutAt($0) } }

  /// Returns the entry of a job's last trigger or reaction; `nil` if there is no such job, or if there was none.
  func latestOfItsOwn(_ name: JobName) -> EntryKey? {
    guard let index = jobs.index(named: name), let nominal = jobs[index].lastTrigger else { return nil }
    return jobs.key(index, nominal)
  }

  private func status(of index: Int, _ survey: RunSurvey, at now: WallInstant) -> JobStatus {
    let job = jobs[index]
    let own = survey.slots[index] ?? []
    return JobStatus(
      name: job.definition.name, next: job.next, runs: own.map { runs[$0].id },
      idleRuns: Set(own.filter { runs[$0].isIdle }.map { runs[$0].id }), waitingEntries: job.waitingEntries,
      waits: waits(of: index, survey, at: now), overdueEntry: overdueEntry(of: index, survey, at: now),
      previous: job.previous, settledThrough: job.waitsForClock(at: now) ? job.decidedBeforeNext : nil,
      movedAway: job.moves.decided, pausedSince: job.pause?.since, incidents: job.incidentNotes)
  }
}
