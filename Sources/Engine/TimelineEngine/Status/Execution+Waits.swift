import TimelineCore

/// Answers about waits. ``EngineState`` documents each.
extension Execution {
  func waitingEntries(of job: JobName) -> [WallInstant] {
    guard let index = jobs.index(named: job) else { return [] }
    return jobs[index].waiting.all.map(\.nominal).sorted()
  }

  func isAskingForItsOwn(_ entry: EntryKey) -> Bool {
    guard let index = jobs.index(of: entry) else { return false }
    return jobs[index].waiting.unclaimed.contains { $0.nominal == entry.nominal && !$0.cause.isOfSchedule }
  }

  var waitingEntryCount: Int { jobs.withPastWaits.reduce(0) { $0 + jobs[Int($1)].waitingEntries } }

  func wait(of run: RunID) -> EntryWait? { runs.slot(of: run).flatMap(wait(in:)) }

  var idleRunCount: Int { runs.occupied.count { runs[$0].isIdle } }

  func waits(of job: JobName, at now: WallInstant) -> [EntryWait] {
    guard let index = jobs.index(named: job) else { return [] }
    return waits(of: index, RunSurvey(of: self), at: now, atMost: .max)
  }

  func heldCount(of name: JobName, at now: WallInstant) -> Int {
    guard let index = jobs.index(named: name), let pause = jobs[index].pause else { return 0 }
    return jobs[index].waiting.held.count
      + timetable.fallenDue(index, in: pause, now).reduce(0) { $0 + $1.count }
  }

  func waitingForClock(at now: WallInstant) -> [EntryKey] {
    jobs.configured.compactMap { index in
      guard jobs[index].waitsForClock(at: now), let next = jobs[index].next else { return nil }
      return jobs.key(index, next)
    }
  }

  /// Returns the waits of a job, oldest entry first: all its waiting runs, and for each reason the first `limit` entries
  /// without a run.
  func waits(
    of index: Int, _ survey: RunSurvey, at now: WallInstant, atMost limit: Int = EngineLimits.waitsShownMax
  ) -> [EntryWait] {
    let job = jobs[index]
    var waits = (survey.slots[index] ?? []).compactMap(wait(in:))
    if !job.waiting.buffered.isEmpty {
      let reason = roomReason(index, survey)
      waits += job.waiting.buffered.prefix(limit).map { entry in
        EntryWait(nominal: entry.nominal, since: entry.waitingSince, reason: reason)
      }
    }
    waits += job.waiting.unclaimed.prefix(limit).map {
      EntryWait(nominal: $0.nominal, reason: job.isOfCluster ? .store : .ledger)
    }
    if let since = job.pause?.since {
      waits += job.waiting.held.prefix(limit).map {
        EntryWait(nominal: $0.nominal, reason: .pause(since: since))
      }
    }
    if let next = job.next, next <= now {
      let due = timetable.planned(index)
      if due > now { waits.append(EntryWait(nominal: next, reason: .jitter(until: due))) }
    }
    return waits.sorted { $0.nominal < $1.nominal }
  }

  private func wait(in slot: Int) -> EntryWait? {
    let run = runs[slot]
    if run.waitsForHost {
      return EntryWait(
        nominal: run.nominal, run: run.id, since: run.attemptStartedAt, reason: .pluginHost)
    }
    guard run.phase == .backingOff else { return nil }
    if let end = timetable.deadline(of: .run(slot)) {
      return EntryWait(nominal: run.nominal, run: run.id, reason: .backOff(until: end))
    }
    return jobs[run.job].pause.map {
      EntryWait(nominal: run.nominal, run: run.id, reason: .pause(since: $0.since))
    }
  }

  /// Returns the reason for the wait of an entry that starts as soon as there is room.
  private func roomReason(_ index: Int, _ survey: RunSurvey) -> EntryWait.Reason {
    guard jobs[index].hasRoom else {
      return .previousRuns((survey.slots[index] ?? []).map { runs[$0].id })
    }
    let all = groupGate.groups(of: index)
    let full = all.filter { !$0.hasRoom }
    return .groups(
      (full.isEmpty ? all : full).map { group in
        EntryWait.GroupPlace(
          name: group.name, limit: group.limit, holders: survey.holders[group.place] ?? [])
      })
  }
}
