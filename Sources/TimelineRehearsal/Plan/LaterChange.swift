import TimelineCore

extension PlanJob.EntryChange {
  /// Largest number of entries of a job that ``first(between:_:from:budget:)`` compares: those of a year, one every five minutes. A rule
  /// takes some microseconds for each at worst.
  private static let comparedEntriesMax = 105_408

  /// Returns the first entry at `start` or later in which two schedules differ; `nil` where none does, or not among the first ones.
  ///
  /// - Parameters:
  ///   - before: The schedule as it was; `nil` for that of a new job.
  ///   - after: The schedule as it would be; `nil` for that of a job that is gone.
  ///   - budget: The number of entries that may still be compared, which becomes less.
  static func first(
    between before: ScheduleRule?, _ after: ScheduleRule?, from start: WallInstant, budget: inout Int
  ) -> Self? {
    var instant = start - .nanoseconds(1)
    for _ in 0..<min(budget, comparedEntriesMax) {
      budget -= 1
      let (old, new) = (before?.next(after: instant), after?.next(after: instant))
      guard let old, let new else { return old == nil && new == nil ? nil : Self(before: old, after: new) }
      if old < new, before?.latest(atOrBefore: new) == new { return Self(before: old, after: nil) }
      if new < old, after?.latest(atOrBefore: old) == old { return Self(before: nil, after: new) }
      if old != new { return Self(before: old, after: new) }
      instant = old
    }
    return nil
  }
}
