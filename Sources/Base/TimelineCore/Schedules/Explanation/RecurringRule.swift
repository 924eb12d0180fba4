/// Yearly clock changes of a zone from some year on: the rule at the end of a compiled zone.
///
/// It is POSIX's `TZ` with the extensions of RFC 8536 section 3.3.1: `std offset [dst [offset] , start , end]`, as in
/// `CET-1CEST,M3.5.0,M10.5.0/3`, where offsets count westwards and names that are not letters stand in `<>`.
struct RecurringRule {
  /// Standard time, and daylight saving time if there is one.
  private(set) var localTimes: [ZoneLocalTime] = []
  /// The start of daylight saving by the clock of standard time, and its end by the clock of daylight saving.
  private var daylightSaving: (start: YearlyDate, end: YearlyDate)?

  /// A time of a day that every year has.
  struct YearlyDate {
    var day: YearlyDay
    /// Seconds from midnight of the day, up to a week either way.
    var secondOfDay = 7_200
  }

  /// A day that every year has.
  enum YearlyDay {
    /// Day 1 to 365 of a year in which 29 February is not counted: `J60` is always 1 March.
    case withoutLeapDay(Int)
    /// Day 0 to 365, 29 February counted.
    case withLeapDay(Int)
    /// Week 1 to 5, where 5 is the last, of a month's weekdays of one kind, 0 for Sunday.
    case weekday(month: Int, week: Int, weekday: Int)
  }
}

extension RecurringRule {
  /// The changes strictly after `seconds`, or all, up to the end of the representable range, ascending.
  ///
  /// `type` is an index into ``localTimes``.
  func transitions(after seconds: Int64?) -> [(seconds: Int64, type: Int)] {
    guard let daylightSaving else { return [] }
    // A rule can reach a week into the neighboring year, so one more year is computed on either side.
    let firstYear =
      seconds.map { CivilDateTime(WallInstant(secondsSinceEpoch: $0), offset: 0).date.year } ?? 1_677
    var changes: [(seconds: Int64, type: Int)] = []
    for year in firstYear - 1...2_263 {
      let start = daylightSaving.start.seconds(inYear: year) - localTimes[0].offset
      let end = daylightSaving.end.seconds(inYear: year) - localTimes[1].offset
      changes.append((seconds: Int64(start), type: 1))
      changes.append((seconds: Int64(end), type: 0))
    }
    // If daylight saving lasts all year, it ends and starts in the same second, and the start counts.
    changes.sort { ($0.seconds, $0.type) < ($1.seconds, $1.type) }
    return changes.indices.compactMap { index in
      let change = changes[index]
      let isReplaced = index + 1 < changes.count && changes[index + 1].seconds == change.seconds
      return isReplaced || change.seconds <= seconds ?? .min ? nil : change
    }
  }
}

extension RecurringRule.YearlyDate {
  /// Seconds from the epoch to this time in `year` on a clock that is not changed.
  fileprivate func seconds(inYear year: Int) -> Int {
    let newYear = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
    return (newYear + day.dayOfYear(inYear: year)) * 86_400 + secondOfDay
  }
}

extension RecurringRule.YearlyDay {
  /// Days from 1 January to this day in `year`.
  fileprivate func dayOfYear(inYear year: Int) -> Int {
    switch self {
    case .withoutLeapDay(let day):
      return CivilDate.isLeap(year: year) && day >= 60 ? day : day - 1
    case .withLeapDay(let day):
      return day
    case .weekday(let month, let week, let weekday):
      guard let newYear = CivilDate(year: year, month: 1, day: 1),
        let first = CivilDate(year: year, month: month, day: 1)
      else { return 0 }
      let firstWeekday = first.weekday.rawValue % 7
      var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      if day >= CivilDate.dayCount(ofMonth: month, inYear: year) { day -= 7 }
      return first.daysSinceEpoch - newYear.daysSinceEpoch + day
    }
  }
}

extension RecurringRule {
  /// The place at which a rule is wrong, in bytes from its start, and the reason.
  struct Failure: Error {
    let offset: Int
    let reason: String
  }

  /// Reads a rule.
  init(posix bytes: [UInt8]) throws(Failure) {
    var cursor = ByteCursor(bytes)
    let standardName = try Self.name(&cursor)
    let standardOffset = -(try Self.seconds(&cursor, hoursMax: 24))
    localTimes = [ZoneLocalTime(offset: standardOffset, isDaylightSaving: false, abbreviation: standardName)]
    if cursor.isAtEnd { return }

    let daylightName = try Self.name(&cursor)
    var daylightOffset = standardOffset + 3_600
    if cursor.peek != UInt8(ascii: ",") { daylightOffset = -(try Self.seconds(&cursor, hoursMax: 24)) }
    localTimes.append(
      ZoneLocalTime(offset: daylightOffset, isDaylightSaving: true, abbreviation: daylightName))
    let start = try Self.yearlyDate(&cursor)
    let end = try Self.yearlyDate(&cursor)
    daylightSaving = (start, end)
    guard cursor.isAtEnd else { throw Failure(offset: cursor.offset, reason: "the end is expected") }
  }

  /// Reads a name of letters, or of letters, digits and signs in `<>`.
  private static func name(_ cursor: inout ByteCursor) throws(Failure) -> String {
    let start = cursor.offset
    let isQuoted = cursor.take("<")
    let name = cursor.takeAll { $0.isLetter || isQuoted && ($0.isDigit || "+-".utf8.contains($0)) }
    guard !name.isEmpty, !isQuoted || cursor.take(">") else {
      throw Failure(offset: start, reason: "the name of a local time is expected")
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Reads `[+-]h[h[h]][:mm[:ss]]` in seconds.
  private static func seconds(_ cursor: inout ByteCursor, hoursMax: Int) throws(Failure) -> Int {
    let start = cursor.offset
    let isNegative = cursor.take("-")
    if !isNegative { _ = cursor.take("+") }
    guard let hours = cursor.takeDigits(upTo: 3).number(upTo: hoursMax) else {
      throw Failure(offset: start, reason: "hours from 0 to \(hoursMax) are expected")
    }
    var total = hours * 3_600
    for unit in [60, 1] where cursor.take(":") {
      guard let number = cursor.takeDigits(upTo: 2).number(upTo: 59) else {
        throw Failure(offset: cursor.offset, reason: "a number from 0 to 59 is expected")
      }
      total += number * unit
    }
    return isNegative ? -total : total
  }

  /// Reads `,date[/time]`.
  private static func yearlyDate(_ cursor: inout ByteCursor) throws(Failure) -> YearlyDate {
    let start = cursor.offset
    guard cursor.take(",") else {
      throw Failure(offset: start, reason: "a comma and the day of a change are expected")
    }
    var date = YearlyDate(day: try yearlyDay(&cursor))
    if cursor.take("/") { date.secondOfDay = try seconds(&cursor, hoursMax: 167) }
    return date
  }

  /// Reads `Jn`, `n` or `Mm.w.d`.
  private static func yearlyDay(_ cursor: inout ByteCursor) throws(Failure) -> YearlyDay {
    let start = cursor.offset
    if cursor.take("M") {
      if let month = cursor.takeDigits(upTo: 2).number(upTo: 12), month > 0, cursor.take("."),
        let week = cursor.takeDigits(upTo: 1).number(upTo: 5), week > 0, cursor.take("."),
        let weekday = cursor.takeDigits(upTo: 1).number(upTo: 6)
      {
        return .weekday(month: month, week: week, weekday: weekday)
      }
    } else if cursor.take("J") {
      if let day = cursor.takeDigits(upTo: 3).number(upTo: 365), day > 0 { return .withoutLeapDay(day) }
    } else if let day = cursor.takeDigits(upTo: 3).number(upTo: 365) {
      return .withLeapDay(day)
    }
    throw Failure(offset: start, reason: "a day such as \"M3.5.0\", \"J60\" or \"59\" is expected")
  }
}

extension ArraySlice<UInt8> {
  /// The number that the digits stand for; `nil` without digits, or above `bound`.
  fileprivate func number(upTo bound: Int) -> Int? {
    guard !isEmpty, let number = decimal(), number <= bound else { return nil }
    return number
  }
}
