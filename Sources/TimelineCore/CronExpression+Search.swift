extension CronExpression: CivilDayRule {
  /// Entries lie on whole seconds.
  static var ticksPerSecond: Int { 1 }

  /// The days of a month that match.
  func days(in month: CivilMonth) -> UInt64 {
    guard months.mask >> UInt64(month.month) & 1 == 1 else { return 0 }
    return days(firstWeekday: month.firstWeekday, count: month.dayCount)
  }

  /// The first second of a day from `second` on.
  func firstTime(atOrAfter second: Int) -> Int? {
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

  /// The last second of a day up to `second`.
  func lastTime(atOrBefore second: Int) -> Int? {
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
  func timeCount(before second: Int) -> Int {
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
