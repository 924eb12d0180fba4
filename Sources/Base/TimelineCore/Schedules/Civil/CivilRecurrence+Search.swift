// Each question is arithmetic: it looks only at days that can match. A month without the day is one step more.
extension CivilRecurrence: CivilRule {
  /// Matches lie on whole seconds.
  static var ticksPerSecond: Int { 1 }

  /// The rule names each time of the day.
  var fixesTimeOfDay: Bool { true }

  /// Times can have different seconds, such as 02:00:10 and 02:30:20.
  static var hasSameSecondsInEveryMinute: Bool { false }

  /// The first match from `local` on, if it is not later than `limit`; never allocates.
  func first(atOrAfter local: Int, through limit: Int) -> Int? {
    let (today, lastDay) = (local.flooredQuotient(by: 86_400), limit.flooredQuotient(by: 86_400))
    guard var day = firstDay(atOrAfter: today, through: lastDay) else { return nil }
    var second = seconds[0]
    if day == today {
      if let later = seconds.first(where: { $0 >= local - today * 86_400 }) {
        second = later
      } else if let next = firstDay(atOrAfter: today + 1, through: lastDay) {
        day = next
      } else {
        return nil
      }
    }
    let found = day * 86_400 + second
    return found <= limit ? found : nil
  }

  /// The last match up to `local`, if it is not earlier than `limit`; never allocates.
  func last(atOrBefore local: Int, from limit: Int) -> Int? {
    let today = local.flooredQuotient(by: 86_400)
    guard var day = lastDay(atOrBefore: today) else { return nil }
    var second = seconds[seconds.count - 1]
    if day == today {
      if let earlier = seconds.last(where: { $0 <= local - today * 86_400 }) {
        second = earlier
      } else if let previous = lastDay(atOrBefore: today - 1) {
        day = previous
      } else {
        return nil
      }
    }
    let found = day * 86_400 + second
    return found >= limit ? found : nil
  }

  /// Returns the number of matches from `first` through `last`.
  func count(from first: Int, through last: Int) -> Int {
    guard first <= last else { return 0 }
    let (begin, end) = (first.flooredQuotient(by: 86_400), last.flooredQuotient(by: 86_400))
    var total = dayCount(from: begin, through: end) * seconds.count
    if dayCount(from: begin, through: begin) > 0 {
      total -= seconds.count { $0 < first - begin * 86_400 }
    }
    if dayCount(from: end, through: end) > 0 {
      total -= seconds.count { $0 > last - end * 86_400 }
    }
    return total
  }
}

// Days since 1970-01-01.
extension CivilRecurrence {
  /// The first matching day from `day` on; `nil` if it is later than `limit`.
  private func firstDay(atOrAfter day: Int, through limit: Int) -> Int? {
    let day = max(day, from.daysSinceEpoch)
    let found: Int
    switch unit {
    case .days:
      found = anchor + (day - anchor + every - 1) / every * every
    case .weeks:
      let (week, past) = (day - anchor).quotientAndRemainder(dividingBy: 7 * every)
      if past < 7, let bit = bitsOfWeek.firstBit(from: past) {
        found = anchor + week * 7 * every + bit
      } else {
        found = anchor + (week + 1) * 7 * every + bitsOfWeek.trailingZeroBitCount
      }
    case .months, .years:
      var step = stepCount(before: day)
      while true {
        let month = month(after: step)
        if let match = match(in: month), match >= day {
          found = match
          break
        }
        guard month.first <= limit else { return nil }
        step += 1
      }
    }
    return found <= limit ? found : nil
  }

  /// The last matching day up to `day`.
  private func lastDay(atOrBefore day: Int) -> Int? {
    guard day >= from.daysSinceEpoch else { return nil }
    switch unit {
    case .days:
      return day - (day - anchor) % every
    case .weeks:
      let (week, past) = (day - anchor).quotientAndRemainder(dividingBy: 7 * every)
      let begin = anchor + week * 7 * every
      let found =
        bitsOfWeek.lastBit(upTo: min(past, 6)).map { begin + $0 } ?? begin - 7 * every + bitsOfWeek.highestBit
      return found >= from.daysSinceEpoch ? found : nil
    case .months, .years:
      // The first date matches, so that the search ends there.
      var step = stepCount(before: day)
      while true {
        if let match = match(in: month(after: step)), match <= day { return match }
        guard step > 0 else { return nil }
        step -= 1
      }
    }
  }

  /// Returns the number of matching days from `begin` through `end`; for months that are left out, one step for each month.
  private func dayCount(from begin: Int, through end: Int) -> Int {
    let begin = max(begin, from.daysSinceEpoch)
    guard begin <= end else { return 0 }
    switch unit {
    case .days:
      return (end - anchor) / every - (begin - anchor + every - 1) / every + 1
    case .weeks:
      return weekdayCount(before: end + 1) - weekdayCount(before: begin)
    case .months, .years:
      let (low, high) = (stepCount(before: begin), stepCount(before: end))
      if shortMonth == .skip, low < high {
        return (low...high).count { step in match(in: month(after: step)).map { begin...end ~= $0 } ?? false }
      }
      func isMatch(_ step: Int) -> Bool { match(in: month(after: step)).map { begin...end ~= $0 } ?? false }
      if low == high { return isMatch(low) ? 1 : 0 }
      return high - low - 1 + (isMatch(low) ? 1 : 0) + (isMatch(high) ? 1 : 0)
    }
  }

  /// The weekdays of a matching week, bit 0 for the first day of the week.
  private var bitsOfWeek: UInt64 { (weekdayBits | weekdayBits << 7) >> UInt64(weekStart.rawValue % 7) & 0x7F }

  /// Returns the number of matching days of all weeks from ``anchor`` on that are earlier than `day`, before ``from`` too.
  private func weekdayCount(before day: Int) -> Int {
    let (week, past) = (day - anchor).quotientAndRemainder(dividingBy: 7 * every)
    return week * bitsOfWeek.nonzeroBitCount + bitsOfWeek.bitCount(below: min(past, 7))
  }
}

// Months and years: a year is twelve months.
extension CivilRecurrence {
  /// A month in which a day can match: its first day since 1970-01-01, and its length.
  private typealias Month = (first: Int, dayCount: Int)

  private var monthsPerStep: Int { unit == .years ? 12 * every : every }

  /// Returns the number of whole steps from the first month to the month that holds `day`, which is not earlier.
  private func stepCount(before day: Int) -> Int {
    let date = CivilDate(uncheckedDaysSinceEpoch: day)
    return ((date.year - from.year) * 12 + date.month - from.month) / monthsPerStep
  }

  private func month(after step: Int) -> Month {
    let (year, month) = (from.year * 12 + from.month - 1 + step * monthsPerStep)
      .quotientAndRemainder(dividingBy: 12)
    return (
      CivilDate.daysSinceEpoch(year: year, month: month + 1, day: 1),
      CivilDate.dayCount(ofMonth: month + 1, inYear: year)
    )
  }

  private func match(in month: Month) -> Int? {
    if from.day <= month.dayCount { return month.first + from.day - 1 }
    return shortMonth == .last ? month.first + month.dayCount - 1 : nil
  }
}
