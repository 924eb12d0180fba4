import Testing

@testable import TimelineCore

@Suite struct `Civil dates` {
  static let known: [(year: Int, month: Int, day: Int, days: Int, weekday: Weekday)] = [
    (1677, 9, 21, -106_752, .tuesday), (1752, 9, 14, -79_366, .thursday), (1799, 12, 31, -62_092, .tuesday),
    (1900, 2, 28, -25_509, .wednesday), (1900, 3, 1, -25_508, .thursday), (1969, 7, 20, -165, .sunday),
    (1970, 1, 1, 0, .thursday), (2000, 2, 29, 11_016, .tuesday), (2000, 3, 1, 11_017, .wednesday),
    (2026, 3, 29, 20_541, .sunday), (2038, 1, 19, 24_855, .tuesday), (2100, 2, 28, 47_540, .sunday),
    (2100, 3, 1, 47_541, .monday), (2262, 4, 11, 106_751, .friday), (0, 1, 1, -719_528, .saturday),
    (9999, 12, 31, 2_932_896, .friday),
  ]

  @Test(arguments: known)
  func `known days have their numbers`(row: (year: Int, month: Int, day: Int, days: Int, weekday: Weekday))
    throws
  {
    let date = try #require(CivilDate(year: row.year, month: row.month, day: row.day))
    #expect(date.daysSinceEpoch == row.days)
    #expect(date.weekday == row.weekday)
    #expect(CivilDate(daysSinceEpoch: row.days) == date)
  }

  @Test func `every day from the year 0 to 9999 follows the one before it`() throws {
    var (year, month, day) = (0, 1, 1)
    for days in -719_528...2_932_896 {
      let date = try #require(CivilDate(daysSinceEpoch: days))
      guard date.year == year, date.month == month, date.day == day, date.daysSinceEpoch == days else {
        Issue.record("day \(days) is \(date), not \(year)-\(month)-\(day)")
        return
      }
      day += 1
      if CivilDate(year: year, month: month, day: day) == nil { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(year == 10_000)
    #expect(CivilDate(daysSinceEpoch: -719_529) == nil)
    #expect(CivilDate(daysSinceEpoch: 2_932_897) == nil)
  }

  @Test(arguments: [
    (2026, 2, 30), (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0),
    (-1, 1, 1), (10_000, 1, 1), (2026, 1, Int.max), (Int.min, 1, 1), (2026, Int.max, 1),
  ])
  func `days that do not exist are refused`(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [
    (1600, true), (1700, false), (1900, false), (2000, true), (2024, true), (2026, false), (2100, false),
  ])
  func `leap years are those of the Gregorian calendar`(year: Int, isLeap: Bool) {
    #expect(CivilDate.isLeap(year: year) == isLeap)
    #expect(CivilDate.dayCount(ofMonth: 2, inYear: year) == (isLeap ? 29 : 28))
  }

  @Test(arguments: [
    (24, 0, 0, 0), (0, 60, 0, 0), (23, 59, 60, 0), (0, 0, 0, 1_000_000_000), (-1, 0, 0, 0), (0, 0, -1, 0),
  ])
  func `times that no clock shows are refused`(hour: Int, minute: Int, second: Int, nanosecond: Int) {
    #expect(CivilTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond) == nil)
  }

  @Test(
    arguments: [WallInstant.min, .max, .epoch, WallInstant(nanosecondsSinceEpoch: -1)],
    [-89_999, -1, 0, 1, 93_599])
  func `instants survive the trip via civil time at both ends of the range`(instant: WallInstant, offset: Int)
  {
    #expect(CivilDateTime(instant, offset: offset).instant(offset: offset) == instant)
  }

  @Test func `one nanosecond beyond the range is no instant`() throws {
    let date = try #require(CivilDate(year: 2262, month: 4, day: 11))
    let time = try #require(CivilTime(hour: 23, minute: 47, second: 16, nanosecond: 854_775_808))
    #expect(CivilDateTime(date: date, time: time).instant(offset: 0) == nil)
    #expect(CivilDateTime(date: date, time: time).instant(offset: 1) != nil)
    let firstDate = try #require(CivilDate(year: 1677, month: 9, day: 21))
    let firstTime = try #require(CivilTime(hour: 0, minute: 12, second: 43, nanosecond: 145_224_191))
    #expect(CivilDateTime(date: firstDate, time: firstTime).instant(offset: 0) == nil)
    #expect(CivilDateTime(date: firstDate, time: firstTime).instant(offset: -1) != nil)
  }

  @Test func `dates and times print as ISO 8601 writes them`() throws {
    let date = try #require(CivilDate(year: 907, month: 3, day: 9))
    let time = try #require(CivilTime(hour: 3, minute: 5, second: 9, nanosecond: 50_000_000))
    #expect(CivilDateTime(date: date, time: time).description == "0907-03-09 03:05:09.05")
    #expect(CivilDateTime(date: date, time: .midnight).description == "0907-03-09 00:00:00")
  }
}
