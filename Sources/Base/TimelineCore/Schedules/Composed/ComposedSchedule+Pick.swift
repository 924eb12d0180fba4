// The search for picked entries. It visits periods in order and walks the entries of each from the ends that positions count
// from, at most as far as the highest position. So the number of entries of a period has no effect on its cost.
extension ComposedSchedule.Storage {
  /// The most entries that a search visits; after these the schedule counts as having no further entries. Enough for a position
  /// that one day in a year has, and for one that only leap years have.
  private static let pickStepCountMax = 20_000

  /// The first picked entry after `instant` if `isNext`, or else the last that is not later; `nil` if there is none, or none
  /// within ``pickStepCountMax`` steps.
  func picked(_ pick: EntryPick, _ instant: WallInstant, isNext: Bool) -> WallInstant? {
    var steps = Self.pickStepCountMax
    var (edge, found) = (instant, WallInstant?.none)
    var (later, earlier) = (MemberEntries(), MemberEntries())
    // The first day, or the last, of a period that was not visited.
    var bound = isNext ? Int.min : Int.max
    while steps > 0 {
      guard
        let entry = isNext ? nextAllowed(after: edge, &later) : latestAllowed(atOrBefore: edge, &earlier)
      else {
        return found
      }
      if let found, isNext ? found <= entry : found >= entry { return found }
      let day = day(around: entry, isNext: isNext)
      let days = pick.days(holding: isNext ? max(bound, day) : min(bound, day), per: pick.period)
      let isEnough = hasEnough(pick, days)
      for isForward in 0...1 where isEnough {
        guard
          let one = isForward == 1
            ? walk(pick, days, true, instant, isNext, &steps, &later)
            : walk(pick, days, false, instant, isNext, &steps, &earlier)
        else { continue }
        found = found.map { isNext ? min($0, one) : max($0, one) } ?? one
      }
      steps -= 1
      // Where clocks are put back over midnight, a day comes twice, and the next period begins before this one ends.
      if isNext {
        bound = days.upperBound + 1
        let begin = zone.start(ofDay: bound)
        if let found, found < begin { return found }
        edge = begin - .nanoseconds(1)
      } else {
        bound = days.lowerBound - 1
        edge = zone.end(ofDay: bound)
        if let found, found > edge { return found }
      }
    }
    return found
  }

  /// Whether the period can have a picked entry. Counting it is cheaper than a walk in vain if the positions are far from its ends.
  private func hasEnough(_ pick: EntryPick, _ days: ClosedRange<Int>) -> Bool {
    if pick.nearest <= 8 { return true }
    // Entries can move into the period from days outside of it.
    let start = zone.start(ofDay: days.lowerBound) - (reach?.forth ?? .zero)
    let end = zone.end(ofDay: days.upperBound) + (reach?.back ?? .zero)
    return countOfEach(after: start - .nanoseconds(1), through: end) >= pick.nearest
  }

  /// Walks the entries of `days` from their start, or from their end, to the first or the last picked one on the side of `instant`
  /// that the search looks at.
  private func walk(
    _ pick: EntryPick, _ days: ClosedRange<Int>, _ isForward: Bool, _ instant: WallInstant, _ isNext: Bool,
    _ steps: inout Int, _ entries: inout MemberEntries
  ) -> WallInstant? {
    let reach = isForward ? pick.highest : pick.lowest
    guard reach != 0 else { return nil }
    let (start, end) = (zone.start(ofDay: days.lowerBound), zone.end(ofDay: days.upperBound))
    var entry =
      isForward
      ? nextAllowed(after: start - .nanoseconds(1), &entries) : latestAllowed(atOrBefore: end, &entries)
    var (position, found) = (0, WallInstant?.none)
    while let one = entry, start <= one, one <= end {
      steps -= 1
      let isWanted = isNext == (one > instant)
      if !isWanted, isForward != isNext { break }
      if days.contains(day(at: one)) {
        position += isForward ? 1 : -1
        if isWanted, pick.positions.contains(position) {
          found = one
          if isForward == isNext { break }
        }
        if position == reach { break }
      }
      // There is no instant before the first.
      if one == .min { break }
      entry =
        isForward
        ? nextAllowed(after: one, &entries) : latestAllowed(atOrBefore: one - .nanoseconds(1), &entries)
    }
    return found
  }

  func day(at instant: WallInstant) -> Int {
    (Int(instant.wholeSeconds.seconds) + zone.offset(at: instant)).flooredQuotient(by: 86_400)
  }

  /// The first day that clocks show from `instant` on, or the last that they show up to it. It differs from the day at `instant`
  /// before clocks are put back over midnight, and after.
  private func day(around instant: WallInstant, isNext: Bool) -> Int {
    let (day, storage) = (day(at: instant), zone.storage)
    let index = storage.index(at: instant.nanosecondsSinceEpoch) + (isNext ? 1 : 0)
    guard 0 < index, index < storage.starts.count else { return day }
    let change = WallInstant(nanosecondsSinceEpoch: storage.starts[index])
    return isNext ? min(day, self.day(at: change)) : max(day, self.day(at: change - .nanoseconds(1)))
  }
}

extension Zone {
  /// The first instant at which clocks show a day or a later one.
  func start(ofDay day: Int) -> WallInstant {
    let local = Int64(day) * 86_400
    var index = storage.index(at: Self.nanoseconds(local - Int64(ZoneLimits.offsets.upperBound)))
    while true {
      let start = max(storage.starts[index], Self.nanoseconds(local - Int64(storage.offsets[index])))
      if index + 1 == storage.starts.count || start < storage.starts[index + 1] {
        return WallInstant(nanosecondsSinceEpoch: start)
      }
      index += 1
    }
  }

  /// The last instant at which clocks show a day or an earlier one.
  func end(ofDay day: Int) -> WallInstant {
    let local = Int64(day + 1) * 86_400
    var index = storage.index(at: Self.nanoseconds(local - Int64(ZoneLimits.offsets.lowerBound)))
    while true {
      let next = WallInstant(secondsSinceEpoch: local - Int64(storage.offsets[index]))
      let end = min(
        next == .max ? .max : next - .nanoseconds(1),
        WallInstant(nanosecondsSinceEpoch: storage.end(of: index)))
      if index == 0 || end.nanosecondsSinceEpoch >= storage.starts[index] { return end }
      index -= 1
    }
  }

  private static func nanoseconds(_ seconds: Int64) -> Int64 {
    WallInstant(secondsSinceEpoch: seconds).nanosecondsSinceEpoch
  }
}
