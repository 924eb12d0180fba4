import TimelineCore
import TimelineEngine

/// Checks of reruns and backfills.
extension Invariants {
  /// Whether a run of a backfill of the job was active at an instant or since, so that an entry may have waited.
  func isBesideBackfill(_ job: JobName, since instant: WallInstant) -> Bool {
    (backfillEndedAt[job] ?? .min) >= instant || reruns.contains { $0.job == job && $1.backfill != nil }
  }

  /// Records that a backfill has ended with failures.
  mutating func report(_ record: EntryRecord) {
    guard let listener = jobs[record.entry.job]?.definition.policies.reactions.onFailure,
      jobs[listener] != nil
    else { return }
    stories.report(record, to: listener)
  }

  /// Checks that no run of a backfill has overlapped an entry. `record` has been settled.
  func overlapViolation(_ record: EntryRecord) -> String? {
    guard record.outcome == .overlapped, record.reason == "the previous run was still running" else {
      return nil
    }
    let running = inFlight.values.filter { $0.entry.job == record.entry.job }.map(\.entry)
    let isOfBackfill = { (entry: EntryKey) in reruns[entry]?.backfill != nil }
    return !running.isEmpty && running.allSatisfy(isOfBackfill)
      ? "a backfill has overlapped \(record.entry)" : nil
  }

  /// Checks that only one rerun of an entry is active, that it has an entry of its own, and that the repeated entry is one of the
  /// schedule whose outcome is not still to come.
  mutating func noteRerun(
    _ entry: EntryKey, _ origin: RerunOrigin, _ event: EngineEvent, _ now: WallInstant
  ) {
    require(event == .rerun(entry.job, origin), "\(entry) is a rerun that no operator has requested")
    let isActive = reruns.contains { $0.job == entry.job && $1.of == origin.of }
    require(!isActive, "two reruns of \(entry.job) \(origin.of) are active")
    require(reruns.updateValue(origin, forKey: entry) == nil, "\(entry) is the entry of two reruns")
    let repeated = EntryKey(job: entry.job, nominal: origin.of)
    require(origin.of <= now, "\(repeated) was repeated before its instant")
    require(
      !inFlight.values.contains { $0.entry == repeated && !$0.isLeft },
      "\(repeated) was repeated while it ran")
    guard let definition = jobs[entry.job]?.definition, upcoming.isEmpty else { return }
    require(!definition.schedule.isClosedLoop, "\(repeated) of an animation was repeated")
    let isOfSchedule = { (nominal: WallInstant) in definition.schedule.latest(atOrBefore: nominal) == nominal
    }
    require(isOfSchedule(origin.of), "\(repeated) is no entry of the schedule and was repeated")
    require(!isOfSchedule(entry.nominal), "a rerun has the instant of the entry \(entry)")
  }
}
