// Searches on a clock that is never changed: `local` counts its seconds from 1970-01-01T00:00:00. The gap between
// two entries is at most 40 years, from one 29 February on a given weekday to the next across a year such as 2100,
// so a search looks at no more than 480 months, at some of them for one bit only.
extension CronExpression: CivilRule {
  /// Entries lie on whole seconds.
  static var ticksPerSecond: Int { 1 }

  /// The first match from `local` on, if it is not later than `limit`; never allocates.
  func first(atOrAfter local: Int, through limit: Int) -> Int? {
    guard local <= limit else { return nil }
    let day = local.flooredQuotient(by: 86_400)
    var month = CronMonth(holding: day)
    var days = self.days(in: month)
    let today = day - month.dayBefore
    if days >> UInt64(today) & 1 == 1, let time = firstTime(atOrAfter: local - day * 86_400) {
      let found = day * 86_400 + time
      return found <= limit ? found : nil
    }
    days &= ~0 << UInt64(today + 1)
    while days == 0 {
      month.advance()
      guard (month.dayBefore + 1) * 86_400 <= limit else { return nil }
      days = self.days(in: month)
    }
    guard let time = firstTime(atOrAfter: 0) else { return nil }
    let found = (month.dayBefore + days.trailingZeroBitCount) * 86_400 + time
    return found <= limit ? found : nil
  }

  /// The last match up to `local`, if it is not earlier than `limit`; never allocates.
  func last(atOrBefore local: Int, from limit: Int) -> Int? {
    guard local >= limit else { return nil }
    let day = local.flooredQuotient(by: 86_400)
    var month = CronMonth(holding: day)
    var days = self.days(in: month)
    let today = day - month.dayBefore
    if days >> UInt64(today) & 1 == 1, let time = lastTime(atOrBefore: local - day * 86_400) {
      let found = day * 86_400 + time
      return found >= limit ? found : nil
    }
    days &= 1 << UInt64(today) - 1
    while days == 0 {
      guard (month.dayBefore + 1) * 86_400 > limit else { return nil }
      month.retreat()
      days = self.days(in: month)
    }
    guard let time = lastTime(atOrBefore: 86_399) else { return nil }
    let found = (month.dayBefore + days.highestBit) * 86_400 + time
    return found >= limit ? found : nil
  }

  /// How many matches lie from `first` through `last`, one step for each month in between.
  func count(from first: Int, through last: Int) -> Int {
    first <= last ? count(before: last + 1, from: first) : 0
  }

  private func count(before end: Int, from start: Int) -> Int {
    let (firstDay, lastDay) = (start.flooredQuotient(by: 86_400), end.flooredQuotient(by: 86_400))
    let perDay = timeCount(before: 86_400)
    var month = CronMonth(holding: firstDay)
    var total = 0
    while month.dayBefore < lastDay {
      var days = self.days(in: month)
      if firstDay > month.dayBefore { days &= ~0 << UInt64(firstDay - month.dayBefore) }
      if lastDay - month.dayBefore <= month.dayCount { days &= 1 << UInt64(lastDay - month.dayBefore) - 1 }
      total += days.nonzeroBitCount * perDay
      month.advance()
    }
    if matches(day: lastDay) { total += timeCount(before: end - lastDay * 86_400) }
    if matches(day: firstDay) { total -= timeCount(before: start - firstDay * 86_400) }
    return total
  }

  /// Whether the day that lies `day` days after 1970-01-01 matches.
  private func matches(day: Int) -> Bool {
    let month = CronMonth(holding: day)
    return days(in: month) >> UInt64(day - month.dayBefore) & 1 == 1
  }

  private func days(in month: CronMonth) -> UInt64 {
    guard months.mask >> UInt64(month.month) & 1 == 1 else { return 0 }
    return days(firstWeekday: month.firstWeekday, count: month.dayCount)
  }
}

// Times of a day, in seconds from its midnight.
extension CronExpression {
  private func firstTime(atOrAfter second: Int) -> Int? {
    let (hour, minute) = (second / 3_600, second / 60 % 60)
    if hours.mask >> UInt64(hour) & 1 == 1 {
      if minutes.mask >> UInt64(minute) & 1 == 1, let found = seconds.mask.firstBit(from: second % 60) {
        return hour * 3_600 + minute * 60 + found
      }
      if let found = minutes.mask.firstBit(from: minute + 1) {
        return hour * 3_600 + found * 60 + seconds.mask.trailingZeroBitCount
      }
    }
    guard let found = hours.mask.firstBit(from: hour + 1) else { return nil }
    return found * 3_600 + minutes.mask.trailingZeroBitCount * 60 + seconds.mask.trailingZeroBitCount
  }

  private func lastTime(atOrBefore second: Int) -> Int? {
    let (hour, minute) = (second / 3_600, second / 60 % 60)
    if hours.mask >> UInt64(hour) & 1 == 1 {
      if minutes.mask >> UInt64(minute) & 1 == 1, let found = seconds.mask.lastBit(upTo: second % 60) {
        return hour * 3_600 + minute * 60 + found
      }
      if let found = minutes.mask.lastBit(upTo: minute - 1) {
        return hour * 3_600 + found * 60 + seconds.mask.highestBit
      }
    }
    guard let found = hours.mask.lastBit(upTo: hour - 1) else { return nil }
    return found * 3_600 + minutes.mask.highestBit * 60 + seconds.mask.highestBit
  }

  /// How many times of a day are earlier than `second`, 0 to 86,400.
  private func timeCount(before second: Int) -> Int {
    let (hour, minute) = (second / 3_600, second / 60 % 60)
    let perMinute = seconds.mask.nonzeroBitCount
    var count = hours.mask.bitCount(below: hour) * minutes.mask.nonzeroBitCount * perMinute
    if hours.mask >> UInt64(hour) & 1 == 1 {
      count += minutes.mask.bitCount(below: minute) * perMinute
      if minutes.mask >> UInt64(minute) & 1 == 1 { count += seconds.mask.bitCount(below: second % 60) }
    }
    return count
  }
}

/// A month by the day before its first, so that stepping to its neighbours is an addition.
private struct CronMonth {
  private(set) var year: Int
  private(set) var month: Int
  /// Days from 1970-01-01 to the day before the first.
  private(set) var dayBefore: Int
  private(set) var dayCount: Int

  init(holding day: Int) {
    let date = CivilDate(uncheckedDaysSinceEpoch: day)
    (year, month, dayBefore) = (date.year, date.month, day - date.day)
    dayCount = CivilDate.dayCount(ofMonth: date.month, inYear: date.year)
  }

  /// The weekday of the first, 0 for Sunday; 1970-01-01 was a Thursday.
  var firstWeekday: Int {
    let weekday = (dayBefore + 5) % 7
    return weekday < 0 ? weekday + 7 : weekday
  }

  mutating func advance() {
    dayBefore += dayCount
    (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
    dayCount = CivilDate.dayCount(ofMonth: month, inYear: year)
  }

  mutating func retreat() {
    (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
    dayCount = CivilDate.dayCount(ofMonth: month, inYear: year)
    dayBefore -= dayCount
  }
}

extension UInt64 {
  /// The lowest bit that is set, from `index`, 0 to 63, up.
  fileprivate func firstBit(from index: Int) -> Int? {
    let rest = self & (~0 << UInt64(index))
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// The highest bit that is set, from `index`, -1 to 62, down.
  fileprivate func lastBit(upTo index: Int) -> Int? {
    let rest = self & (1 << UInt64(index + 1) - 1)
    return rest == 0 ? nil : rest.highestBit
  }

  /// The highest bit that is set, of which there must be one.
  fileprivate var highestBit: Int { 63 - leadingZeroBitCount }

  /// How many bits below `index`, 0 to 63, are set.
  fileprivate func bitCount(below index: Int) -> Int { (self & (1 << UInt64(index) - 1)).nonzeroBitCount }
}
