import TimelineCore
import TimelineEngine

/// Checks of room: overlap policies and groups are kept, and no entry waits without need.
extension Invariants {
  /// Checks the first attempt of a run that takes its places now.
  mutating func checkPlaces(_ attempt: Attempt, _ now: WallInstant) {
    let name = attempt.entry.job
    guard let job = jobs[name] else { return }
    defer {
      jobs[name]?.placeSince = nil
      jobs[name]?.waitsSince = nil
    }
    let definitions = [job.definition, upcoming[name] ?? job.definition]
    let count = runCount(of: name)
    let capacity = definitions.map(\.capacity).max() ?? 1
    require(count < capacity, "\(attempt.entry) overlaps as many runs as its job may have")
    guard upcoming.isEmpty else { return }
    for group in job.definition.policies.groups {
      guard let limit = groups[group] else { continue }
      require(runCount(of: group) < limit, "\(attempt.entry) started although group \(group) was full")
    }
    checkTurn(attempt, job.definition)
  }

  /// Checks that no other job that shares a group and could start has an earlier rank in the queue, by arrival and priority.
  private mutating func checkTurn(_ attempt: Attempt, _ definition: JobDefinition) {
    let own = definition.policies
    guard !own.groups.isEmpty, !wentBack, crashes == 0 else { return }
    // An entry that took the place of an earlier one in the queue counts from the arrival of that one.
    let came = min(
      arrival(of: attempt.entry, at: attempt.startedAt), jobs[definition.name]?.placeSince ?? .max)
    let arrival = came - EngineLimits.ageingStep * Int64(own.priority)
    for (name, other) in jobs where name != definition.name {
      let policies = other.definition.policies
      // An entry that goes before one of a backfill has a rank of its own.
      guard let since = other.waitsSince, !other.isPaused, hasRoom(other.definition),
        !isBesideBackfill(name, since: attempt.startedAt),
        policies.groups.contains(where: { own.groups.contains($0) && groups[$0] != nil })
      else { continue }
      let rank = since - EngineLimits.ageingStep * Int64(policies.priority)
      require(rank >= arrival, "\(attempt.entry) went before \(name), which waited since \(since)")
    }
  }

  /// Returns the instant at which an entry arrived that waits at `now`. If several reactions come at one instant, each but the
  /// first has a slightly later nominal instant.
  func arrival(of key: EntryKey, at now: WallInstant) -> WallInstant {
    min(key.nominal, jobs[key.job]?.arrivals[key.nominal] ?? now)
  }

  /// Checks that no job waits although there is room, and records since when the others wait.
  mutating func checkWaiting(_ engine: EngineState, _ now: WallInstant) {
    // After most events no entry waits, and then the states of the jobs are not computed.
    let statuses =
      engine.waitingEntryCount == 0 ? [] : engine.statuses(at: now).filter { $0.waitingEntries > 0 }
    for status in statuses {
      for nominal in engine.waitingEntries(of: status.name) {
        if jobs[status.name]?.arrivals[nominal] == nil { jobs[status.name]?.arrivals[nominal] = now }
      }
    }
    let waiting = statuses.filter { status in
      status.pausedSince == nil && !asked.contains { $0.job == status.name }
    }.map(\.name)
    for (name, job) in jobs where job.waitsSince != nil && !waiting.contains(name) {
      jobs[name]?.waitsSince = nil
    }
    for name in waiting {
      guard let job = jobs[name] else { continue }
      if job.waitsSince == nil { jobs[name]?.waitsSince = now }
      let own = job.definition.policies.groups.filter { groups[$0] != nil }
      let isAlone = !statuses.contains { other in
        other.name != name
          && jobs[other.name]?.definition.policies.groups.contains(where: own.contains) ?? false
      }
      let isFree = hasRoom(job.definition) && own.allSatisfy { runCount(of: $0) < groups[$0] ?? .max }
      require(!(isAlone && isFree), "\(name) waits although there is room for it")
    }
  }

  private func hasRoom(_ definition: JobDefinition) -> Bool {
    runCount(of: definition.name) < definition.capacity
  }

  private func runCount(of job: JobName) -> Int {
    inFlight.values.count { !isGone($0) && !$0.isBeingTaken && $0.entry.job == job }
  }

  private func runCount(of group: GroupName) -> Int {
    inFlight.values.count {
      !isGone($0) && !$0.isBeingTaken
        && jobs[$0.entry.job]?.definition.policies.groups.contains(group) ?? false
    }
  }
}

extension JobDefinition {
  /// Maximum number of concurrent runs.
  fileprivate var capacity: Int {
    policies.overlap == .allowAll ? EngineLimits.concurrentRunsMax : policies.concurrency
  }
}
