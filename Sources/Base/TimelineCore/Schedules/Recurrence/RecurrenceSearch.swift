/// The matches of a recurrence: for days and longer units in local seconds since 1970, for hours and shorter ones in seconds of UTC.
///
/// Days are sets of bits by month, times are sorted arrays that are made once. A search visits only months that the rule names,
/// and no day that cannot match.
struct RecurrenceSearch: Sendable {
  let frequency: RecurrenceParts.Frequency
  let interval: Int
  /// The first day of a week, 0 for Sunday.
  let weekStart: Int
  /// The first date: year, month, day since 1970, and the first day of its week.
  let fromYear: Int
  let fromMonth: Int
  let fromDay: Int
  let fromWeek: Int

  // The sets of days; 0 or empty for a part that is not given. Bit n for the number n.
  var monthBits: UInt64 = 0x1FFE
  var weekdays: UInt64 = 0
  /// Days of the week with a number: for each day of the week bit n for the n-th, from Sunday on; empty without them.
  var dayNumbers: [UInt64] = []
  /// Bit n for the n-th last day.
  var dayNumbersFromEnd: [UInt64] = []
  /// Whether ``dayNumbers`` count within the year.
  var countsWithinYear = false
  var monthDays: UInt64 = 0
  /// Bit 32 - n for the n-th last day.
  var monthDaysFromEnd: UInt64 = 0
  /// 384 bits; empty without them.
  var yearDays: [UInt64] = []
  /// Bit 367 - n for the n-th last day.
  var yearDaysFromEnd: [UInt64] = []
  var weeks: UInt64 = 0
  /// Bit n for the n-th last week.
  var weeksFromEnd: UInt64 = 0

  /// The times of a matching day in seconds, ascending; for hours and minutes the seconds of one.
  var times: [Int] = []
  /// The elements of the set of a week, month or year that match, ascending; empty for all.
  var positions: [Int] = []

  /// The first and the last second that can match.
  var begin = 0
  var end = Int.max
  /// Matches beside the rule, and matches of the rule that are left out; ascending.
  var added: [Int] = []
  var removed: [Int] = []
  /// For each of ``removed`` the nearest later match that is not left out, and the nearest earlier one.
  var laterThanRemoved: [Int] = []
  var earlierThanRemoved: [Int] = []

  // For hours and shorter units.
  /// The seconds of a unit; 0 for days and longer ones.
  var unit = 0
  /// The zone, and its offset at the first time.
  var zone = Zone.utc
  var offset = 0
  var hourBits: UInt64 = 0xFF_FFFF
  var minuteBits: UInt64 = 1 << 60 - 1
  /// The length in which ``times`` repeat; 0 without times.
  var modulus = 0
  /// Whether ``times`` are those that clocks show, and not counted from the first time.
  var usesClock = false
  /// The offsets of the zone at which no unit of ``interval`` matches the weekdays and the time that clocks show.
  var idleOffsets: [Int] = []

  /// The largest number of steps of a search: as many as take a millisecond.
  static let stepMax = 20_000

  private var hasYearDays: Bool { !yearDays.isEmpty }
  private var hasWeeks: Bool { weeks | weeksFromEnd != 0 }
}

// The days of a month.
extension RecurrenceSearch {
  /// Returns the matching days of a month before ``positions``: bit d for day d.
  @inline(never)
  func days(in month: CivilMonth) -> UInt64 {
    guard monthBits >> UInt64(month.month) & 1 == 1 else { return 0 }
    let all = 2 << UInt64(month.dayCount) - 2 as UInt64
    var days = all
    if interval > 1 {
      switch frequency {
      case .yearly: if !hasWeeks, (month.year - fromYear) % interval != 0 { return 0 }
      case .monthly:
        if ((month.year - fromYear) * 12 + month.month - fromMonth) % interval != 0 { return 0 }
      case .weekly: days &= Self.progression(from: fromWeek, by: 7 * interval, of: 0x7F, in: month)
      case .daily: days &= Self.progression(from: fromDay, by: interval, of: 1, in: month)
      case .hourly, .minutely, .secondly: break
      }
    }
    if monthDays | monthDaysFromEnd != 0 {
      days &= monthDays | monthDaysFromEnd >> UInt64(31 - month.dayCount)
    }
    if weekdays != 0 || !dayNumbers.isEmpty {
      var set = CronExpression.days(ofWeekdays: weekdays, firstWeekday: month.firstWeekday)
      if !dayNumbers.isEmpty, days != 0 { set |= daysOfNumbers(in: month) }
      days &= set
    }
    if days != 0, hasYearDays {
      let first = CivilDate.daysSinceEpoch(year: month.year, month: 1, day: 1)
      let before = month.dayBefore + 1 - first
      let fromEnd = before + (CivilDate.isLeap(year: month.year) ? 0 : 1)
      days &= Self.bits(of: yearDays, from: before) | Self.bits(of: yearDaysFromEnd, from: fromEnd)
    }
    if days != 0, hasWeeks { days &= daysOfWeeks(in: month) }
    return days
  }

  /// Returns the days of runs that repeat: `run` has bit 0 for the first day of one.
  private static func progression(
    from anchor: Int, by step: Int, of run: UInt64, in month: CivilMonth
  ) -> UInt64 {
    let first = month.dayBefore + 1
    var day = first - (first - anchor - (first - anchor).flooredQuotient(by: step) * step)
    var days: UInt64 = 0
    while day <= month.dayBefore + month.dayCount {
      days |= run << (day - month.dayBefore)
      day += step
    }
    return days
  }

  /// Returns 64 bits of a set, from bit `first` on.
  private static func bits(of words: [UInt64], from first: Int) -> UInt64 {
    let (index, shift) = (first / 64, first % 64)
    return words[index] >> shift | (index + 1 < words.count ? words[index + 1] << (64 - shift) : 0)
  }

  private func daysOfNumbers(in month: CivilMonth) -> UInt64 {
    var (first, count) = (month.dayBefore + 1, month.dayCount)
    if countsWithinYear {
      first = CivilDate.daysSinceEpoch(year: month.year, month: 1, day: 1)
      count = CivilDate.isLeap(year: month.year) ? 366 : 365
    }
    let firstWeekday = CivilDate.weekdayIndex(first)
    var days: UInt64 = 0
    for weekday in 0..<7 where dayNumbers[weekday] | dayNumbersFromEnd[weekday] != 0 {
      let total = (count - 1 - (weekday - firstWeekday + 7) % 7) / 7 + 1
      var day = (weekday - month.firstWeekday + 7) % 7 + 1
      while day <= month.dayCount {
        let number = (month.dayBefore + day - first) / 7 + 1
        let isNamed =
          dayNumbers[weekday] >> UInt64(number) | dayNumbersFromEnd[weekday] >> UInt64(total + 1 - number)
        days |= (isNamed & 1) << UInt64(day)
        day += 7
      }
    }
    return days
  }

  private func daysOfWeeks(in month: CivilMonth) -> UInt64 {
    // A month has weeks of two years at most.
    var year = weekYear(of: month.dayBefore + 1)
    var (start, next) = (firstWeek(ofYear: year), firstWeek(ofYear: year + 1))
    var week = start + (month.dayBefore + 1 - start) / 7 * 7
    var days: UInt64 = 0
    while week <= month.dayBefore + month.dayCount {
      if week >= next {
        year += 1
        (start, next) = (next, firstWeek(ofYear: year + 1))
      }
      let (number, count) = ((week - start) / 7 + 1, (next - start) / 7)
      if (year - fromYear) % interval == 0,
        (weeks >> UInt64(number) | weeksFromEnd >> UInt64(count + 1 - number)) & 1 == 1
      {
        days |= 0x7F << (week - month.dayBefore)
      }
      week += 7
    }
    return days
  }

  /// The first day of week 1: the week that holds 4 January.
  private func firstWeek(ofYear year: Int) -> Int {
    self.week(holding: CivilDate.daysSinceEpoch(year: year, month: 1, day: 4))
  }

  private func weekYear(of day: Int) -> Int {
    let year = CivilDate(uncheckedDaysSinceEpoch: day).year
    return day >= firstWeek(ofYear: year + 1) ? year + 1 : day < firstWeek(ofYear: year) ? year - 1 : year
  }

  /// The first day of the week that holds `day`.
  private func week(holding day: Int) -> Int { day - (CivilDate.weekdayIndex(day) - weekStart + 7) % 7 }

  /// Returns the days of the week, month or year that holds `day`.
  @inline(never)
  func period(holding day: Int) -> Range<Int> {
    switch frequency {
    case .weekly:
      let week = week(holding: day)
      return week..<week + 7
    case .monthly:
      let month = CivilMonth(holding: day)
      return month.dayBefore + 1..<month.dayBefore + 1 + month.dayCount
    default:
      if hasWeeks {
        let year = weekYear(of: day)
        return firstWeek(ofYear: year)..<firstWeek(ofYear: year + 1)
      }
      let year = CivilDate(uncheckedDaysSinceEpoch: day).year
      return CivilDate.daysSinceEpoch(
        year: year, month: 1, day: 1)..<CivilDate.daysSinceEpoch(
          year: year + 1, month: 1, day: 1)
    }
  }

  /// The first matching day from `day` on, before ``positions``; `nil` if it is later than `last`.
  @inline(never)
  func firstDay(atOrAfter day: Int, through last: Int) -> Int? {
    guard day <= last else { return nil }
    var month = CivilMonth(holding: day)
    var days = days(in: month) & ~0 << UInt64(day - month.dayBefore)
    while days == 0 {
      month.advance(toOneOf: monthBits)
      guard month.dayBefore < last else { return nil }
      days = self.days(in: month)
    }
    let found = month.dayBefore + days.trailingZeroBitCount
    return found <= last ? found : nil
  }

  /// The last matching day up to `day`, before ``positions``; `nil` if it is earlier than `first`.
  @inline(never)
  func lastDay(atOrBefore day: Int, from first: Int) -> Int? {
    guard day >= first else { return nil }
    var month = CivilMonth(holding: day)
    var days = days(in: month) & (2 << UInt64(day - month.dayBefore) - 1)
    while days == 0 {
      guard month.dayBefore >= first else { return nil }
      month.retreat(toOneOf: monthBits)
      days = self.days(in: month)
    }
    let found = month.dayBefore + days.highestBit
    return found >= first ? found : nil
  }
}

extension [Int] {
  /// Returns the number of elements less than `value`; the array must ascend.
  func rank(of value: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
