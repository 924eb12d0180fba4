import TimelineCore
import TimelineEngine

/// Checks of reruns.
extension Invariants {
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
