/// A day of the proleptic Gregorian calendar, without a time and without a zone.
///
/// Years run from 0 to 9999, the range of RFC 3339. ``WallInstant`` covers the years 1677 to 2262.
public struct CivilDate: Sendable, Hashable {
  /// The year, 0 to 9999.
  public let year: Int
  /// The month, 1 for January to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// The years that a date can have.
  public static let years = 0...9_999

  /// Makes the day; `nil` if there is no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard Self.years.contains(year), (1...12).contains(month), day >= 1,
      day <= Self.dayCount(ofMonth: month, inYear: year)
    else { return nil }
    self.init(uncheckedYear: year, month: month, day: day)
  }

  /// The day that lies `days` after 1970-01-01; `nil` outside of ``years``.
  public init?(daysSinceEpoch days: Int) {
    guard Self.epochDays.contains(days) else { return nil }
    self.init(uncheckedDaysSinceEpoch: days)
  }

  private init(uncheckedYear year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The days of the years 0 to 9999, counted from 1970-01-01.
  private static let epochDays = -719_528...2_932_896
}

// The arithmetic counts years from 1 March, so that the leap day is the last day of its year and the lengths of the
// months before it are linear: 153 days for 5 months. A cycle of 400 years has 146,097 days.
extension CivilDate {
  /// The number of days from 1970-01-01 to this day, negative before it.
  public var daysSinceEpoch: Int { Self.daysSinceEpoch(year: year, month: month, day: day) }

  /// The number of days from 1970-01-01 to a day of a month. The month need not have this day.
  static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let marchYear = (month > 2 ? year : year - 1) + 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + dayOfYear - daysFromMarchOfYearMinus400
  }

  /// The day that lies `days` after 1970-01-01; the caller must ensure that it is in range.
  init(uncheckedDaysSinceEpoch days: Int) {
    let shifted = days + Self.daysFromMarchOfYearMinus400
    let (cycle, dayOfCycle) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    self.init(
      uncheckedYear: cycle * 400 + yearOfCycle - 400 + (month > 2 ? 0 : 1),
      month: month,
      day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// Days from 1 March of the year -400, one cycle before the first year, to 1970-01-01.
  private static let daysFromMarchOfYearMinus400 = 719_468 + 146_097

  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday, the fourth day of its week.
    let index = (daysSinceEpoch + 3) % 7
    return Weekday.allCases[index < 0 ? index + 7 : index]
  }

  /// Returns the weekday of the day that lies `day` days after 1970-01-01, a Thursday; 0 for Sunday.
  static func weekdayIndex(_ day: Int) -> Int {
    let index = (day + 4) % 7
    return index < 0 ? index + 7 : index
  }

  /// Whether `year` has a 29 February.
  public static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The length of `month`, 1 to 12, of `year`; 0 for a month that does not exist.
  public static func dayCount(ofMonth month: Int, inYear year: Int) -> Int {
    switch month {
    case 2: isLeap(year: year) ? 29 : 28
    case 4, 6, 9, 11: 30
    case 1, 3, 5, 7, 8, 10, 12: 31
    default: 0
    }
  }
}

extension CivilDate: Comparable {
  /// Orders days from past to future.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CivilDate: CustomStringConvertible {
  /// The day as ISO 8601 writes it, such as `2026-03-29`.
  public var description: String {
    var text = ASCIIText()
    text.append(self)
    return text.string
  }
}

/// A day of the week, numbered as ISO 8601 does: Monday is 1.
public enum Weekday: Int, Sendable, Hashable, CaseIterable {
  /// The first day of the ISO week.
  case monday = 1
  /// The second day of the ISO week.
  case tuesday
  /// The third day of the ISO week.
  case wednesday
  /// The fourth day of the ISO week.
  case thursday
  /// The fifth day of the ISO week.
  case friday
  /// The sixth day of the ISO week.
  case saturday
  /// The seventh day of the ISO week; POSIX counts it as 0.
  case sunday
}
