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
    for omission in omissions(after: start, through: end) where omission.outcome == .excluded {
      guard omission.count < 3, storage.access(at: omission.first).exception != nil,
        storage.reach == nil || storage.isRare(inMonthOf: omission.first)
      else { continue }
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
  /// Whether the rules have one or two entries in a month. Each omission of a schedule that moves entries is one entry.
  fileprivate func isRare(inMonthOf instant: WallInstant) -> Bool {
    let month = CivilMonth(holding: zone.civil(at: instant).date.daysSinceEpoch)
    let start = zone.start(ofDay: month.dayBefore + 1) - .nanoseconds(1)
    return countOfEach(after: start, through: zone.end(ofDay: month.dayBefore + month.dayCount)) < 3
  }
}

extension ComposedSchedule {
  /// The largest number of months without an entry that an explanation names.
  private static let emptyMonthsMax = 3

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
