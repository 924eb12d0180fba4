/// Walks the entries of a rule run by run within a stretch without clock changes.
///
/// ``CivilSearch`` finds all other entries. Between clock changes every day has the same sets of bits, so that a step
/// removes the lowest remaining bit and needs no division.
struct CivilCursor<Rule: CivilDayRule>: Sendable {
  /// The sets of the rule. The rule itself is not stored, because a copy would count references. ``nextRun(of:)``
  /// receives the rule for its days.
  private let allSeconds: UInt64
  private let allMinutes: UInt64
  private let allHours: UInt64
  /// Seconds that the zone is ahead of UTC.
  private let offset: Int
  /// The last instant that the cursor covers.
  private let end: WallInstant
  /// The day that clocks show at ``end``, counted from 1970-01-01.
  private let lastDay: Int

  /// The remaining entries of the hour, or of the minute if the rule has several seconds.
  private var run: EntryRun
  /// The remaining minutes of the hour, the remaining hours of the day, and the remaining days after `dayBefore`.
  private var minutes: UInt64
  private var hours: UInt64
  private var days: UInt64
  private var dayBefore: Int
  /// The starts of the day and of the hour.
  private var dayStart: WallInstant
  private var hourStart: WallInstant
  /// Nine weeks of days if the rule ignores the date; otherwise 0, and ``month`` is used.
  private let weeks: UInt64
  private var month: CivilMonth?

  /// Starts after an entry of the schedule; `nil` near a clock change, and for a rule whose seconds are not a set.
  init?(behind entry: WallInstant, of search: CivilSearch<Rule>) {
    let rule = search.rule
    (allSeconds, allMinutes, allHours) = (rule.secondBits, rule.minuteBits, rule.hourBits)
    guard allSeconds != 0, let quiet = search.zone.storage.quietStretch(around: entry) else {
      return nil
    }
    offset = quiet.offset
    end = WallInstant(nanosecondsSinceEpoch: quiet.end)
    lastDay = (Int(quiet.end / 1_000_000_000) + quiet.offset) / 86_400

    // The whole stretch lies after the epoch, on every clock.
    let second = Int(entry.nanosecondsSinceEpoch / 1_000_000_000)
    let day = (second + offset) / 86_400
    let time = second + offset - day * 86_400
    let (hour, rest) = time.quotientAndRemainder(dividingBy: 3_600)
    let (minute, secondOfMinute) = rest.quotientAndRemainder(dividingBy: 60)
    dayStart = WallInstant(unchecked: second - time)
    hourStart = WallInstant(unchecked: second - rest)
    hours = allHours.bits(above: hour)
    minutes = allMinutes.bits(above: minute)
    if Self.isOneSecond(allSeconds) {
      run = EntryRun(minutes, from: WallInstant(unchecked: second - rest + secondOfMinute), by: .minutes(1))
      minutes = 0
    } else {
      run = EntryRun(
        allSeconds.bits(above: secondOfMinute), from: WallInstant(unchecked: second - secondOfMinute),
        by: .seconds(1))
    }
    let weekdays = rule.weekdaysAlone
    if weekdays != 0 {
      let week = (weekdays | weekdays << 7) >> UInt64(CivilDate.weekdayIndex(day)) & 0x7F
      weeks = week &* 0x0102_0408_1020_4081
      (days, dayBefore) = (weeks & ~1, day)
    } else {
      let month = CivilMonth(holding: day)
      weeks = 0
      (days, dayBefore) = (rule.days(in: month).bits(above: day - month.dayBefore), month.dayBefore)
      self.month = month
    }
  }

  /// Returns the next entries, at least one; `nil` if ``CivilSearch`` must be used. `rule` is the rule of the
  /// initializer.
  mutating func nextRun(of rule: borrowing Rule) -> EntryRun? {
    if run.isEmpty {
      if minutes == 0 {
        if hours == 0, !beginDay(of: rule) { return nil }
        hourStart = dayStart + .nanoseconds(3_600_000_000_000 &* Int64(hours.popLowest()))
        minutes = allMinutes
      }
      if Self.isOneSecond(allSeconds) {
        run = EntryRun(
          minutes,
          from: hourStart + .nanoseconds(1_000_000_000 &* Int64(allSeconds.trailingZeroBitCount)),
          by: .nanoseconds(60_000_000_000))
        minutes = 0
      } else {
        run = EntryRun(
          allSeconds, from: hourStart + .nanoseconds(60_000_000_000 &* Int64(minutes.popLowest())),
          by: .nanoseconds(1_000_000_000))
      }
    }
    defer { run = EntryRun(nil) }
    return run.last <= end ? run : nil
  }

  /// Whether a minute has one match at most, so that the matches of an hour lie whole minutes apart.
  private static func isOneSecond(_ seconds: UInt64) -> Bool { seconds & (seconds &- 1) == 0 }

  private mutating func beginDay(of rule: borrowing Rule) -> Bool {
    while days == 0 {
      if weeks != 0 {
        (days, dayBefore) = (weeks, dayBefore + 63)
      } else if var month {
        month.advance(toOneOf: rule.monthBits)
        (days, dayBefore) = (rule.days(in: month), month.dayBefore)
        self.month = month
      }
      guard dayBefore <= lastDay else { return false }
    }
    let day = dayBefore + days.popLowest()
    guard day <= lastDay else { return false }
    dayStart = WallInstant(unchecked: day * 86_400 - offset)
    hours = allHours
    return true
  }
}

extension CivilSearch where Rule: CivilDayRule {
  /// Appends the entries from `first`, which must be an entry, through `end` while there is room; returns the first
  /// entry that was not appended.
  func append(
    from first: WallInstant, through end: WallInstant, to buffer: inout OutputSpan<WallInstant>
  ) -> WallInstant? {
    var entry = first
    while entry <= end, !buffer.isFull {
      buffer.append(entry)
      if var cursor = CivilCursor(behind: entry, of: self) {
        while let run = cursor.nextRun(of: rule) {
          if let rest = run.append(through: end, to: &buffer) { return rest }
          entry = run.last
        }
      }
      guard let next = next(after: entry) else { return nil }
      entry = next
    }
    return entry
  }
}

extension WallInstant {
  /// Makes the instant of whole seconds, unchecked. The caller must ensure that they are in range.
  fileprivate init(unchecked seconds: Int) {
    self.init(nanosecondsSinceEpoch: Int64(seconds) &* 1_000_000_000)
  }
}

extension UInt64 {
  /// The bits higher than `bit`, 0 to 62.
  fileprivate func bits(above bit: Int) -> UInt64 { self & (~0 << UInt64(bit + 1)) }

  /// Removes the lowest set bit and returns its index. At least one bit must be set.
  fileprivate mutating func popLowest() -> Int {
    let lowest = trailingZeroBitCount
    self &= self &- 1
    return lowest
  }
}
