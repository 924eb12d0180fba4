// The smallest distance between entries of a union's rules. Rules together are faster than each of them if their entries
// interleave, but not if they coincide.
extension ComposedSchedule.Storage {
  /// Whether two entries of `members` can be less than a second apart, without regard to windows and bounds.
  static func isFast(_ members: [ScheduleRule]) -> Bool {
    // The start of the machine adds one entry, which makes no job fast, even close to another entry.
    let members = members.filter { !$0.isStartOfMachine }
    if members.contains(where: \.hasMoreThanOneEntryPerSecond) { return true }
    // The usual case: entries on whole seconds coincide or are at least a second apart.
    if members.allSatisfy(\.isOnWholeSeconds) { return false }
    let grids = members.map(\.grids)
    return members.indices.contains { index in
      members.indices[..<index].contains { other in
        !(members[index].isOnWholeSeconds && members[other].isOnWholeSeconds)
          && grids[index].contains { grid in grids[other].contains { grid.isFast(with: $0) } }
      }
    }
  }
}

/// The instants at a phase since 1970 plus any multiple of the period, in nanoseconds.
private struct Grid {
  var phase: Int64
  var period: Int64

  /// Whether two distinct instants, one of each grid, can be less than a second apart. The differences are all numbers
  /// with the same remainder modulo the greatest common divisor of both periods.
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

  /// The grids that contain the entries of a rule that is not fast by itself; a grid can have further instants. A
  /// schedule of dates has no grid.
  ///
  /// Clocks of all zones show the same second of the minute: the last offset that was not a whole number of minutes ended
  /// half a century ago.
  fileprivate var grids: [Grid] {
    let minute = ElapsedTime.minutes(1).nanoseconds
    switch self {
    case .periodic(let schedule):
      return [Grid(phase: schedule.start.nanosecondsSinceEpoch, period: schedule.interval.nanoseconds)]
    case .animation(let schedule): return [Grid(phase: 0, period: schedule.interval.nanoseconds)]
    case .explicit: return []
    case .everyMinute: return [Grid(phase: 0, period: minute)]
    case .cron(let schedule):
      let bits = schedule.expression.secondBits
      return (0..<60).filter { bits >> UInt64($0) & 1 == 1 }.map {
        Grid(phase: Int64($0) * 1_000_000_000, period: minute)
      }
    case .calendar(let schedule):
      let seconds = schedule.expression.storage.seconds
      return (0..<seconds.count).map { Grid(phase: Int64(seconds[$0]) * 1_000, period: minute) }
    case .composed(let schedule): return schedule.storage.members.flatMap(\.grids)
    }
  }
}

extension SecondsOfMinute {
  /// Whether all are whole seconds.
  fileprivate var areWhole: Bool { (0..<count).allSatisfy { self[$0] % 1_000_000 == 0 } }
}
