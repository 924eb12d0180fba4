extension PeriodicSchedule {
  /// Whether a clock change by `shift` moves the local times of the entries. Only an interval that divides a day or
  /// is a whole number of days has fixed local times that can move.
  private func isMoved(by shift: ElapsedTime) -> Bool {
    let day = ElapsedTime.days(1).nanoseconds
    let length = interval.nanoseconds
    return (length % day == 0 || day % length == 0) && shift.nanoseconds % length != 0
  }

  /// Every clock change in `zone` in (`start`, `end`] that moves the local times of the entries, ascending.
  func moves(in zone: Zone, after start: WallInstant, through end: WallInstant) -> [ClockChangeEffect] {
    guard start < end else { return [] }
    let first = zone.storage.index(at: start.nanosecondsSinceEpoch) + 1
    let last = zone.storage.index(at: end.nanosecondsSinceEpoch)
    guard first <= last else { return [] }
    return (first...last).compactMap { index in
      let change = ClockChange(zone: zone, index: index)
      let shift = change.offset - change.offsetBefore
      guard isMoved(by: .seconds(Int64(shift))), let next = next(after: change.instant - .nanoseconds(1)),
        latest(atOrBefore: change.instant - .nanoseconds(1)) != nil
      else { return nil }
      let now = zone.civil(at: next).time.short
      let formerly = zone.civil(at: next - .seconds(Int64(shift))).time.short
      return ClockChangeEffect(
        instant: change.instant, kind: shift > 0 ? .gap : .fold, timeCount: 0, entries: [next],
        words:
          "the interval is elapsed time: an entry at \(formerly) before is at \(now) from \(next.text(in: zone)) on"
      )
    }
  }
}
