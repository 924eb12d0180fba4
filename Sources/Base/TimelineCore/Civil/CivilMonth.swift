/// A month, represented by the day before its first day, so that a step to the next month is an addition.
struct CivilMonth {
  private(set) var year: Int
  private(set) var month: Int
  /// Days from 1970-01-01 to the day before the first day of the month.
  private(set) var dayBefore: Int
  private(set) var dayCount: Int

  init(holding day: Int) {
    let date = CivilDate(uncheckedDaysSinceEpoch: day)
    (year, month, dayBefore) = (date.year, date.month, day - date.day)
    dayCount = CivilDate.dayCount(ofMonth: date.month, inYear: date.year)
  }

  private init(year: Int, month: Int) {
    (self.year, self.month) = (year, month)
    dayBefore = CivilDate.daysSinceEpoch(year: year, month: month, day: 0)
    dayCount = CivilDate.dayCount(ofMonth: month, inYear: year)
  }

  /// The weekday of the first day, 0 for Sunday; 1970-01-01 was a Thursday.
  var firstWeekday: Int { CivilDate.weekdayIndex(dayBefore + 1) }

  mutating func advance() {
    dayBefore += dayCount
    (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
    dayCount = CivilDate.dayCount(ofMonth: month, inYear: year)
  }

  /// Advances to the next of `months`, bit 1 for January; at least one bit must be set.
  mutating func advance(toOneOf months: UInt64) {
    let later = months & (~0 << UInt64(month + 1))
    if later >> UInt64(month + 1) & 1 == 1 {
      advance()
    } else {
      self =
        later != 0
        ? CivilMonth(year: year, month: later.trailingZeroBitCount)
        : CivilMonth(year: year + 1, month: months.trailingZeroBitCount)
    }
  }

  /// Goes back to the last of `months` before this one.
  mutating func retreat(toOneOf months: UInt64) {
    let earlier = months & (1 << UInt64(month) - 1)
    self =
      earlier != 0
      ? CivilMonth(year: year, month: earlier.highestBit)
      : CivilMonth(year: year - 1, month: months.highestBit)
  }
}

extension UInt64 {
  /// The lowest set bit at or above `index`, 0 to 63; `nil` if there is none.
  func firstBit(from index: Int) -> Int? {
    let rest = self & (~0 << UInt64(index))
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// The highest set bit at or below `index`, -1 to 62; `nil` if there is none.
  func lastBit(upTo index: Int) -> Int? {
    let rest = self & (1 << UInt64(index + 1) - 1)
    return rest == 0 ? nil : rest.highestBit
  }

  /// The highest set bit. At least one bit must be set.
  var highestBit: Int { 63 - leadingZeroBitCount }

  /// Returns the number of set bits below `index`, which is from 0 to 63.
  func bitCount(below index: Int) -> Int { (self & (1 << UInt64(index) - 1)).nonzeroBitCount }
}
