package import TimelineCore

/// Entries that a job decides again, to be removed from its records of several entries.
///
/// A record can cover entries that the clock had jumped over before it was set back. If the clock then reaches them after all,
/// they are decided at their time. They are removed from the record, because an entry has only one outcome.
package struct RangeCut: Sendable, Equatable {
  package var job: JobName
  /// Last instant before the entries.
  package var start: WallInstant
  /// Nominal instant of the last entry.
  package var end: WallInstant
  /// Schedule of the job, to count the entries that stay in a record.
  package var schedule: ScheduleRule

  package init(job: JobName, after start: WallInstant, through end: WallInstant, schedule: ScheduleRule) {
    (self.job, self.start, self.end, self.schedule) = (job, start, end, schedule)
  }

  /// Whether an entry at `nominal` is removed.
  package func contains(_ nominal: WallInstant) -> Bool { start < nominal && nominal <= end }

  /// Returns the remaining parts of a record, ascending: no part, one part, or one part before the cut and one part after it.
  ///
  /// A record of a former schedule stays whole, because it stands for other entries.
  package func rests(of range: MissedRange) -> [MissedRange] {
    if range.latest <= start || range.first > end || !isOfSchedule(range) { return [range] }
    return [(range.first, start), (end + .nanoseconds(1), range.latest)].compactMap { begin, last in
      let begin = max(begin, range.first)
      guard let first = schedule.next(after: begin - .nanoseconds(1)), first <= last,
        let latest = schedule.latest(atOrBefore: last), first <= latest
      else { return nil }
      let count = schedule.count(after: first, through: latest) + 1
      return MissedRange(first: first, latest: latest, count: count)
    }
  }

  private func isOfSchedule(_ range: MissedRange) -> Bool {
    schedule.next(after: range.first - .nanoseconds(1)) == range.first
      && schedule.latest(atOrBefore: range.latest) == range.latest
      && schedule.count(after: range.first, through: range.latest) + 1 == range.count
  }
}

/// Watermark of a job. It is stored if outcomes do not imply it: the clock was set back, the job has reached its former
/// watermark again, or its schedule changed.
package struct Watermark: Sendable, Equatable {
  package var job: JobName
  /// Instant up to which entries are decided.
  package var decided: WallInstant
  /// Instant up to which entries had been decided before; later than ``decided`` while the clock shows the same time again.
  package var furthest: WallInstant

  package init(job: JobName, decided: WallInstant, furthest: WallInstant) {
    (self.job, self.decided, self.furthest) = (job, decided, furthest)
  }
}
