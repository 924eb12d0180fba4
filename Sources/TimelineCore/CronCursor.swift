/// Walks the entries of a cron rule one after the other where no change of the clocks is near.
///
/// Every other entry is the business of the schedule's search. Between changes a day is the same three sets of bits
/// again and again, so that a step takes the lowest bit that is left, and no division.
struct CronCursor: Sendable {
  private let expression: CronExpression
  /// Seconds from local midnight to that of UTC.
  private let offset: Int
  /// The last second, since the epoch, of which the cursor knows.
  private let end: Int

  private var month: CivilMonth
  /// What is left of the month, the day, the hour and the minute.
  private var days: UInt64
  private var hours: UInt64
  private var minutes: UInt64
  private var seconds: UInt64
  /// When the day, the hour and the minute began, in seconds since the epoch.
  private var dayStart: Int
  private var hourStart: Int
  private var minuteStart: Int

  /// Goes on behind an entry of `schedule`; `nil` where a change of the clocks is near.
  init?(behind entry: WallInstant, of schedule: CronSchedule) {
    guard let quiet = schedule.zone.storage.quietStretch(around: entry) else { return nil }
    let second = Int(entry.nanosecondsSinceEpoch / 1_000_000_000)
    let local = second + quiet.offset
    let day = local.flooredQuotient(by: 86_400)
    let time = local - day * 86_400
    expression = schedule.expression
    offset = quiet.offset
    end = quiet.lastSecond
    month = CivilMonth(holding: day)
    days = expression.days(in: month).bits(above: day - month.dayBefore)
    hours = expression.hours.mask.bits(above: time / 3_600)
    minutes = expression.minutes.mask.bits(above: time / 60 % 60)
    seconds = expression.seconds.mask.bits(above: time % 60)
    dayStart = second - time
    hourStart = second - time % 3_600
    minuteStart = second - time % 60
  }

  /// The next entry, in seconds since the epoch; `nil` where the search has to say.
  @inline(__always)
  mutating func next() -> Int? {
    if seconds == 0 {
      if minutes == 0, !beginHour() { return nil }
      minuteStart = hourStart + 60 * minutes.popLowest()
      seconds = expression.seconds.mask
    }
    let found = minuteStart + seconds.popLowest()
    return found <= end ? found : nil
  }

  private mutating func beginHour() -> Bool {
    if hours == 0, !beginDay() { return false }
    hourStart = dayStart + 3_600 * hours.popLowest()
    minutes = expression.minutes.mask
    return true
  }

  private mutating func beginDay() -> Bool {
    while days == 0 {
      month.advance()
      guard (month.dayBefore + 1) * 86_400 - offset <= end else { return false }
      days = expression.days(in: month)
    }
    dayStart = (month.dayBefore + days.popLowest()) * 86_400 - offset
    hours = expression.hours.mask
    return true
  }
}

extension UInt64 {
  /// The bits higher than `bit`, 0 to 62.
  fileprivate func bits(above bit: Int) -> UInt64 { self & (~0 << UInt64(bit + 1)) }

  /// Takes the lowest bit out and gives its number; there must be one.
  @inline(__always)
  fileprivate mutating func popLowest() -> Int {
    let lowest = trailingZeroBitCount
    self &= self - 1
    return lowest
  }
}
