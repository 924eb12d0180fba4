import TimelineCore

/// Decision about one due entry that may be too late.
enum MissedDecision: Sendable, Hashable {
  /// The entry runs.
  case run
  /// The entry is missed: it is later than the missed window allows.
  case tooLate
  /// The entry ends as paused: it is later than the missed window allows because its job was paused.
  case pausedTooLong
  /// The entry is missed: missed entries of the job are skipped.
  case skipped

  /// Decides about an entry of the schedule by the job's missed policy. Other entries are never missed.
  ///
  /// - Parameters:
  ///   - isPaused: Whether the job is paused. The end of the pause then decides.
  ///   - lateness: Time since the entry fell due.
  init(_ entry: DueEntry, _ policy: MissedPolicy, isPaused: Bool, lateness: @autoclosure () -> ElapsedTime) {
    if !entry.cause.isOfSchedule || isPaused {
      self = .run
    } else if let window = policy.window, lateness() > window {
      self = entry.isAskedFor ? .pausedTooLong : .tooLate
    } else if entry.cause == .missed, !entry.isAskedFor, policy.choice == .skip {
      self = .skipped
    } else {
      self = .run
    }
  }
}

/// Decision about several entries of one job that passed before one wake-up.
enum MissedRangeDecision: Sendable, Hashable {
  /// All entries end as shut-down, because the engine drains.
  case shutDown
  /// All entries are overlapped by a run.
  case overlapped
  /// All entries run, oldest first, within the limit of catch-up. The others are missed.
  case runAll
  /// The latest entry runs if the missed policy allows it. The others are missed.
  case runLatest

  /// Decides by the job's policies. `isRunning` is true if the engine starts runs, `hasRoom` if the job has room for another run.
  init(_ missed: MissedPolicy.Choice, _ overlap: OverlapPolicy, isRunning: Bool, hasRoom: Bool) {
    if !isRunning {
      self = .shutDown
    } else if overlap.dropsEntries, !hasRoom {
      self = .overlapped
    } else {
      self = missed == .all ? .runAll : .runLatest
    }
  }

  /// Whether the first of `count` entries runs.
  func runsFirst(of count: Int) -> Bool { self == .runAll && count <= EngineLimits.missedRunsMax }
}
