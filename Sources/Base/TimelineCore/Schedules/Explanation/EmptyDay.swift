extension RuleSchedule where Rule: CivilRule {
  func emptyDay(after start: WallInstant, through end: WallInstant) -> ClockChangeEffect? {
    let search = search
    guard search.rule.canSkipDay, start < end else { return nil }
    let zone = search.zone
    let first = zone.storage.index(at: start.nanosecondsSinceEpoch) + 1
    let last = zone.storage.index(at: end.nanosecondsSinceEpoch)
    guard first <= last else { return nil }
    for index in first...last {
      let change = ClockChange(zone: zone, index: index)
      guard change.skipped(Rule.self) != nil, !hasEntry(onDayOf: change) else { continue }
      let effects = effects(after: change.instant - .nanoseconds(1), through: change.instant)
      if let effect = effects.first { return effect }
    }
    return nil
  }

  /// Whether an entry lies on the day whose times a gap skips first.
  private func hasEntry(onDayOf gap: ClockChange) -> Bool {
    let local = Int(gap.instant.nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000_000)) + gap.offsetBefore
    let midnight = local.flooredQuotient(by: 86_400) * 86_400
    let begin = WallInstant(secondsSinceEpoch: Int64(midnight - gap.offsetBefore)) - .nanoseconds(1)
    let end = WallInstant(secondsSinceEpoch: Int64(midnight + 86_400 - gap.offset))
    return next(after: begin).map { $0 < end } ?? false
  }
}
