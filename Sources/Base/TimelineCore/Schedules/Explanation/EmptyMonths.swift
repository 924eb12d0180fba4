extension ScheduleRule {
  /// Returns the first omission of each month in which `except` excludes every entry, ascending: within `years` of 365.25 days
  /// after `start`, and for a rule with one or two entries a month, such as the last workday.
  ///
  /// More than two consecutive months count as a vacation and are not returned. Windows of `only` count as intended.
  public func emptyMonths(after start: WallInstant, years: Int) -> [Omission] {
    guard case .composed(let schedule) = self else { return [] }
    return schedule.emptyMonths(after: start, through: ScheduleExplanation.end(of: years, after: start))
  }
}

extension ComposedSchedule {
  fileprivate func emptyMonths(after start: WallInstant, through end: WallInstant) -> [Omission] {
    // Where a pick chooses, days of exclusion between two entries are the usual case.
    guard !storage.conditions.except.isEmpty, storage.conditions.pick == nil else { return [] }
    let zone = storage.zone
    func month(_ instant: WallInstant?) -> Int? {
      instant.map { CivilMonth(holding: zone.civil(at: $0).date.daysSinceEpoch).dayBefore }
    }
    var months: [Omission] = []
    let rows =
      storage.reach == nil
      ? omissions(after: start, through: end)
      : storage.rareMonths(after: start, through: end)
        .flatMap { omissions(after: $0.lowerBound, through: $0.upperBound) }
    for omission in rows where omission.outcome == .excluded {
      guard omission.count < 3, storage.access(at: omission.first).exception != nil else { continue }
      for instant in [omission.first, omission.last] {
        let own = month(instant)
        guard own != month(months.last?.first), own != month(latest(atOrBefore: instant)),
          own != month(next(after: instant))
        else { continue }
        months.append(
          Omission(first: instant, last: instant, count: 1, outcome: .excluded, reason: omission.reason))
      }
    }
    return months
  }
}

extension ComposedSchedule.Storage {
  /// The months in (`start`, `end`] with one or two entries of the rules, without their first instants. An omission of a schedule that
  /// moves entries is one entry, however many of the month are left out.
  fileprivate func rareMonths(
    after start: WallInstant, through end: WallInstant
  ) -> [ClosedRange<WallInstant>] {
    var (months, begin): ([ClosedRange<WallInstant>], WallInstant) = ([], start)
    while begin < end {
      let month = CivilMonth(holding: zone.civil(at: begin + .nanoseconds(1)).date.daysSinceEpoch)
      let last = max(min(zone.end(ofDay: month.dayBefore + month.dayCount), end), begin + .nanoseconds(1))
      if 1...2 ~= countOfEach(after: begin, through: last) { months.append(begin...last) }
      begin = last
    }
    return months
  }
}

extension ComposedSchedule {
  /// The largest number of months without an entry that an explanation names.
  private static let emptyMonthsMax = 3
  /// The years in which months without an entry are searched for, if fewer years are explained.
  static let emptyMonthYears = 5

  /// The first months in (`start`, `end`] without an entry, in words; `nil` if there are none.
  func emptyMonthWords(after start: WallInstant, through end: WallInstant) -> String? {
    let months = emptyMonths(after: start, through: end)
    guard !months.isEmpty else { return nil }
    let names = months.prefix(Self.emptyMonthsMax).map {
      let date = storage.zone.civil(at: $0.first).date
      let name = "\(RuleWords.monthNames[date.month - 1]) \(date.year)"
      return "\(name), as \($0.first.text(in: storage.zone)) is left out (\($0.reason))"
    }
    let rest = months.count - names.count
    return "no entry in " + names.joined(separator: "; nor in ") + (rest > 0 ? "; nor in \(rest) more" : "")
  }
}
