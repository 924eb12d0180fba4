extension ScheduleRule {
  /// Appends the entries from `first`, which must be an entry, through `end` while there is room, and returns the
  /// first entry that was not appended, or `nil` if there is none.
  ///
  /// The returned instant lies after `end` unless `buffer` is full. The next block continues from it, so that no entry is
  /// computed twice and no other state is stored. Never allocates.
  public func append(
    from first: WallInstant, through end: WallInstant, to buffer: inout OutputSpan<WallInstant>
  ) -> WallInstant? {
    switch self {
    case .periodic(let schedule):
      return Self.append(from: first, by: schedule.interval, through: end, to: &buffer)
    case .everyMinute(let schedule) where schedule.isRegular(since: first):
      return Self.append(from: first, by: .minutes(1), through: end, to: &buffer)
    case .cron(let schedule): return schedule.search.append(from: first, through: end, to: &buffer)
    case .calendar(let schedule): return schedule.search.append(from: first, through: end, to: &buffer)
    case .animation, .explicit, .everyMinute, .composed: break
    }
    var entry = first
    while entry <= end, !buffer.isFull {
      buffer.append(entry)
      guard let next = next(after: entry) else { return nil }
      entry = next
    }
    return entry
  }

  /// Appends entries at a fixed interval; otherwise like ``append(from:through:to:)``.
  private static func append(
    from first: WallInstant, by interval: ElapsedTime, through end: WallInstant,
    to buffer: inout OutputSpan<WallInstant>
  ) -> WallInstant? {
    var entry = first
    while entry <= end, !buffer.isFull {
      buffer.append(entry)
      let (sum, overflow) = entry.nanosecondsSinceEpoch.addingReportingOverflow(interval.nanoseconds)
      if overflow { return nil }
      entry = WallInstant(nanosecondsSinceEpoch: sum)
    }
    return entry
  }
}
