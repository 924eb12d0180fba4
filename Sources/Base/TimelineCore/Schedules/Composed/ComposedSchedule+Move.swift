// Moves of excluded entries to days that let them through.
extension ComposedSchedule {
  /// A move with what its searches need, computed once.
  struct Reach: Sendable {
    let move: EntryMove
    /// The policy for a day on which clocks skip or repeat the time of a moved entry: that of the first rule with one.
    let daylightSaving: DaylightSavingPolicy
    /// Twice the difference between the highest and the lowest offset of the zone, in seconds: the sum of all that clock changes
    /// can add to the days of a move.
    let slack: Int
    /// The longest times by which a moved entry lies before and after its origin.
    let back: ElapsedTime, forth: ElapsedTime

    init(_ move: EntryMove, _ members: [ScheduleRule], _ zone: Zone) {
      self.move = move
      daylightSaving = members.lazy.compactMap(\.daylightSaving).first ?? DaylightSavingPolicy()
      let offsets = zone.storage.offsets
      slack = 2 * Int((offsets.max() ?? 0) - (offsets.min() ?? 0))
      let most = ElapsedTime.days(Int64(move.dayMax)) + .seconds(Int64(slack))
      back = Self.canGoBack(move) ? most : .seconds(Int64(slack))
      forth = Self.canGoForth(move) ? most : .seconds(Int64(slack))
    }

    var canGoBack: Bool { Self.canGoBack(move) }
    var canGoForth: Bool { Self.canGoForth(move) }

    private static func canGoBack(_ move: EntryMove) -> Bool {
      move.direction != .after || move.isWithinMonth
    }
    private static func canGoForth(_ move: EntryMove) -> Bool {
      move.direction != .before || move.isWithinMonth
    }
  }
}

extension ScheduleRule {
  /// The policy of a rule on the clocks of a zone; `nil` for other rules.
  fileprivate var daylightSaving: DaylightSavingPolicy? {
    switch self {
    case .cron(let schedule): schedule.daylightSaving
    case .calendar(let schedule): schedule.daylightSaving
    case .civil(let schedule): schedule.daylightSaving
    case .recurrence(let schedule): schedule.daylightSaving
    default: nil
    }
  }
}

extension ComposedSchedule.Storage {
  /// The instant to which an excluded entry moves; `nil` if no day lets it through.
  func landing(of entry: WallInstant, _ reach: ComposedSchedule.Reach) -> WallInstant? {
    let (seconds, nanosecond) = entry.wholeSeconds
    let local = Int(seconds) + zone.offset(at: entry)
    let day = local.flooredQuotient(by: 86_400)
    let second = local - day * 86_400
    guard conditions.mayOpen(second: second) else { return nil }
    let move = reach.move
    var days = day - move.dayMax...day + move.dayMax
    if move.isWithinMonth {
      let month = CivilMonth(holding: day)
      days = days.clamped(to: month.dayBefore + 1...month.dayBefore + month.dayCount)
    }
    let time = CivilTime(uncheckedSecondOfDay: second, nanosecond: nanosecond)
    if move.direction == .nearest {
      for distance in 1...move.dayMax {
        for sign in stride(from: -1, through: 1, by: 2) where days.contains(day + sign * distance) {
          if let landing = landing(onDay: day + sign * distance, at: time, reach) { return landing }
        }
      }
      return nil
    }
    let sign = move.direction == .after ? 1 : -1
    for turn in 0...(move.isWithinMonth ? 1 : 0) {
      let step = turn == 0 ? sign : -sign
      var day = day + step
      while days.contains(day) {
        if let landing = landing(onDay: day, at: time, reach) { return landing }
        day += step
      }
    }
    return nil
  }

  /// The instant of a time on a day; `nil` if windows exclude it, and for a time that clocks skip without an instant on that day.
  private func landing(onDay day: Int, at time: CivilTime, _ reach: ComposedSchedule.Reach) -> WallInstant? {
    guard access(atLocal: day * 86_400 + time.secondOfDay).isOpen else { return nil }
    let civil = CivilDateTime(date: CivilDate(uncheckedDaysSinceEpoch: day), time: time)
    switch zone.instants(of: civil) {
    case .one(let instant): return instant
    case .fold(let first, let second): return reach.daylightSaving.fold == .second ? second : first
    case .outOfRange: return nil
    case .gap(let transition, let later, _):
      if reach.daylightSaving.gap == .skip { return nil }
      let landing = reach.daylightSaving.gap == .shift ? later : transition
      let local = Int(landing.wholeSeconds.seconds) + zone.offset(at: landing)
      return local.flooredQuotient(by: 86_400) == day && access(atLocal: local).isOpen ? landing : nil
    }
  }

  /// Refuses a move among too many entries of a day, in ``moveDayCount`` days from the first entry after `instant` on.
  func checkMove(around instant: WallInstant) throws(ScheduleError) {
    guard let first = nextOfAny(after: instant) ?? latestOfAny(atOrBefore: instant) else { return }
    let day = zone.civil(at: first).date.daysSinceEpoch
    if let crowded = crowdedDay(in: day...day + Self.moveDayCount) { throw .moveRefused(crowded) }
  }

  /// The days that are looked at from the first entry on: four years and a leap day. A rule that is crowded later is only slower.
  private static let moveDayCount = 1_461

  /// Returns the reason to refuse a day with too many entries; `nil` if there is none.
  private func crowdedDay(in days: ClosedRange<Int>) -> String? {
    let start = zone.start(ofDay: days.lowerBound)
    let end = zone.end(ofDay: days.upperBound)
    guard countOfEach(after: start - .nanoseconds(1), through: end) > EntryMove.dayEntryCountMax else {
      return nil
    }
    guard days.count == 1 else {
      let middle = (days.lowerBound + days.upperBound) / 2
      return crowdedDay(in: days.lowerBound...middle) ?? crowdedDay(in: middle + 1...days.upperBound)
    }
    let count = countOfAny(after: start - .nanoseconds(1), through: end)
    let extra = max(0, (end - start).nanoseconds / ElapsedTime.hours(1).nanoseconds - 23)
    guard count > EntryMove.dayEntryCountMax + Int(extra) else { return nil }
    let date = CivilDate(uncheckedDaysSinceEpoch: days.lowerBound)
    return
      "the day of \(date) has \(count) entries, and at most \(EntryMove.dayEntryCountMax) of a day can move; "
      + "let the rule name fewer times"
  }
}

extension ComposedSchedule.Conditions {
  /// Whether windows can let a second of the day through on some day.
  func mayOpen(second: Int) -> Bool {
    (only.isEmpty || only.contains { $0.hours?.contains(second) ?? true })
      && !except.contains { $0.isOfEveryDay && $0.hours?.contains(second) ?? true }
  }
}

extension ComposedSchedule {
  /// The first excluded entry in (`start`, `end`] if none of them moves; `nil` if one does, and if there is none.
  package func firstIfNoneMoves(after start: WallInstant, through end: WallInstant) -> WallInstant? {
    guard let reach = storage.reach else { return nil }
    var (first, lower): (WallInstant?, WallInstant) = (nil, start)
    var entries = MemberEntries()
    for _ in 0..<Self.stepCountMax {
      guard let visit = storage.visit(after: lower, reach, &entries), visit.entry <= end else { break }
      if !visit.isOpen, visit.landing != nil { return nil }
      if !visit.isOpen, first == nil { first = visit.entry }
      lower = visit.resume
    }
    return first
  }

  /// The instants, ascending, from which entries of the rules have moved to the entry at `instant`; empty for one that did not move.
  public func origins(of instant: WallInstant) -> [WallInstant] {
    guard let reach = storage.reach else { return [] }
    var (origins, lower): ([WallInstant], WallInstant) = ([], instant - reach.forth - .nanoseconds(1))
    var entries = MemberEntries()
    while let visit = storage.visit(after: lower, reach, &entries), visit.entry <= instant + reach.back {
      if !visit.isOpen, visit.landing == instant { origins.append(visit.entry) }
      lower = visit.resume
    }
    return origins
  }

  /// Returns how an excluded entry moves, or why it does not; `nil` without a move.
  package func moveWords(of entry: WallInstant) -> String? {
    guard let reach = storage.reach else { return nil }
    guard let landing = storage.landing(of: entry, reach) else {
      let month = reach.move.isWithinMonth ? " of the month" : ""
      return "not moved, as no day\(month) within \(reach.move.dayMaxText) lets it through"
    }
    let text = landing.text(in: storage.zone)
    if latest(atOrBefore: landing) == landing { return "moved to \(text)" }
    let isInside = storage.start <= landing && landing <= storage.end
    return "not moved, as \(text) is \(isInside ? "not picked" : "outside of the schedule's bounds")"
  }
}

extension ScheduleRule {
  /// Whether excluded entries move to other days.
  package var movesEntries: Bool {
    if case .composed(let schedule) = self { schedule.conditions.move != nil } else { false }
  }

  /// The instants, ascending, from which entries have moved to the entry at `instant`; empty for one that did not move.
  package func origins(of instant: WallInstant) -> [WallInstant] {
    if case .composed(let schedule) = self { schedule.origins(of: instant) } else { [] }
  }

  /// Returns the entries after `instant`, ascending, that stand for nothing but `origins`: entries at one of these instants, and
  /// entries to which none but these have moved.
  package func entries(after instant: WallInstant, standingFor origins: [WallInstant]) -> [WallInstant] {
    let known = Set(origins)
    let entries = Set(origins.compactMap { entry(of: $0) }).filter { entry in
      entry > instant && self.origins(of: entry).allSatisfy(known.contains)
        && (!hasOwnEntry(at: entry) || known.contains(entry))
    }
    return entries.sorted()
  }

  /// The entry at an instant, or the one to which it moves; `nil` for neither.
  private func entry(of origin: WallInstant) -> WallInstant? {
    if latest(atOrBefore: origin) == origin { return origin }
    guard case .composed(let schedule) = self, let landing = schedule.landing(of: origin) else { return nil }
    return latest(atOrBefore: landing) == landing ? landing : nil
  }

  /// Whether the rules have an entry at an instant, besides those that have moved to it.
  private func hasOwnEntry(at instant: WallInstant) -> Bool {
    guard case .composed(let schedule) = self, movesEntries else {
      return latest(atOrBefore: instant) == instant
    }
    return schedule.hasEntryOfRules(at: instant)
  }
}

extension ComposedSchedule {
  fileprivate func hasEntryOfRules(at instant: WallInstant) -> Bool {
    storage.latestOfAny(atOrBefore: instant) == instant
  }

  /// The instant to which an excluded entry of the rules moves, whether or not it is picked; `nil` if there is none.
  fileprivate func landing(of entry: WallInstant) -> WallInstant? {
    guard let reach = storage.reach, hasEntryOfRules(at: entry), !storage.access(at: entry).isOpen else {
      return nil
    }
    return storage.landing(of: entry, reach)
  }
}
