import TimelineCore

extension PlanJob.EntryChange {
  /// Maximum number of entries of a job that ``first(between:_:from:budget:)`` compares: one every five minutes for a year. A
  /// rule needs at most some microseconds for each entry.
  private static let comparedEntriesMax = 105_408

  /// Returns the first entry at `start` or later in which two schedules differ; `nil` if there is none among the
  /// compared entries.
  ///
  /// - Parameters:
  ///   - before: The old schedule; `nil` for a new job.
  ///   - after: The new schedule; `nil` for a removed job.
  ///   - budget: Number of entries that may still be compared. The call reduces it.
  static func first(
    between before: ScheduleRule?, _ after: ScheduleRule?, from start: WallInstant, budget: inout Int
  ) -> Self? {
    var instant = start - .nanoseconds(1)
    for _ in 0..<min(budget, comparedEntriesMax) {
      budget -= 1
      let (old, new) = (before?.next(after: instant), after?.next(after: instant))
      guard let old, let new else {
        return old.map { Self(lost: $0, by: after) } ?? new.map { Self(won: $0, from: before) }
      }
      if old < new, before?.latest(atOrBefore: new) == new || after?.omission(at: old) != nil {
        return Self(lost: old, by: after)
      }
      if new < old, after?.latest(atOrBefore: old) == old || before?.omission(at: new) != nil {
        return Self(won: new, from: before)
      }
      if old != new { return Self(before: old, after: new) }
      instant = old
    }
    return nil
  }

  /// The change of an entry that `after` does not have. If a window or a clock change of `after` leaves the entry out, the
  /// entry has another outcome. Otherwise the entry is removed.
  private init(lost entry: WallInstant, by after: ScheduleRule?) {
    let outcome = after?.omission(at: entry)
    self.init(before: entry, after: outcome.map { _ in entry })
    if outcome != nil { aspect = .end(before: nil, after: outcome) }
  }

  /// The change of an entry that `before` does not have.
  private init(won entry: WallInstant, from before: ScheduleRule?) {
    let outcome = before?.omission(at: entry)
    self.init(before: outcome.map { _ in entry }, after: entry)
    if outcome != nil { aspect = .end(before: outcome, after: nil) }
  }
}

extension ScheduleRule {
  /// Returns the outcome with which the rule leaves out an instant that it names; `nil` for any other instant.
  fileprivate func omission(at instant: WallInstant) -> Outcome? {
    omissions(after: instant - .nanoseconds(1), through: instant).last { $0.first <= instant }?.outcome
  }
}
