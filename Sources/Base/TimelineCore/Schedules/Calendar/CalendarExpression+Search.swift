extension CalendarExpression: CivilDayRule {
  /// The finest resolution in which seconds can be written.
  static var ticksPerSecond: Int { 1_000_000 }

  var weekdaysAlone: UInt64 { storage.weekdaysAlone }
  var monthBits: UInt64 { storage.months }
  var hourBits: UInt64 { storage.hours }
  var minuteBits: UInt64 { storage.minutes }
  var secondBits: UInt64 { storage.secondBits }

  /// The days of a month that match.
  func days(in month: CivilMonth) -> UInt64 {
    guard storage.months >> UInt64(month.month) & 1 == 1 else { return 0 }
    if let years = storage.years {
      let bit = month.year - CalendarStorage.years.lowerBound
      guard bit >= 0, bit < years.count * 64, years[bit / 64] >> UInt64(bit % 64) & 1 == 1 else { return 0 }
    }
    let weekdays = CronExpression.days(ofWeekdays: storage.fields.weekdays, firstWeekday: month.firstWeekday)
    return storage.days[month.dayCount - 28] & weekdays
  }

  /// The first time of a day from `tick` on.
  func firstTime(atOrAfter tick: Int) -> Int? {
    let (minute, rest) = tick.quotientAndRemainder(dividingBy: SecondsOfMinute.minute)
    if storage.matches(minute: minute) {
      let rank = storage.seconds.count(before: rest)
      if rank < storage.seconds.count { return minute * SecondsOfMinute.minute + storage.seconds[rank] }
    }
    return storage.firstMinute(from: minute + 1).map { $0 * SecondsOfMinute.minute + storage.seconds[0] }
  }

  /// The last time of a day up to `tick`.
  func lastTime(atOrBefore tick: Int) -> Int? {
    let (minute, rest) = tick.quotientAndRemainder(dividingBy: SecondsOfMinute.minute)
    if storage.matches(minute: minute) {
      let rank = storage.seconds.count(before: rest + 1)
      if rank > 0 { return minute * SecondsOfMinute.minute + storage.seconds[rank - 1] }
    }
    let last = storage.seconds[storage.seconds.count - 1]
    return storage.lastMinute(upTo: minute - 1).map { $0 * SecondsOfMinute.minute + last }
  }

  /// Returns the number of times of a day earlier than `tick`, which is from 0 to a whole day.
  func timeCount(before tick: Int) -> Int {
    let (minute, rest) = tick.quotientAndRemainder(dividingBy: SecondsOfMinute.minute)
    let perHour = storage.minutes.nonzeroBitCount
    var minuteCount = storage.hours.bitCount(below: minute / 60) * perHour
    if storage.hours >> UInt64(minute / 60) & 1 == 1 {
      minuteCount += storage.minutes.bitCount(below: minute % 60)
    }
    let count = minuteCount * storage.seconds.count
    return storage.matches(minute: minute) ? count + storage.seconds.count(before: rest) : count
  }

  /// Whether there is any match: looks at most at every month of the representable range.
  var canMatch: Bool {
    first(atOrAfter: Ticks<Self>.all.lowerBound, through: Ticks<Self>.all.upperBound) != nil
  }
}

// Minutes of a day, 0 to 1,439.
extension CalendarStorage {
  fileprivate func matches(minute: Int) -> Bool {
    hours >> UInt64(minute / 60) & minutes >> UInt64(minute % 60) & 1 == 1
  }

  fileprivate func firstMinute(from minute: Int) -> Int? {
    let hour = minute / 60
    if hours >> UInt64(hour) & 1 == 1, let found = minutes.firstBit(from: minute % 60) {
      return hour * 60 + found
    }
    return hours.firstBit(from: hour + 1).map { $0 * 60 + minutes.trailingZeroBitCount }
  }

  fileprivate func lastMinute(upTo minute: Int) -> Int? {
    guard minute >= 0 else { return nil }
    let hour = minute / 60
    if hours >> UInt64(hour) & 1 == 1, let found = minutes.lastBit(upTo: minute % 60) {
      return hour * 60 + found
    }
    return hours.lastBit(upTo: hour - 1).map { $0 * 60 + minutes.highestBit }
  }
}
