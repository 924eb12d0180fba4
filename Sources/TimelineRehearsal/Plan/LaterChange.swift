import TimelineCore

extension PlanJob.EntryChange {
  /// Largest number of entries of a job that ``first(between:_:from:budget:)`` compares: one every five minutes for a
  /// year. A rule needs some microseconds for each at worst.
  private static let comparedEntriesMax = 105_408

  /// Returns the first entry at `start` or later in which two schedules differ; `nil` if there is none among the
  /// compared entries.
  ///
  /// - Parameters:
  ///   - before: The old schedule; `nil` for a new job.
  ///   - after: The new schedule; `nil` for a removed job.
  ///   - budget: The number of entries that may still be compared; it is reduced.
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
