/// A rule that consists of a set of days and of times that are the same on each of these days.
protocol CivilDayRule: CivilRule {
  /// The weekdays, bit 0 for Sunday, if the weekday alone decides whether a day matches; 0 if the date counts too.
  var weekdaysAlone: UInt64 { get }

  /// The months that have matching days, bit 1 for January.
  var monthBits: UInt64 { get }

  /// The hours of a day, the minutes of each hour and the seconds of each minute. The seconds are 0 if they have
  /// fractions or are not a set.
  var hourBits: UInt64 { get }
  var minuteBits: UInt64 { get }
  var secondBits: UInt64 { get }

  /// The days of a month that match: bit d for day d.
  func days(in month: CivilMonth) -> UInt64

  /// The first time of a day from `tick` on, in ticks from its midnight.
  func firstTime(atOrAfter tick: Int) -> Int?

  /// The last time of a day up to `tick`, in ticks from its midnight.
  func lastTime(atOrBefore tick: Int) -> Int?

  /// Returns the number of times of a day earlier than `tick`, which is from 0 to a whole day.
  func timeCount(before tick: Int) -> Int
}

// A search looks at the months that the rule names one by one. In a rule without years the gap between two entries is at
// most 40 years, from one 29 February on a given weekday to the next across a year such as 2100: at most 480 months. In a
// rule with years it looks at no more than the 7,032 months of the representable range.
extension CivilDayRule {
  /// The seconds are a set of their own.
  static var hasSameSecondsInEveryMinute: Bool { true }

  private static var ticksPerDay: Int { 86_400 * ticksPerSecond }

  /// The first match from `local` on, if it is not later than `limit`; never allocates.
  func first(atOrAfter local: Int, through limit: Int) -> Int? {
    guard local <= limit else { return nil }
    let weekdays = weekdaysAlone
    guard weekdays != 0 else { return firstByMonth(atOrAfter: local, through: limit) }
    let day = local.flooredQuotient(by: Self.ticksPerDay)
    let found = first(on: weekdays, from: day, local - day * Self.ticksPerDay)
    return found <= limit ? found : nil
  }

  @inline(never)
  private func firstByMonth(atOrAfter local: Int, through limit: Int) -> Int? {
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
      month.advance(toOneOf: monthBits)
      guard (month.dayBefore + 1) * Self.ticksPerDay <= limit else { return nil }
      days = self.days(in: month)
    }
    guard let time = firstTime(atOrAfter: 0) else { return nil }
    let found = (month.dayBefore + days.trailingZeroBitCount) * Self.ticksPerDay + time
    return found <= limit ? found : nil
  }

  /// The first match from a time of a day on, for a rule in which only `weekdays` count, so that no month is checked.
  private func first(on weekdays: UInt64, from day: Int, _ tick: Int) -> Int {
    let weekday = CivilDate.weekdayIndex(day)
    if weekdays >> UInt64(weekday) & 1 == 1, let time = firstTime(atOrAfter: tick) {
      return day * Self.ticksPerDay + time
    }
    let later = (weekdays | weekdays << 7) >> UInt64(weekday + 1)
    return (day + 1 + later.trailingZeroBitCount) * Self.ticksPerDay + (firstTime(atOrAfter: 0) ?? 0)
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
      month.retreat(toOneOf: monthBits)
      days = self.days(in: month)
    }
    guard let time = lastTime(atOrBefore: Self.ticksPerDay - 1) else { return nil }
    let found = (month.dayBefore + days.highestBit) * Self.ticksPerDay + time
    return found >= limit ? found : nil
  }

  /// Returns the number of matches from `first` through `last`, in one step for each month in between.
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
