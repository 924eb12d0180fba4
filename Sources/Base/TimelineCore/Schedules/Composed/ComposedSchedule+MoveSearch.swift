// The search for entries of a schedule that moves excluded ones. It visits the entries of the rules from as far as one can move.
//
// A day that windows let through as a whole parts the search: no entry moves past it. So the usual search looks at a few days.
extension ComposedSchedule.Storage {
  /// An entry of the rules that a search has come to.
  struct Visit {
    let entry: WallInstant
    /// The instant at which the entry lies: its own, or where it moves; `nil` for an entry that stays excluded.
    let landing: WallInstant?
    let isOpen: Bool
    /// The instant after which, or up to which, the search goes on.
    let resume: WallInstant
  }

  /// The first entry that windows let through or that moves, after `instant` and at most `last`.
  func nextAllowed(
    after instant: WallInstant, through last: WallInstant = .max, _ entries: inout MemberEntries
  ) -> WallInstant? {
    guard let reach else { return nextOpen(after: instant, through: last, &entries) }
    var lower = firstToVisit(for: instant, reach)
    var found: WallInstant?
    for _ in 0..<ComposedSchedule.stepCountMax {
      guard let visit = visit(after: lower, reach, &entries) else { break }
      let earliest = visit.entry - reach.back
      if let found, earliest >= found { break }
      if found == nil, earliest > last { break }
      if let landing = visit.landing, landing > instant { found = found.map { min($0, landing) } ?? landing }
      if let found, reach.canGoBack, visit.isOpen, visit.entry > found {
        let day = day(at: visit.entry)
        if zone.start(ofDay: day) > found, isOpen(day) { break }
      }
      lower = visit.resume
    }
    return found.flatMap { $0 <= last ? $0 : nil }
  }

  /// The last entry that windows let through or that moves, not later than `instant` and at least `first`.
  func latestAllowed(
    atOrBefore instant: WallInstant, from first: WallInstant = .min, _ entries: inout MemberEntries
  ) -> WallInstant? {
    guard let reach else { return latestOpen(atOrBefore: instant, from: first, &entries) }
    var upper = lastToVisit(for: instant, reach)
    var found: WallInstant?
    for _ in 0..<ComposedSchedule.stepCountMax {
      guard let visit = visit(atOrBefore: upper, reach, &entries) else { break }
      let latest = visit.entry + reach.forth
      if let found, latest <= found { break }
      if found == nil, latest < first { break }
      if let landing = visit.landing, landing <= instant { found = found.map { max($0, landing) } ?? landing }
      if let found, reach.canGoForth, visit.isOpen, visit.entry < found {
        let day = day(at: visit.entry)
        if zone.end(ofDay: day) < found, isOpen(day) { break }
      }
      if visit.resume == .min { break }
      upper = visit.resume
    }
    return found.flatMap { $0 >= first ? $0 : nil }
  }

  /// The days whose moved entries are counted at once, so that a long range takes little memory.
  private static let countedDays = ElapsedTime.days(366)

  /// Returns the number of entries in (`start`, `end`] that windows let through or that move.
  func countAllowed(after start: WallInstant, through end: WallInstant) -> Int {
    var total = countOpen(after: start, through: end)
    guard let reach else { return total }
    var (landings, begin): ([WallInstant], WallInstant) = ([], start)
    while begin < end {
      let last = min(end, begin + Self.countedDays)
      landings.removeAll(keepingCapacity: true)
      var (lower, entries) = (begin - reach.forth, MemberEntries())
      while let visit = visit(after: lower, reach, &entries), visit.entry - reach.back <= last {
        if !visit.isOpen, let landing = visit.landing, begin < landing, landing <= last,
          latestOfAny(atOrBefore: landing) != landing
        {
          landings.append(landing)
        }
        lower = visit.resume
      }
      landings.sort()
      for index in landings.indices where index == 0 || landings[index - 1] < landings[index] {
        total = total.addingClamped(1)
      }
      begin = last
    }
    return total
  }
}

// Visits.
extension ComposedSchedule.Storage {
  /// The first entry of the rules after `lower`.
  func visit(
    after lower: WallInstant, _ reach: ComposedSchedule.Reach, _ entries: inout MemberEntries
  ) -> Visit? {
    guard let entry = entries.next(after: lower, of: self) else { return nil }
    if access(at: entry).isOpen { return Visit(entry: entry, landing: entry, isOpen: true, resume: entry) }
    let landing = landing(of: entry, reach)
    let resume = landing == nil ? closedEnd(after: entry, reach) : entry
    return Visit(entry: entry, landing: landing, isOpen: false, resume: resume)
  }

  /// The last entry of the rules up to `upper`.
  func visit(
    atOrBefore upper: WallInstant, _ reach: ComposedSchedule.Reach, _ entries: inout MemberEntries
  ) -> Visit? {
    guard let entry = entries.latest(atOrBefore: upper, of: self) else { return nil }
    let before = entry - .nanoseconds(1)
    if access(at: entry).isOpen { return Visit(entry: entry, landing: entry, isOpen: true, resume: before) }
    let landing = landing(of: entry, reach)
    let resume = landing == nil ? closedStart(before: entry, reach) : before
    return Visit(entry: entry, landing: landing, isOpen: false, resume: resume)
  }

  /// The instant from which on, or just after which, entries can move again. `entry` does not move: its windows stay closed longer
  /// than the longest move.
  private func closedEnd(after entry: WallInstant, _ reach: ComposedSchedule.Reach) -> WallInstant {
    let local = Int(entry.wholeSeconds.seconds) + zone.offset(at: entry)
    let most = reach.move.dayMax * 86_400 + reach.slack
    if reach.canGoBack {
      let closing = closing(atOrBeforeLocal: local)
      guard closing == .min || local - closing > most else { return entry }
    }
    let opening = opening(afterLocal: local)
    guard opening < .max else { return .max }
    let rest = opening - local - most - 86_400
    return rest > 0 ? entry + .seconds(Int64(rest)) - .nanoseconds(1) : entry
  }

  /// The instant up to which entries can move again, before an entry that does not move.
  private func closedStart(before entry: WallInstant, _ reach: ComposedSchedule.Reach) -> WallInstant {
    let before = entry - .nanoseconds(1)
    let local = Int(entry.wholeSeconds.seconds) + zone.offset(at: entry)
    let most = reach.move.dayMax * 86_400 + reach.slack
    if reach.canGoForth {
      let opening = opening(afterLocal: local)
      guard opening == .max || opening - local > most else { return before }
    }
    let closing = closing(atOrBeforeLocal: local)
    guard closing > .min else { return .min }
    let rest = local - closing - most - 86_400
    return rest > 0 ? entry - .seconds(Int64(rest)) : before
  }
}

// Days that part the search.
extension ComposedSchedule.Storage {
  /// The instant after which entries are visited that can lie after `instant`.
  private func firstToVisit(for instant: WallInstant, _ reach: ComposedSchedule.Reach) -> WallInstant {
    let first = instant - reach.forth
    guard reach.canGoForth else { return first }
    let today = day(at: instant)
    for day in stride(from: today - 1, through: today - reach.move.dayMax, by: -1)
    where zone.end(ofDay: day) <= instant && isOpen(day) {
      return max(first, zone.start(ofDay: day) - .nanoseconds(1))
    }
    return first
  }

  /// The instant up to which entries are visited that can lie at `instant` or before it.
  private func lastToVisit(for instant: WallInstant, _ reach: ComposedSchedule.Reach) -> WallInstant {
    let last = instant + reach.back
    guard reach.canGoBack else { return last }
    let today = day(at: instant)
    for day in stride(from: today + 1, through: today + reach.move.dayMax, by: 1)
    where zone.start(ofDay: day) > instant && isOpen(day) {
      return min(last, zone.end(ofDay: day))
    }
    return last
  }

  /// Whether windows let a whole day of 24 hours through, without a clock change.
  private func isOpen(_ day: Int) -> Bool {
    let (start, end) = (zone.start(ofDay: day), zone.end(ofDay: day))
    guard end - start == .days(1) - .nanoseconds(1), access(at: start).isOpen else { return false }
    return nextEdge(after: start).map { $0 > end } ?? true
  }
}
