extension ScheduleRule {
  /// Appends the entries from `first`, which must be an entry, through `end` while there is room, and returns the
  /// first entry that was not appended, or `nil` if there is none.
  ///
  /// The returned instant lies after `end` unless `buffer` is full. The next block continues from it, so that no entry is
  /// computed twice and no other state is stored. Never allocates.
  public func append(
    from first: WallInstant, through end: WallInstant, to buffer: inout OutputSpan<WallInstant>
  ) -> WallInstant? {
    if let stride = stride(from: first) {
      return Self.append(from: first, by: stride, through: end, to: &buffer)
    }
    switch self {
    case .cron(let schedule): return schedule.search.append(from: first, through: end, to: &buffer)
    case .calendar(let schedule): return schedule.search.append(from: first, through: end, to: &buffer)
    default: break
    }
    var entry = first
    while entry <= end, !buffer.isFull {
      buffer.append(entry)
      guard let next = next(after: entry) else { return nil }
      entry = next
    }
    return entry
  }

  /// The time from each entry to the next, from `entry` on; `nil` if it differs. A kind without a case here is only slower.
  func stride(from entry: WallInstant) -> ElapsedTime? {
    switch self {
    case .periodic(let schedule): schedule.interval
    case .everyMinute(let schedule) where schedule.isRegular(since: entry): .minutes(1)
    default: nil
    }
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
