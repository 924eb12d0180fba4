import TimelineCore

/// The matches of a rule by the letter of RFC 5545, section 3.3.10, from a walk over every day of each period. It shares no code with
/// the search.
struct RecurrenceReference {
  private var parts: [String: [String]] = [:]
  private var numbers: [String: [Int]] = [:]
  private let from: CivilDateTime

  init(_ text: String, from: CivilDateTime) {
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=")
      parts[String(sides[0])] = sides[1].split(separator: ",").map(String.init)
      numbers[String(sides[0])] = sides[1].split(separator: ",").compactMap { Int($0) }
    }
    self.from = from
  }

  private func numbers(_ name: String) -> [Int]? { numbers[name] }
  private func numbers(_ name: String, or value: Int) -> [Int] { numbers(name) ?? [value] }

  private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
  private var frequency: String { parts["FREQ"]?[0] ?? "" }
  private var interval: Int { Int(parts["INTERVAL"]?[0] ?? "1") ?? 1 }
  private var weekStart: Int { (Self.weekdays.firstIndex(of: parts["WKST"]?[0] ?? "MO") ?? 0) + 1 }

  static func seconds(_ civil: CivilDateTime) -> Int {
    civil.date.daysSinceEpoch * 86_400 + civil.time.secondOfDay
  }

  private static let epoch = CivilDateTime(WallInstant.epoch, offset: 0).date

  private static func date(_ day: Int) -> CivilDate { CivilDate(daysSinceEpoch: day) ?? epoch }

  private static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
    CivilDate(year: year, month: month, day: day) ?? epoch
  }

  /// Whether one of `numbers` names element `index`, counted from 1, of `count`.
  private func names(_ numbers: [Int], _ index: Int, of count: Int) -> Bool {
    numbers.contains(index) || numbers.contains(index - count - 1)
  }

  /// The days of the weeks of a year: week 1 is the first with four days of the year.
  private func week(of day: Int, inYear year: Int) -> (number: Int, count: Int)? {
    func begin(_ year: Int) -> Int {
      var day = Self.date(year, 1, 1).daysSinceEpoch - 6
      while Self.date(day).weekday.rawValue != weekStart
        || (0..<7).count(where: { Self.date(day + $0).year == year }) < 4
      {
        day += 1
      }
      return day
    }
    let (first, next) = (begin(year), begin(year + 1))
    return first <= day && day < next ? ((day - first) / 7 + 1, (next - first) / 7) : nil
  }

  /// Whether BYDAY names a day of the week, alone or by its number within the month or the year.
  private func isWeekday(_ date: CivilDate, withinYear: Bool) -> Bool {
    guard let days = parts["BYDAY"] else { return true }
    return days.contains { text in
      guard Self.weekdays[date.weekday.rawValue - 1] == text.suffix(2) else { return false }
      guard let number = Int(text.dropLast(2)) else { return true }
      var siblings: [Int] = []
      let months = withinYear ? 1...12 : date.month...date.month
      for month in months {
        for day in 1...CivilDate.dayCount(ofMonth: month, inYear: date.year) {
          let other = Self.date(date.year, month, day)
          if other.weekday == date.weekday { siblings.append(other.daysSinceEpoch) }
        }
      }
      return names([number], (siblings.firstIndex(of: date.daysSinceEpoch) ?? -1) + 1, of: siblings.count)
    }
  }

  private func isDay(_ day: Int, inYear year: Int?) -> Bool {
    let date = Self.date(day)
    if let months = numbers("BYMONTH"), !months.contains(date.month) { return false }
    if let days = numbers("BYMONTHDAY"),
      !names(days, date.day, of: CivilDate.dayCount(ofMonth: date.month, inYear: date.year))
    {
      return false
    }
    if let days = numbers("BYYEARDAY") {
      let first = Self.date(date.year, 1, 1).daysSinceEpoch
      guard names(days, day - first + 1, of: CivilDate.isLeap(year: date.year) ? 366 : 365) else {
        return false
      }
    }
    if let weeks = numbers("BYWEEKNO") {
      guard let year, let week = week(of: day, inYear: year), names(weeks, week.number, of: week.count) else {
        return false
      }
    }
    guard isWeekday(date, withinYear: frequency == "YEARLY" && parts["BYMONTH"] == nil) else { return false }
    // What the rule does not name is that of the first date.
    let hasDay = ["BYDAY", "BYMONTHDAY", "BYYEARDAY"].contains { parts[$0] != nil }
    if hasDay { return true }
    switch frequency {
    case "YEARLY" where parts["BYWEEKNO"] != nil: return date.weekday == from.date.weekday
    case "YEARLY":
      return date.day == from.date.day && (parts["BYMONTH"] != nil || date.month == from.date.month)
    case "MONTHLY": return date.day == from.date.day
    case "WEEKLY": return date.weekday == from.date.weekday
    default: return true
    }
  }

  /// The days of the period with a number, counted from the one that holds the first date.
  private func period(_ number: Int) -> (days: Range<Int>, year: Int?) {
    let first = from.date.daysSinceEpoch
    switch frequency {
    case "YEARLY":
      let year = from.date.year + number
      let start = Self.date(year, 1, 1).daysSinceEpoch
      let end = Self.date(year + 1, 1, 1).daysSinceEpoch
      return parts["BYWEEKNO"] == nil ? (start..<end, year) : (start - 7..<end + 7, year)
    case "MONTHLY":
      let month = from.date.year * 12 + from.date.month - 1 + number
      let start = Self.date(month / 12, month % 12 + 1, 1)
      let length = CivilDate.dayCount(ofMonth: start.month, inYear: start.year)
      return (start.daysSinceEpoch..<start.daysSinceEpoch + length, nil)
    case "WEEKLY":
      var start = first
      while Self.date(start).weekday.rawValue != weekStart { start -= 1 }
      return (start + 7 * number..<start + 7 * number + 7, nil)
    default: return (first + number..<first + number + 1, nil)
    }
  }

  /// The seconds of local time that match, up to `end`, at most `most`.
  func matches(through end: Int, most: Int) -> [Int] {
    let begin = Self.seconds(from)
    var count = Int(parts["COUNT"]?[0] ?? "") ?? .max
    var found: [Int] = []
    let unit = ["HOURLY": 3_600, "MINUTELY": 60, "SECONDLY": 1][frequency]
    var number = 0
    while found.count < most {
      var set: [Int] = []
      let start: Int
      if let unit {
        start = begin - begin % unit + number * unit * interval
        set = times(ofUnit: start, unit)
      } else {
        let period = period(number * interval)
        start = period.days.lowerBound * 86_400
        for day in period.days where isDay(day, inYear: period.year) {
          for hour in numbers("BYHOUR", or: from.time.hour).sorted() {
            for minute in numbers("BYMINUTE", or: from.time.minute).sorted() {
              for second in numbers("BYSECOND", or: from.time.second).sorted() {
                set.append(day * 86_400 + hour * 3_600 + minute * 60 + second)
              }
            }
          }
        }
      }
      if start > end + 8 * 86_400 { break }
      if let positions = numbers("BYSETPOS") {
        set = set.indices.filter { names(positions, $0 + 1, of: set.count) }.map { set[$0] }
      }
      for second in set where second >= begin && second <= end && count > 0 && found.count < most {
        found.append(second)
        count -= 1
      }
      if count == 0 { break }
      number += 1
    }
    return found
  }

  private func times(ofUnit start: Int, _ unit: Int) -> [Int] {
    guard isDay(start / 86_400, inYear: nil) else { return [] }
    let (hour, minute) = (start % 86_400 / 3_600, start / 60 % 60)
    if let hours = numbers("BYHOUR"), !hours.contains(hour) { return [] }
    let seconds = numbers("BYSECOND", or: from.time.second).sorted()
    switch unit {
    case 3_600:
      let minutes = numbers("BYMINUTE", or: from.time.minute).sorted()
      return minutes.flatMap { minute in seconds.map { start + minute * 60 + $0 } }
    case 60:
      if let minutes = numbers("BYMINUTE"), !minutes.contains(minute) { return [] }
      return seconds.map { start + $0 }
    default:
      if let minutes = numbers("BYMINUTE"), !minutes.contains(minute) { return [] }
      if let seconds = numbers("BYSECOND"), !seconds.contains(start % 60) { return [] }
      return [start]
    }
  }
}
