// The smallest distance between entries of a union's rules. A single rule knows its own pace. Rules together are
// faster where their entries lie between one another, and not where these coincide.
extension ComposedSchedule.Storage {
  /// Whether two entries of `members` can be less than a second apart, whatever windows and bounds leave of them.
  static func isFast(_ members: [ScheduleRule]) -> Bool {
    // One entry after each start of the machine makes no job fast, however close to another the start happens to be.
    let members = members.filter { !$0.isStartOfMachine }
    if members.contains(where: \.hasMoreThanOneEntryPerSecond) { return true }
    // Entries on whole seconds meet or are a second apart: so it is with most unions, and nothing else is to be looked at.
    if members.allSatisfy(\.isOnWholeSeconds) { return false }
    let paces = members.map(\.pace)
    return members.indices.contains { index in
      members.indices[..<index].contains { other in
        isFast(members[index], paces[index], members[other], paces[other])
      }
    }
  }

  private static func isFast(
    _ rule: ScheduleRule, _ pace: RulePace, _ other: ScheduleRule, _ otherPace: RulePace
  ) -> Bool {
    if rule.isOnWholeSeconds && other.isOnWholeSeconds { return false }
    switch (pace, otherPace) {
    case (.grids(let grids), .grids(let others)):
      return grids.contains { grid in others.contains { grid.isFast(with: $0) } }
    case (.instants(let instants), _): return instants.contains { other.isClose(to: $0) }
    case (_, .instants(let instants)): return instants.contains { rule.isClose(to: $0) }
    }
  }
}

/// The instants at which a rule can have entries.
private enum RulePace {
  /// Those of some grids, and of each not all.
  case grids([Grid])
  /// These alone.
  case instants([WallInstant])

  /// The instants at a phase since 1970 and at every multiple of the period before and after it, in nanoseconds.
  struct Grid {
    var phase: Int64
    var period: Int64

    /// Whether two instants, one of each, can be less than a second apart and not be the same: differences go through all
    /// that leave the same remainder by what divides both periods.
    func isFast(with other: Grid) -> Bool {
      var (step, rest) = (period, other.period)
      while rest != 0 { (step, rest) = (rest, step % rest) }
      let past = abs(Self.remainder(of: phase, by: step) - Self.remainder(of: other.phase, by: step))
      let distance = past == 0 ? step : min(past, step - past)
      return distance < ElapsedTime.seconds(1).nanoseconds
    }

    private static func remainder(of phase: Int64, by step: Int64) -> Int64 {
      phase % step + (phase % step < 0 ? step : 0)
    }
  }
}

extension ScheduleRule {
  /// Whether every entry is on a whole second.
  fileprivate var isOnWholeSeconds: Bool {
    let second = ElapsedTime.seconds(1).nanoseconds
    switch self {
    case .periodic(let schedule):
      return schedule.start.nanosecondsSinceEpoch % second == 0 && schedule.interval.nanoseconds % second == 0
    case .animation: return false
    case .explicit(let schedule):
      return schedule.instants.allSatisfy { $0.nanosecondsSinceEpoch % second == 0 }
    case .everyMinute, .cron: return true
    case .calendar(let schedule): return schedule.expression.storage.seconds.areWhole
    case .composed(let schedule): return schedule.storage.members.allSatisfy(\.isOnWholeSeconds)
    }
  }

  /// The instants at which a rule that is not fast by itself can have entries.
  ///
  /// Clocks of all zones show the same second of the minute: the last offset that is not of whole minutes ended half
  /// a century ago.
  fileprivate var pace: RulePace {
    let minute = ElapsedTime.minutes(1).nanoseconds
    switch self {
    case .periodic(let schedule):
      return .grids([
        RulePace.Grid(
          phase: schedule.start.nanosecondsSinceEpoch, period: schedule.interval.nanoseconds)
      ])
    case .animation(let schedule):
      return .grids([RulePace.Grid(phase: 0, period: schedule.interval.nanoseconds)])
    case .explicit(let schedule): return .instants(schedule.instants)
    case .everyMinute: return .grids([RulePace.Grid(phase: 0, period: minute)])
    case .cron(let schedule):
      let bits = schedule.expression.secondBits
      return .grids(
        (0..<60).filter { bits >> UInt64($0) & 1 == 1 }.map {
          RulePace.Grid(phase: Int64($0) * 1_000_000_000, period: minute)
        })
    case .calendar(let schedule):
      let seconds = schedule.expression.storage.seconds
      return .grids(
        (0..<seconds.count).map { RulePace.Grid(phase: Int64(seconds[$0]) * 1_000, period: minute) })
    case .composed(let schedule):
      var grids: [RulePace.Grid] = []
      for member in schedule.storage.members {
        guard case .grids(let some) = member.pace else {
          return .grids([RulePace.Grid(phase: 0, period: 1)])
        }
        grids += some
      }
      return .grids(grids)
    }
  }

  /// Whether there is an entry less than a second before or after `instant`, and not at it.
  fileprivate func isClose(to instant: WallInstant) -> Bool {
    let second = ElapsedTime.seconds(1)
    if let next = next(after: instant), next - instant < second { return true }
    guard instant > .min, let last = latest(atOrBefore: instant - .nanoseconds(1)) else { return false }
    return instant - last < second
  }
}

extension SecondsOfMinute {
  /// Whether all are whole seconds.
  fileprivate var areWhole: Bool { (0..<count).allSatisfy { self[$0] % 1_000_000 == 0 } }
}
