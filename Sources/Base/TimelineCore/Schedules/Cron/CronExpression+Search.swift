extension CronExpression: CivilDayRule {
  /// Entries lie on whole seconds.
  static var ticksPerSecond: Int { 1 }

  /// The days of a month that match.
  func days(in month: CivilMonth) -> UInt64 {
    guard monthBits >> UInt64(month.month) & 1 == 1 else { return 0 }
    return days(firstWeekday: month.firstWeekday, count: month.dayCount)
  }

  /// The first second of a day from `second` on.
  func firstTime(atOrAfter second: Int) -> Int? {
    let (hour, minute) = (second / 3_600, second / 60 % 60)
    if hourBits >> UInt64(hour) & 1 == 1 {
      if minuteBits >> UInt64(minute) & 1 == 1, let found = secondBits.firstBit(from: second % 60) {
        return hour * 3_600 + minute * 60 + found
      }
      if let found = minuteBits.firstBit(from: minute + 1) {
        return hour * 3_600 + found * 60 + secondBits.trailingZeroBitCount
      }
    }
    guard let found = hourBits.firstBit(from: hour + 1) else { return nil }
    return found * 3_600 + minuteBits.trailingZeroBitCount * 60 + secondBits.trailingZeroBitCount
  }

  /// The last second of a day up to `second`.
  func lastTime(atOrBefore second: Int) -> Int? {
    let (hour, minute) = (second / 3_600, second / 60 % 60)
    if hourBits >> UInt64(hour) & 1 == 1 {
      if minuteBits >> UInt64(minute) & 1 == 1, let found = secondBits.lastBit(upTo: second % 60) {
        return hour * 3_600 + minute * 60 + found
      }
      if let found = minuteBits.lastBit(upTo: minute - 1) {
        return hour * 3_600 + found * 60 + secondBits.highestBit
      }
    }
    guard let found = hourBits.lastBit(upTo: hour - 1) else { return nil }
    return found * 3_600 + minuteBits.highestBit * 60 + secondBits.highestBit
  }

  /// Returns the number of times of a day earlier than `second`, which is from 0 to 86,400.
  func timeCount(before second: Int) -> Int {
    let (hour, minute) = (second / 3_600, second / 60 % 60)
    let perMinute = secondBits.nonzeroBitCount
    var count = hourBits.bitCount(below: hour) * minuteBits.nonzeroBitCount * perMinute
    if hourBits >> UInt64(hour) & 1 == 1 {
      count += minuteBits.bitCount(below: minute) * perMinute
      if minuteBits >> UInt64(minute) & 1 == 1 { count += secondBits.bitCount(below: second % 60) }
    }
    return count
  }
}
