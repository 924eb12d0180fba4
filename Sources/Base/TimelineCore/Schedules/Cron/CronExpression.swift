/// A rule in the language of crontab(5): the seconds, minutes, hours, days and months at which a job runs, without a
/// zone.
///
/// Read from text by ``init(parsing:)`` and printed in one canonical form. At least one day matches: the parser refuses a
/// rule without a match, for example 30 February. With a ``Zone`` it becomes a ``CronSchedule``.
public struct CronExpression: Sendable, Hashable {
  // Bit n for the number n; day of the week 7 is stored as 0, Sunday.
  let minuteBits: UInt64
  /// Parts that few rules have; `nil` for second 0 and for days that are numbers.
  private let rarities: Rarities?
  private let hourMask: UInt32
  private let dayMask: UInt32
  private let monthMask: UInt16
  private let weekdayMask: UInt8
  /// Bit n for the field with that raw value: whether it was written with a leading `*`.
  private let stars: UInt8
  private let weekdayMaskAlone: UInt8

  /// Seconds and days of the calendar. A separate object, because 100,000 rules may be in memory and few have them.
  private final class Rarities: Sendable, Hashable {
    let secondBits: UInt64
    let calendarDays: CronCalendarDays

    init(_ secondBits: UInt64, _ calendarDays: CronCalendarDays) {
      self.secondBits = secondBits
      self.calendarDays = calendarDays
    }

    static func == (left: Rarities, right: Rarities) -> Bool {
      left.secondBits == right.secondBits && left.calendarDays == right.calendarDays
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(secondBits)
      hasher.combine(calendarDays)
    }
  }

  /// Makes the rule from the values of its fields, in order.
  init(fields: [CronFieldValue], calendarDays: CronCalendarDays) {
    let secondBits = fields[CronField.second.rawValue].mask
    rarities = secondBits == 1 && calendarDays.isEmpty ? nil : Rarities(secondBits, calendarDays)
    minuteBits = fields[CronField.minute.rawValue].mask
    hourMask = UInt32(fields[CronField.hour.rawValue].mask)
    dayMask = UInt32(fields[CronField.dayOfMonth.rawValue].mask)
    monthMask = UInt16(fields[CronField.month.rawValue].mask)
    weekdayMask = UInt8(fields[CronField.dayOfWeek.rawValue].mask)
    stars = CronField.allCases.reduce(0) {
      $0 | (fields[$1.rawValue].beginsWithStar ? 1 << UInt8($1.rawValue) : 0)
    }
    let isEveryDate = dayMask == 0xFFFF_FFFE && monthMask == 0x1FFE && calendarDays.isEmpty
    let needsBothDays = [CronField.dayOfMonth, .dayOfWeek].contains { fields[$0.rawValue].beginsWithStar }
    weekdayMaskAlone = isEveryDate ? needsBothDays ? weekdayMask : 0x7F : 0
  }

  /// Whether every program that reads crontabs accepts the rule: its second is 0, and its days are numbers.
  var isPlain: Bool { rarities == nil }

  var secondBits: UInt64 { rarities?.secondBits ?? 1 }
  /// Days that depend on the calendar of a month, for example `L`; usually none.
  var calendarDays: CronCalendarDays { rarities?.calendarDays ?? CronCalendarDays() }
  var hourBits: UInt64 { UInt64(hourMask) }
  var dayOfMonthBits: UInt64 { UInt64(dayMask) }
  var monthBits: UInt64 { UInt64(monthMask) }
  var dayOfWeekBits: UInt64 { UInt64(weekdayMask) }
  /// The weekdays, if the weekday alone decides whether a day matches; 0 if the date counts too.
  var weekdaysAlone: UInt64 { UInt64(weekdayMaskAlone) }

  /// Whether the rule names times of the day, which a clock change can skip or repeat.
  ///
  /// True if neither its minute nor its hour field begins with `*`. All other rules follow real time (Debian's cron(8),
  /// "Notes").
  public var fixesTimeOfDay: Bool { !beginsWithStar(.minute) && !beginsWithStar(.hour) }

  /// Whether the field was written with a leading `*`, which its numbers alone do not show.
  func beginsWithStar(_ field: CronField) -> Bool { stars >> UInt8(field.rawValue) & 1 == 1 }

  /// Returns the value written in a field.
  func value(of field: CronField) -> CronFieldValue {
    let mask =
      switch field {
      case .second: secondBits
      case .minute: minuteBits
      case .hour: hourBits
      case .dayOfMonth: dayOfMonthBits
      case .month: monthBits
      case .dayOfWeek: dayOfWeekBits
      }
    return CronFieldValue(mask: mask, beginsWithStar: beginsWithStar(field))
  }
}

/// The numbers that one field allows.
struct CronFieldValue: Sendable, Hashable {
  /// Bit n for the number n; day of the week 7 is stored as 0, Sunday.
  var mask: UInt64 = 0
  /// Whether the field was written with a leading `*`, which its numbers alone do not show.
  var beginsWithStar = false
}

/// The days that a rule names by their place in the month.
struct CronCalendarDays: Sendable, Hashable {
  /// `5#2`: bit n of byte k - 1 for the k-th weekday n of the month, k from 1 to 5.
  var numberedWeekdays: UInt64 = 0
  /// `15W`: bit n for the day from Monday to Friday that is nearest to day n, in the same month.
  var nearestWorkdays: UInt32 = 0
  /// `5L`: bit n for the last weekday n of the month.
  var lastWeekdays: UInt8 = 0
  /// `L`: the last day of the month.
  var hasLastDay = false
  /// `LW`: the last day from Monday to Friday.
  var hasLastWorkday = false

  /// Whether the rule has no calendar days, as in most rules.
  var isEmpty: Bool {
    numberedWeekdays == 0 && nearestWorkdays == 0 && lastWeekdays == 0 && !hasLastDay && !hasLastWorkday
  }
}

extension CronExpression {
  /// The days that match in a month whose first day is `firstWeekday`, 0 for Sunday: bit d for day d.
  ///
  /// If the day of the month or the day of the week begins with `*`, a day must match both fields; otherwise it must
  /// match one of them (Debian's crontab(5)).
  func days(firstWeekday: Int, count: Int) -> UInt64 {
    var ofMonth = dayOfMonthBits
    var ofWeek = Self.days(ofWeekdays: dayOfWeekBits, firstWeekday: firstWeekday)
    if let calendarDays = rarities?.calendarDays, !calendarDays.isEmpty {
      ofMonth |= calendarDays.daysOfMonth(firstWeekday: firstWeekday, count: count)
      ofWeek |= calendarDays.daysOfWeek(firstWeekday: firstWeekday, count: count)
    }
    return (needsBothDays ? ofMonth & ofWeek : ofMonth | ofWeek) & (2 << UInt64(count) - 2)
  }

  /// Whether a day must match both of its fields, and not just one.
  var needsBothDays: Bool { beginsWithStar(.dayOfMonth) || beginsWithStar(.dayOfWeek) }

  /// The days 1 to 35 that fall on `weekdays`, bit 0 for Sunday, in a month that begins with `firstWeekday`.
  static func days(ofWeekdays weekdays: UInt64, firstWeekday: Int) -> UInt64 {
    let week = (weekdays | weekdays << 7) >> UInt64(firstWeekday) & 0x7F
    return (week | week << 7 | week << 14 | week << 21 | week << 28) << 1
  }

  /// Whether a day of any year matches. Only 14 kinds of years exist.
  var canMatch: Bool {
    (1...12).contains { month in
      guard monthBits >> UInt64(month) & 1 == 1 else { return false }
      let longest = CivilDate.dayCount(ofMonth: month, inYear: 2_000)
      let shortest = CivilDate.dayCount(ofMonth: month, inYear: 2_001)
      return (shortest...longest).contains { count in
        (0..<7).contains { days(firstWeekday: $0, count: count) != 0 }
      }
    }
  }
}

extension CronCalendarDays {
  /// The days of `L`, `LW` and `15W`; a month without day n has no workday near it.
  fileprivate func daysOfMonth(firstWeekday: Int, count: Int) -> UInt64 {
    var days: UInt64 = 0
    if hasLastDay { days |= 1 << UInt64(count) }
    if hasLastWorkday {
      let weekday = (firstWeekday + count - 1) % 7
      days |= 1 << UInt64(count - (weekday == 6 ? 1 : weekday == 0 ? 2 : 0))
    }
    var rest = nearestWorkdays
    while rest != 0 {
      let day = rest.trailingZeroBitCount
      rest &= rest - 1
      guard day <= count else { break }
      switch (firstWeekday + day - 1) % 7 {
      case 6: days |= 1 << UInt64(day == 1 ? 3 : day - 1)
      case 0: days |= 1 << UInt64(day == count ? day - 2 : day + 1)
      default: days |= 1 << UInt64(day)
      }
    }
    return days
  }

  /// The days of `5L` and `5#2`.
  fileprivate func daysOfWeek(firstWeekday: Int, count: Int) -> UInt64 {
    let last = CronExpression.days(ofWeekdays: UInt64(lastWeekdays), firstWeekday: firstWeekday)
    var days = last & (0x7F << UInt64(count - 6))
    for week in UInt64(0)..<5 {
      let weekdays = numberedWeekdays >> (8 * week) & 0x7F
      let all = CronExpression.days(ofWeekdays: weekdays, firstWeekday: firstWeekday)
      days |= all & (0xFE << (7 * week))
    }
    return days
  }
}
