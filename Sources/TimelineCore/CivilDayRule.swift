/// A rule that is a set of days and, for each of them, the same times.
protocol CivilDayRule: CivilRule {
  /// The days of a month that match: bit d for day d.
  func days(in month: CivilMonth) -> UInt64

  /// The first time of a day from `tick` on, in ticks from its midnight.
  func firstTime(atOrAfter tick: Int) -> Int?

  /// The last time of a day up to `tick`, in ticks from its midnight.
  func lastTime(atOrBefore tick: Int) -> Int?

  /// How many times of a day are earlier than `tick`, 0 to a whole day.
  func timeCount(before tick: Int) -> Int
}

// A search looks at one month after the other for one bit each. Where a rule names no years the gap between two
// entries is at most 40 of them, from one 29 February on a given weekday to the next across a year such as 2100, so
// that it looks at 480 months; where it does, at no more than the 7,032 of all instants.
extension CivilDayRule {
  private static var ticksPerDay: Int { 86_400 * ticksPerSecond }

  /// The first match from `local` on, if it is not later than `limit`; never allocates.
  func first(atOrAfter local: Int, through limit: Int) -> Int? {
    guard local <= limit else { return nil }
    let day = local.flooredQuotient(by: Self.ticksPerDay)
    var month = CivilMonth(holding: day)
    var days = self.days(in: month)
    let today = day - month.dayBefore
    if days >> UInt64(today) & 1 == 1, let time = firstTime(atOrAfter: local - day * Self.ticksPerDay) {
      let found = day * Self.ticksPerDay + time
      return found <= limit ? found : nil
    }
    days &= ~0 << UInt64(today + 1)
    while days == 0 {
      month.advance()
      guard (month.dayBefore + 1) * Self.ticksPerDay <= limit else { return nil }
      days = self.days(in: month)
    }
    guard let time = firstTime(atOrAfter: 0) else { return nil }
    let found = (month.dayBefore + days.trailingZeroBitCount) * Self.ticksPerDay + time
    return found <= limit ? found : nil
  }

  /// The last match up to `local`, if it is not earlier than `limit`; never allocates.
  func last(atOrBefore local: Int, from limit: Int) -> Int? {
    guard local >= limit else { return nil }
    let day = local.flooredQuotient(by: Self.ticksPerDay)
    var month = CivilMonth(holding: day)
    var days = self.days(in: month)
    let today = day - month.dayBefore
    if days >> UInt64(today) & 1 == 1, let time = lastTime(atOrBefore: local - day * Self.ticksPerDay) {
      let found = day * Self.ticksPerDay + time
      return found >= limit ? found : nil
    }
    days &= 1 << UInt64(today) - 1
    while days == 0 {
      guard (month.dayBefore + 1) * Self.ticksPerDay > limit else { return nil }
      month.retreat()
      days = self.days(in: month)
    }
    guard let time = lastTime(atOrBefore: Self.ticksPerDay - 1) else { return nil }
    let found = (month.dayBefore + days.highestBit) * Self.ticksPerDay + time
    return found >= limit ? found : nil
  }

  /// How many matches lie from `first` through `last`, one step for each month in between.
  func count(from first: Int, through last: Int) -> Int {
    first <= last ? count(before: last + 1, from: first) : 0
  }

  private func count(before end: Int, from start: Int) -> Int {
    let (firstDay, lastDay) = (
      start.flooredQuotient(by: Self.ticksPerDay), end.flooredQuotient(by: Self.ticksPerDay)
    )
    let perDay = timeCount(before: Self.ticksPerDay)
    var month = CivilMonth(holding: firstDay)
    var total = 0
    while month.dayBefore < lastDay {
      var days = self.days(in: month)
      if firstDay > month.dayBefore { days &= ~0 << UInt64(firstDay - month.dayBefore) }
      if lastDay - month.dayBefore <= month.dayCount { days &= 1 << UInt64(lastDay - month.dayBefore) - 1 }
      total += days.nonzeroBitCount * perDay
      month.advance()
    }
    if matches(day: lastDay) { total += timeCount(before: end - lastDay * Self.ticksPerDay) }
    if matches(day: firstDay) { total -= timeCount(before: start - firstDay * Self.ticksPerDay) }
    return total
  }

  /// Whether the day that lies `day` days after 1970-01-01 matches.
  private func matches(day: Int) -> Bool {
    let month = CivilMonth(holding: day)
    return days(in: month) >> UInt64(day - month.dayBefore) & 1 == 1
  }
}
