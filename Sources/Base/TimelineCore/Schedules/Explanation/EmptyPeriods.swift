extension ScheduleRule {
  /// Returns what `except` excludes of each period that it leaves without an entry, ascending: within `years` of 365.25 days after
  /// `start`.
  ///
  /// Without a pick, periods are months in which the rule has one or two entries, such as the last workday. With a pick they are
  /// its weeks or longer periods, and only dates and holidays count: `Sat,Sun` beside it defines the working days. More than two
  /// consecutive periods that one window empties count as a vacation and are not returned, and windows of `only` as intended.
  public func emptyPeriods(after start: WallInstant, years: Int) -> [Omission] {
    guard case .composed(let schedule) = self else { return [] }
    return schedule.emptyPeriods(after: start, through: ScheduleExplanation.end(of: years, after: start))
  }

  /// The first of ``emptyPeriods(after:years:)`` in words, such as `no entry in May 2026, as …`; `nil` if there are none.
  package func emptyPeriodWords(after start: WallInstant) -> String? {
    if case .composed(let schedule) = self { schedule.emptyPeriodWords(after: start) } else { nil }
  }
}

extension ComposedSchedule {
  /// The years of an explanation in which periods without an entry are searched: a last workday meets the same holiday about
  /// every five years.
  private static let emptyPeriodYears = 5
  /// The largest number of periods without an entry that an explanation names.
  private static let emptyPeriodsMax = 3

  /// The entries of a month up to which it counts as the rule's period.
  private static let monthlyEntriesMax = 2

  /// The unit of the periods that must have an entry.
  private var emptiedUnit: EntryPick.Period { storage.conditions.pick?.period ?? .month }

  fileprivate func emptyPeriods(after start: WallInstant, through end: WallInstant) -> [Omission] {
    let (pick, zone) = (storage.conditions.pick, storage.zone)
    // Beside a pick of each day, a day that dates exclude is meant to have no entry.
    guard emptiedUnit != .day, storage.conditions.except.contains(where: isUnexpected) else { return [] }
    let whole = excluding(storage.conditions.except.filter { !isUnexpected($0) })
    var periods: [Omission] = []
    // The next entry is searched once for all periods before it.
    var (day, upcoming) = (zone.civil(at: start).date.daysSinceEpoch, WallInstant.min)
    while true {
      let days = emptiedUnit.days(holding: day, from: pick?.weekStart ?? .monday)
      let (before, last) = (
        zone.start(ofDay: days.lowerBound) - .nanoseconds(1), zone.end(ofDay: days.upperBound)
      )
      guard before < end else { return withoutVacations(periods) }
      day = days.upperBound + 1
      if upcoming <= before { upcoming = next(after: before) ?? .max }
      if upcoming <= last { continue }
      let isWanted =
        pick == nil
        ? 1...Self.monthlyEntriesMax ~= whole.count(after: before, through: last)
        : whole.hasEntry(after: before, through: last)
      if isWanted, let omission = omission(after: max(before, start), through: min(last, end)) {
        periods.append(omission)
      }
    }
  }

  /// Whether a window of `except` empties a period unexpectedly.
  private func isUnexpected(_ window: CivilWindow) -> Bool {
    storage.conditions.pick == nil || window.lastDate != nil
  }

  private func hasEntry(after start: WallInstant, through end: WallInstant) -> Bool {
    next(after: start).map { $0 <= end } ?? false
  }

  /// Returns all entries in (`start`, `end`] that windows exclude unexpectedly, with the reason of the first; `nil` without one.
  private func omission(after start: WallInstant, through end: WallInstant) -> Omission? {
    let rows = omissions(after: start, through: end).filter { row in
      guard row.outcome == .excluded, let index = storage.access(at: row.first).exception else {
        return false
      }
      return isUnexpected(storage.conditions.except[index])
    }
    guard var all = rows.first, let last = rows.last else { return nil }
    all.last = last.last
    all.count = rows.reduce(0) { $0.addingClamped($1.count) }
    return all
  }

  private func withoutVacations(_ periods: [Omission]) -> [Omission] {
    var runs: [[Omission]] = []
    for period in periods {
      if let former = runs.last?.last, former.reason == period.reason,
        !hasEntry(after: former.last, through: period.first)
      {
        runs[runs.count - 1].append(period)
      } else {
        runs.append([period])
      }
    }
    return runs.filter { $0.count <= 2 }.flatMap(\.self)
  }

  /// The first periods after `start` without an entry, in words; `nil` if there are none.
  func emptyPeriodWords(after start: WallInstant) -> String? {
    let periods = emptyPeriods(
      after: start, through: ScheduleExplanation.end(of: Self.emptyPeriodYears, after: start))
    guard !periods.isEmpty else { return nil }
    let names = periods.prefix(Self.emptyPeriodsMax).map { period in
      let first = period.first.text(in: storage.zone)
      let entries =
        period.count == 1
        ? "\(first) is left out" : "\(period.count) entries are left out, the first at \(first)"
      return "\(name(ofPeriodHolding: period.first)), as \(entries) (\(period.reason))"
    }
    let rest = periods.count - names.count
    return "no entry in " + names.joined(separator: "; nor in ") + (rest > 0 ? "; nor in \(rest) more" : "")
  }

  private func name(ofPeriodHolding instant: WallInstant) -> String {
    let date = storage.zone.civil(at: instant).date
    switch emptiedUnit {
    case .year: return "\(date.year)"
    case .quarter: return "quarter \((date.month + 2) / 3) of \(date.year)"
    case .month, .day: return "\(RuleWords.monthNames[date.month - 1]) \(date.year)"
    case .week:
      let weekStart = storage.conditions.pick?.weekStart ?? .monday
      let days = EntryPick.Period.week.days(holding: date.daysSinceEpoch, from: weekStart)
      return "the week of \(CivilDate(uncheckedDaysSinceEpoch: days.lowerBound))"
    }
  }
}
