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

// The number of entries that a pick chooses among.
extension ComposedSchedule.Storage {
  /// The years that are looked at from the first entry on: after as many, all dates have the same days of the week again.
  private static let pickYearCount = 28

  /// The first entry after `instant`, or else the last before it, without regard to bounds and picks.
  func firstAllowed(around instant: WallInstant) -> WallInstant? {
    var (later, earlier) = (MemberEntries(), MemberEntries())
    return nextAllowed(after: instant, &later) ?? latestAllowed(atOrBefore: instant, &earlier)
  }

  /// Refuses a pick among too many entries of a day or a period, in ``pickYearCount`` years from the first entry after `instant` on.
  /// Years, months and days in which the rules alone have few entries are not looked at more closely.
  func check(_ pick: EntryPick, around instant: WallInstant) throws(ScheduleError) {
    // A move has a lower limit of its own.
    guard reach == nil, let first = firstAllowed(around: instant) else { return }
    var day = zone.civil(at: first).date.daysSinceEpoch
    for _ in 0..<Self.pickYearCount {
      let year = pick.days(holding: day, per: .year)
      let crowded =
        crowdedPart(of: year, pick, per: pick.period, EntryPick.periodEntryCountMax)
        ?? crowdedPart(of: year, pick, per: .month, EntryPick.dayEntryCountMax)
      if let crowded { throw .pickRefused(crowded) }
      day = year.upperBound + 1
    }
  }

  /// Returns the reason to refuse a period that begins in `days` and has more than `most` entries; `nil` if there is none. A month
  /// stands for its days.
  private func crowdedPart(
    of days: ClosedRange<Int>, _ pick: EntryPick, per period: EntryPick.Period, _ most: Int
  ) -> String? {
    guard count(days, isBound: true) > most else { return nil }
    let isOfDays = most == EntryPick.dayEntryCountMax
    var part = pick.days(holding: days.lowerBound, per: period)
    while part.lowerBound <= days.upperBound {
      if isOfDays, period == .month {
        if let crowded = crowdedPart(of: part, pick, per: .day, most) { return crowded }
      } else if count(part, isBound: true) > most {
        let count = count(part, isBound: false)
        if count > most {
          let date = CivilDate(uncheckedDaysSinceEpoch: part.lowerBound)
          return "the \(period.rawValue) of \(date) has \(count) entries to pick from, and at most \(most) "
            + "are taken; narrow the rule or its windows"
        }
      }
      part = pick.days(holding: part.upperBound + 1, per: period)
    }
    return nil
  }

  /// The number of entries on `days`; with `isBound` a higher one, without regard to windows, that is quick to find.
  @inline(never)
  private func count(_ days: ClosedRange<Int>, isBound: Bool) -> Int {
    let start = zone.start(ofDay: days.lowerBound) - .nanoseconds(1)
    let end = zone.end(ofDay: days.upperBound)
    return isBound
      ? countOfEach(after: start, through: end) : countOpen(after: start, through: end)
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
