// The smallest distance between entries of a union's rules. Rules together are faster than each of them if their entries
// interleave, but not if they coincide.
extension ComposedSchedule.Storage {
  /// Whether two entries of `members` can be less than a second apart, without regard to windows and bounds.
  static func isFast(_ members: [ScheduleRule]) -> Bool {
    // The start of the machine adds one entry. A single entry does not make a job fast, even close to another entry.
    let kinds = members.filter { !$0.isStartOfMachine }.map(\.kind)
    if kinds.contains(where: \.hasMoreThanOneEntryPerSecond) { return true }
    // The usual case: entries on whole seconds coincide or are at least a second apart.
    if kinds.allSatisfy(\.isOnWholeSeconds) { return false }
    let grids = kinds.map(\.grids)
    return kinds.indices.contains { index in
      kinds.indices[..<index].contains { other in
        !(kinds[index].isOnWholeSeconds && kinds[other].isOnWholeSeconds)
          && grids[index].contains { grid in grids[other].contains { grid.isFast(with: $0) } }
      }
    }
  }
}

/// The instants at a phase since 1970 plus any multiple of the period, in nanoseconds.
struct EntryGrid: Sendable {
  var phase: Int64
  var period: Int64

  /// The instants at a phase, 0 to a minute, in every minute. Clocks of all zones show the same second of the minute: the last
  /// offset that was not a whole number of minutes ended half a century ago.
  static func everyMinute(at phase: Int64 = 0) -> EntryGrid {
    EntryGrid(phase: phase, period: ElapsedTime.minutes(1).nanoseconds)
  }

  /// Whether two distinct instants, one of each grid, can be less than a second apart. The possible differences are all numbers
  /// with the same remainder modulo the greatest common divisor of both periods.
  func isFast(with other: EntryGrid) -> Bool {
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
