// Clock changes combined with windows.
extension ComposedSchedule {
  /// Returns the part of the change that the windows allow; `nil` if the change has no effect under the windows.
  ///
  /// Windows apply to the local time at which an entry runs. The result also reports a moved run that windows exclude, a day
  /// without a run, and a day that a date or a holiday excludes.
  func withinWindows(_ change: ClockChangeEffect) -> ClockChangeEffect? {
    if storage.reach != nil { return withinMove(change) }
    let wanted = change.times.contains { storage.access(atLocal: $0).isOpen }
    var rest = change
    if change.kind == .gap, change.followsRealTime {
      rest.words = change.realTimeWords(next: next(after: change.instant - .nanoseconds(1)), in: storage.zone)
    }
    rest.entries.removeAll { !storage.access(at: $0).isOpen }
    if !rest.entries.isEmpty { return rest }
    guard wanted else { return excludedByDate(change) }
    guard let entry = change.entries.first else {
      // The change has no entry at these times: a policy skips them, or the rule follows elapsed time.
      guard change.followsRealTime, !runs(onDayOf: change) else { return rest }
      rest.isLeftOut = true
      rest.words += "; windows let nothing else of that day through"
      return rest
    }
    // The list of entries is full: there can be further entries.
    if change.entries.count == ClockChangeEffect.entryCountMax { return rest }
    let reason = reason(at: entry, exception: storage.access(at: entry).exception)
    rest.isLeftOut = !runs(onDayOf: change)
    rest.words =
      "\(change.subject): the run at \(entry.text(in: storage.zone)) is left out (\(reason))"
    return rest
  }

  /// Returns the part of the change that windows allow or that moves; `nil` if the change has no effect under them.
  private func withinMove(_ change: ClockChangeEffect) -> ClockChangeEffect? {
    var rest = change
    if change.kind == .gap, change.followsRealTime {
      rest.words = change.realTimeWords(next: next(after: change.instant - .nanoseconds(1)), in: storage.zone)
    }
    let excluded = change.entries.filter { !storage.access(at: $0).isOpen }
    rest.entries.removeAll { !storage.access(at: $0).isOpen }
    if let entry = excluded.first, let words = moveWords(of: entry) {
      rest.words += "; the run at \(entry.text(in: storage.zone)) is \(words)"
      return rest
    }
    return !rest.entries.isEmpty || change.times.contains { storage.access(atLocal: $0).isOpen } ? rest : nil
  }

  /// Returns the effect of a change at a time that a date or a holiday excludes. Returns `nil` for times that windows of hours
  /// or weekdays exclude, because the change has no effect on them.
  private func excludedByDate(_ change: ClockChangeEffect) -> ClockChangeEffect? {
    guard let time = change.times.first, let exception = storage.access(atLocal: time).exception,
      storage.conditions.except[exception].lastDate != nil
    else { return nil }
    var rest = change
    rest.words = "\(change.subject): it does not run, \(reason(atLocal: time, exception: exception))"
    return rest
  }

  /// Returns the part of the change that concerns picked entries; `nil` if there is none.
  ///
  /// A time that does not run because of its policy is always reported: it could have been picked. A rule that follows real time is
  /// reported if a picked entry lies on the day.
  func withinPick(_ change: ClockChangeEffect) -> ClockChangeEffect? {
    var rest = change
    rest.entries.removeAll { latest(atOrBefore: $0) != $0 }
    if change.kind == .gap, change.followsRealTime {
      rest.words = change.realTimeWords(next: next(after: change.instant - .nanoseconds(1)), in: storage.zone)
      return runs(onDayOf: change) ? rest : nil
    }
    if change.entries.isEmpty {
      return change.times.contains { storage.access(atLocal: $0).isOpen } ? rest : nil
    }
    guard !rest.entries.isEmpty else { return nil }
    if rest.entries.count < change.entries.count {
      let runs = rest.entries.map { $0.text(in: storage.zone) }
      rest.words = "\(change.subject): of these runs the one at \(RuleWords.list(runs)) is picked"
    }
    return rest
  }

  /// Whether an entry lies on the day whose times `change` affects.
  private func runs(onDayOf change: ClockChangeEffect) -> Bool {
    guard let time = change.times.first else { return true }
    let day = storage.zone.civil(at: change.instant).date.daysSinceEpoch
    let midnight = min(day, time.flooredQuotient(by: 86_400)) * 86_400
    // Each midnight is converted with the offset on its side of the change. One offset for both midnights would include entries
    // of a neighboring day.
    let offset = storage.zone.offset(at: change.instant - .seconds(1))
    let start = WallInstant(secondsSinceEpoch: Int64(midnight - offset)) - .nanoseconds(1)
    let offsetAfter = storage.zone.offset(at: change.instant)
    let end = WallInstant(secondsSinceEpoch: Int64((day + 1) * 86_400 - offsetAfter)) - .nanoseconds(1)
    return next(after: start).map { $0 <= end } ?? false
  }
}

extension CivilWindow {
  /// The last day of a window of dates or holidays; `nil` for weekdays and for an empty holiday list.
  public var lastDate: CivilDate? {
    switch days {
    case .weekdays: nil
    case .dates(let range): CivilDate(uncheckedDaysSinceEpoch: range.upperBound)
    case .holidays(let list): list.dates.last
    }
  }

  /// Whether the window covers only some hours of its days.
  public var isPartOfDay: Bool { hours != nil }

  /// Whether the window is a list of holidays.
  public var isOfHolidays: Bool {
    if case .holidays = days { true } else { false }
  }
}
