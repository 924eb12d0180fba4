/// English words for rules.
enum RuleWords {
  static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ]
  static let weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// `a, b and c`.
  static func list(_ parts: [String], _ word: String = "and") -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " \(word) \(last)"
  }

  /// Returns the numbers of a mask by name; three or more in a row are shortened to `a to b`.
  static func numbers(_ mask: UInt64, in range: ClosedRange<Int>, _ name: (Int) -> String = { "\($0)" })
    -> String
  {
    var parts: [String] = []
    var number = range.lowerBound
    while number <= range.upperBound {
      var end = number
      while end <= range.upperBound, mask >> UInt64(end) & 1 == 1 { end += 1 }
      if end - number > 2 {
        parts.append("\(name(number)) to \(name(end - 1))")
      } else {
        parts += (number..<end).map(name)
      }
      number = max(end, number + 1)
    }
    return list(parts)
  }

  /// Days of the week, Monday first.
  static func weekdays(_ mask: UInt64) -> String {
    numbers(mask | (mask & 1) << 7, in: 1...7) { weekdayNames[$0 % 7] }
  }

  /// The step with which a mask covers the whole range from its start and continues into the next range; `nil` if
  /// there is none.
  static func step(_ mask: UInt64, count: Int) -> Int? {
    (1...count / 2).first { step in
      count % step == 0
        && stride(from: 0, to: count, by: step).reduce(0 as UInt64) { $0 | 1 << UInt64($1) } == mask
    }
  }

  /// `every minute`, `every 15 minutes`.
  static func every(_ step: Int, _ unit: String) -> String {
    step == 1 ? "every \(unit)" : "every \(step) \(unit)s"
  }

  /// The times of a day from hours and minutes as masks; `second` is the only second.
  ///
  /// Lists up to six times; more are described by their fields.
  static func times(hours: UInt64, minutes: UInt64, second: Int) -> String {
    if hours.nonzeroBitCount * minutes.nonzeroBitCount <= 6 {
      let times = (0..<24 * 60).filter { (time: Int) -> Bool in
        let (hour, minute): (UInt64, UInt64) = (hours >> UInt64(time / 60), minutes >> UInt64(time % 60))
        return hour & minute & 1 == 1
      }
      return "at "
        + list(times.map { CivilTime(uncheckedSecondOfDay: $0 * 60 + second, nanosecond: 0).short })
    }
    let ofMinute = second == 0 ? "" : "at second \(second) of "
    let everyMinute = step(minutes, count: 60)
    let isEveryHour = hours == 0xFF_FFFF
    let noun = minutes.nonzeroBitCount == 1 ? "minute" : "minutes"
    if let everyMinute {
      let text = ofMinute + every(everyMinute, "minute")
      // "Every minute of every 4 hours" would read as every minute of the day.
      return isEveryHour ? text : "\(text) of \(hourNumbers(hours))"
    }
    if isEveryHour, minutes == 1, second == 0 { return "every hour" }
    let text = "\(ofMinute.isEmpty ? "at " : ofMinute)\(noun) \(numbers(minutes, in: 0...59))"
    return "\(text) of \(isEveryHour ? "every hour" : hoursText(hours))"
  }

  private static func hoursText(_ hours: UInt64) -> String {
    if let step = step(hours, count: 24) { return every(step, "hour") }
    return hourNumbers(hours)
  }

  private static func hourNumbers(_ hours: UInt64) -> String {
    (hours.nonzeroBitCount == 1 ? "hour " : "hours ") + numbers(hours, in: 0...23)
  }
}

extension CronExpression {
  /// The rule in words, without a zone.
  package var words: String {
    var words = ""
    var second = 0
    if secondBits.nonzeroBitCount == 1 {
      second = secondBits.trailingZeroBitCount
    } else if let step = RuleWords.step(secondBits, count: 60) {
      words = RuleWords.every(step, "second") + ", "
    } else {
      words = "at seconds \(RuleWords.numbers(secondBits, in: 0...59)), "
    }
    words += RuleWords.times(hours: hourBits, minutes: minuteBits, second: second)
    return "\(words) \(dayWords)\(monthWords)"
  }

  private var monthWords: String {
    if monthBits == 0x1FFE { return "" }
    return " in " + RuleWords.numbers(monthBits, in: 1...12) { RuleWords.monthNames[$0 - 1] }
  }

  private var dayWords: String {
    let isEveryDay = dayOfMonthBits == 0xFFFF_FFFE
    let isEveryWeekday = dayOfWeekBits == 0x7F
    let (month, week) = (monthDayWords, weekdayWords)
    if needsBothDays {
      if isEveryDay && isEveryWeekday { return "on every day" }
      if isEveryDay { return "on \(week)" }
      return isEveryWeekday ? "on \(month)" : "on \(month), if it is \(week)"
    }
    return isEveryDay || isEveryWeekday ? "on every day" : "on \(month) or on \(week)"
  }

  private var monthDayWords: String {
    var parts: [String] = []
    let numbers = RuleWords.numbers(dayOfMonthBits, in: 1...31)
    if !numbers.isEmpty { parts.append("day \(numbers)") }
    if calendarDays.hasLastDay { parts.append("the last day") }
    if calendarDays.hasLastWorkday { parts.append("the last workday") }
    let nearest = RuleWords.numbers(UInt64(calendarDays.nearestWorkdays), in: 1...31)
    if !nearest.isEmpty { parts.append("the workday nearest to day \(nearest)") }
    return RuleWords.list(parts) + " of the month"
  }

  private var weekdayWords: String {
    var parts: [String] = []
    if dayOfWeekBits != 0 { parts.append(RuleWords.weekdays(dayOfWeekBits)) }
    if calendarDays.lastWeekdays != 0 {
      parts.append("the last \(RuleWords.weekdays(UInt64(calendarDays.lastWeekdays)))")
    }
    for (week, name) in ["first", "second", "third", "fourth", "fifth"].enumerated() {
      let weekdays = calendarDays.numberedWeekdays >> UInt64(8 * week) & 0x7F
      if weekdays != 0 { parts.append("the \(name) \(RuleWords.weekdays(weekdays))") }
    }
    return RuleWords.list(parts)
  }
}
