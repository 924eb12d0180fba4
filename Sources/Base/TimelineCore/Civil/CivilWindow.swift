/// Times in which entries are allowed or excluded: days, or hours of days, on the clocks of a zone.
///
/// For example `Mon..Fri 08:00-18:00`, `22:00-06:00`, `Sat,Sun`, `2026-12-24..2026-12-31`, or a list of holidays. A
/// window follows the time that clocks show: on the day of a clock change it is an hour shorter or longer. Hours over
/// midnight belong to the day on which they begin.
public struct CivilWindow: Sendable, Hashable {
  let days: Days
  /// Seconds from midnight; `nil` for whole days.
  let hours: Hours?

  /// The days of a window.
  enum Days: Sendable, Hashable {
    /// Bit 0 for Sunday to bit 6 for Saturday.
    case weekdays(UInt64)
    /// Days since 1970-01-01.
    case dates(ClosedRange<Int>)
    case holidays(HolidayList)
  }

  /// From second `from` of a day up to, but not including, second `to`. If `to` is not later than `from`, it is a
  /// second of the next day.
  struct Hours: Sendable, Hashable {
    var from: Int, to: Int
    var isOverMidnight: Bool { to <= from }

    /// Whether the hours of one day or of the day before hold a second of a day.
    func contains(_ second: Int) -> Bool {
      isOverMidnight ? second >= from || second < to : from <= second && second < to
    }
  }

  /// Whether the window is on every day.
  var isOfEveryDay: Bool { if case .weekdays(0x7F) = days { true } else { false } }

  init(days: Days, hours: Hours?) {
    self.days = days
    self.hours = hours
  }

  /// The whole days of a list of holidays.
  public init(holidays: HolidayList) {
    self.init(days: .holidays(holidays), hours: nil)
  }
}

// Times are seconds from 1970-01-01T00:00:00 on a clock that is never changed.
extension CivilWindow {
  /// Whether the window holds a time.
  func contains(_ local: Int) -> Bool { opening(holding: local) != nil }

  /// The first later time at which the window opens or closes.
  func nextChange(after local: Int) -> Int? {
    let day = local.flooredQuotient(by: 86_400)
    guard let hours else {
      return days.first(from: day + 1, isMember: !days.contains(day)).map { $0 * 86_400 }
    }
    if let opening = opening(holding: local) { return opening + length(of: hours) }
    let next = local - day * 86_400 < hours.from ? day : day + 1
    return days.first(from: next, isMember: true).map { $0 * 86_400 + hours.from }
  }

  /// The last time, not later, at which the window opened or closed.
  func lastChange(atOrBefore local: Int) -> Int? {
    let day = local.flooredQuotient(by: 86_400)
    guard let hours else {
      return days.last(upTo: day - 1, isMember: !days.contains(day)).map { ($0 + 1) * 86_400 }
    }
    if let opening = opening(holding: local) { return opening }
    let end = hours.from + length(of: hours)
    return days.last(upTo: (local - end).flooredQuotient(by: 86_400), isMember: true).map {
      $0 * 86_400 + end
    }
  }

  private func length(of hours: Hours) -> Int { hours.to - hours.from + (hours.isOverMidnight ? 86_400 : 0) }

  /// Returns the opening of the window that holds a time; the start of the day for whole days.
  private func opening(holding local: Int) -> Int? {
    let day = local.flooredQuotient(by: 86_400)
    guard let hours else { return days.contains(day) ? day * 86_400 : nil }
    for start in [day * 86_400 + hours.from, (day - 1) * 86_400 + hours.from]
    where start <= local && local < start + length(of: hours)
      && days.contains(start.flooredQuotient(by: 86_400))
    {
      return start
    }
    return nil
  }
}

extension CivilWindow.Days {
  func contains(_ day: Int) -> Bool {
    switch self {
    case .weekdays(let mask): mask >> UInt64(Self.weekday(day)) & 1 == 1
    case .dates(let range): range.contains(day)
    case .holidays(let list): list.index(of: day) != nil
    }
  }

  /// The first day from `day` on that belongs to the days if `isMember`, or else the first that does not.
  func first(from day: Int, isMember: Bool) -> Int? {
    switch self {
    case .weekdays: return (day..<day + 7).first { contains($0) == isMember }
    case .dates(let range) where isMember: return day <= range.upperBound ? max(day, range.lowerBound) : nil
    case .dates(let range): return range.contains(day) ? range.upperBound + 1 : day
    case .holidays(let list) where isMember: return list.first(from: day)
    // Every day is a change, because each holiday has its own name.
    case .holidays: return day
    }
  }

  /// The last day up to `day` that belongs to the days if `isMember`, or else the last that does not.
  func last(upTo day: Int, isMember: Bool) -> Int? {
    switch self {
    case .weekdays: return (day - 6...day).last { contains($0) == isMember }
    case .dates(let range) where isMember: return day >= range.lowerBound ? min(day, range.upperBound) : nil
    case .dates(let range): return range.contains(day) ? range.lowerBound - 1 : day
    case .holidays(let list) where isMember: return list.last(upTo: day)
    case .holidays: return day
    }
  }

  /// The weekday, 0 for Sunday; 1970-01-01 was a Thursday.
  private static func weekday(_ day: Int) -> Int { day - (day + 4).flooredQuotient(by: 7) * 7 + 4 }
}

extension CivilWindow: CustomStringConvertible {
  /// The window as it is written, such as `Mon..Fri 08:00-18:00`.
  public var description: String {
    var words: [String] = []
    switch days {
    case .weekdays(let mask): if mask != 0x7F { words.append(CalendarExpression.text(ofWeekdays: mask)) }
    case .dates(let range):
      let (first, last) = (
        CivilDate(uncheckedDaysSinceEpoch: range.lowerBound),
        CivilDate(uncheckedDaysSinceEpoch: range.upperBound)
      )
      words.append(first == last ? "\(first)" : "\(first)..\(last)")
    case .holidays(let list): words.append("holidays \(list.name)")
    }
    if let hours { words.append("\(Self.text(hours.from))-\(Self.text(hours.to))") }
    return words.isEmpty ? "00:00-24:00" : words.joined(separator: " ")
  }

  /// A time of the day, `24:00` at its end.
  static func text(_ second: Int) -> String {
    second == 86_400 ? "24:00" : CivilTime(uncheckedSecondOfDay: second, nanosecond: 0).short
  }
}
