import TimelineCore
import TimelineEngine

/// Checks that an entry which has moved and run does not run again.
extension Invariants {
  /// Situations of moved entries, so that a test can require that they occur.
  struct MoveCounts {
    /// Runs of entries that had moved, reloads that removed a holiday from which such an entry had moved, and entries that did not run
    /// at the instants of these holidays.
    var (starts, removals, repetitions) = (0, 0, 0)

    mutating func add(_ other: MoveCounts) {
      starts += other.starts
      removals += other.removals
      repetitions += other.repetitions
    }
  }

  /// Instants for which a job has run at another one, or at its own when others had moved there.
  private func decidedByMoves(_ job: JobName) -> Set<WallInstant> {
    var instants: Set<WallInstant> = []
    for (nominal, origins) in moved[job] ?? [:]
    where everStarted.contains(EntryKey(job: job, nominal: nominal)) {
      instants.formUnion(origins + [nominal])
    }
    return instants
  }

  /// Checks the first attempt of an entry of the schedule, and records its origins.
  mutating func checkMove(_ attempt: Attempt, by schedule: ScheduleRule, isSame: Bool) {
    let key = attempt.entry
    if isSame, crashes == 0 {
      require(attempt.movedFrom == schedule.origins(of: key.nominal), "\(key) has moved from other instants")
    }
    let decided = decidedByMoves(key.job)
    if isSame, decided.contains(key.nominal), moved[key.job]?[key.nominal] == nil {
      let isDecided = schedule.origins(of: key.nominal).allSatisfy(decided.contains)
      require(!isDecided, "\(key) started although it had moved and run")
    }
    guard !attempt.movedFrom.isEmpty else { return }
    moved[key.job, default: [:]][key.nominal] = attempt.movedFrom
    moveCounts.starts += 1
  }

  /// Follows the holidays of jobs before an event is handled: those that have passed, and those that a reload removes.
  mutating func noteHolidays(_ event: EngineEvent, _ now: WallInstant) {
    notePassedHolidays(now)
    if case .reload(let definitions, groups: _) = event { noteRemovedHolidays(definitions, now) }
  }

  /// Records a reload, which can remove the holidays of entries that have moved and run.
  private mutating func noteRemovedHolidays(_ definitions: [JobDefinition], _ now: WallInstant) {
    for definition in definitions {
      let former = jobs[definition.name]?.definition.schedule
      guard let former, former.movesEntries, former != definition.schedule else { continue }
      let again = decidedByMoves(definition.name).filter {
        $0 > now && former.latest(atOrBefore: $0) != $0 && definition.schedule.latest(atOrBefore: $0) == $0
      }
      if again.isEmpty { continue }
      moveCounts.removals += 1
      awaited.formUnion(again.map { EntryKey(job: definition.name, nominal: $0) })
    }
  }

  /// Counts the instants of removed holidays that have passed without a run.
  private mutating func notePassedHolidays(_ now: WallInstant) {
    let passed = awaited.filter { $0.nominal < now }
    moveCounts.repetitions += passed.count { !everStarted.contains($0) }
    awaited.subtract(passed)
  }
}
