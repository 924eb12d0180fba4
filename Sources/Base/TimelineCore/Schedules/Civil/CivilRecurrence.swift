/// A rule for the dates and times that a clock shows: every n days, weeks, months or years from a date on.
///
/// Weeks are calendar weeks, counted from the one that holds ``from``. Every matching day has the same times. A recurrence and a
/// ``Zone`` make a ``CivilSchedule``.
public struct CivilRecurrence: Sendable {
  /// The unit in which the distance is counted.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    /// Calendar days, whatever their length.
    case days
    /// Calendar weeks; several days of a week can match.
    case weeks
    /// Months; the day of the month is that of the first date.
    case months
    /// Years; month and day are those of the first date.
    case years
  }

  /// The choice for a month without the day of the first date.
  public enum ShortMonth: String, Sendable, Hashable, CaseIterable {
    /// The month has no match.
    case skip
    /// Its last day matches.
    case last
  }

  /// The number of units from one match to the next, 1 to ``everyMax``.
  public let every: Int
  /// The unit of ``every``.
  public let unit: Unit
  /// The first date that can match. It fixes the phase, and for months and years the day.
  public let from: CivilDate
  /// The times of each matching day, in seconds, ascending.
  let seconds: [Int]
  /// The weekdays of a matching week, bit 0 for Sunday; 0 unless weeks are counted.
  let weekdayBits: UInt64
  /// The first day of a week. Monday if it has no effect.
  public let weekStart: Weekday
  /// The choice for months without the day; `nil` if every month has it.
  public let shortMonth: ShortMonth?

  /// The first day of the week that holds ``from``; the day of ``from`` itself unless weeks are counted.
  let anchor: Int

  /// The largest distance. It keeps the arithmetic in range; a thousand weeks are 19 years.
  public static let everyMax = 1_000
  /// The largest number of times of a day. More times are a cron rule.
  public static let timeCountMax = 64

  /// Makes the rule; throws for a value out of range, and for a value that does not belong to the unit.
  ///
  /// - Parameters:
  ///   - every: The distance in units, 1 to ``everyMax``.
  ///   - unit: The unit of the distance.
  ///   - from: The first date that can match.
  ///   - times: 1 to ``timeCountMax`` whole seconds, ascending.
  ///   - weekdays: For weeks only. By default the weekday of `from`.
  ///   - weekStart: The first day of a week, for weeks only.
  ///   - shortMonth: Required for months from day 29 on, and for years from 29 February on.
  public init(
    every: Int, _ unit: Unit, from: CivilDate, at times: [CivilTime], on weekdays: Set<Weekday> = [],
    weekStart: Weekday = .monday, shortMonth: ShortMonth? = nil
  ) throws(ScheduleError) {
    let needsChoice = Self.needsShortMonth(unit, from: from)
    let seconds = times.map(\.secondOfDay)
    var refusal: String?
    if !(1...Self.everyMax ~= every) {
      refusal = "the distance \(every) is not from 1 to \(Self.everyMax); give another number or unit"
    } else if !(1...Self.timeCountMax ~= times.count) {
      refusal = "there are \(times.count) times of a day; give 1 to \(Self.timeCountMax)"
    } else if zip(seconds, seconds.dropFirst()).contains(where: { $1 <= $0 }) {
      refusal = "the times do not ascend; put them in order, each once"
    } else if times.contains(where: { $0.nanosecond != 0 }) {
      refusal = "a time has a fraction of a second; give whole seconds"
    } else if !weekdays.isEmpty, unit != .weeks {
      refusal = "weekdays belong to a rule that counts weeks; leave them out or count weeks"
    } else if needsChoice, shortMonth == nil {
      refusal = "some months have no day \(from.day); choose whether these are skipped or take their last day"
    }
    if let refusal { throw .recurrenceRefused(refusal) }

    (self.every, self.unit, self.from) = (every, unit, from)
    self.seconds = seconds
    self.shortMonth = needsChoice ? shortMonth : nil
    self.weekStart = unit == .weeks && every > 1 ? weekStart : .monday
    let day = from.daysSinceEpoch
    if unit == .weeks {
      weekdayBits = weekdays.reduce(0) { $0 | $1.bit } | (weekdays.isEmpty ? from.weekday.bit : 0)
      anchor = day - (from.weekday.rawValue - self.weekStart.rawValue + 7) % 7
    } else {
      (weekdayBits, anchor) = (0, day)
    }
  }

  /// Whether some month or year lacks the day of the first date.
  package static func needsShortMonth(_ unit: Unit, from: CivilDate) -> Bool {
    switch unit {
    case .days, .weeks: false
    case .months: from.day > 28
    case .years: from.month == 2 && from.day == 29
    }
  }
}

extension CivilRecurrence {
  /// The days of a matching week, Monday first; empty unless weeks are counted.
  public var weekdays: [Weekday] { Weekday.allCases.filter { weekdayBits & $0.bit != 0 } }

  /// The times of each matching day, ascending.
  public var times: [CivilTime] { seconds.map { CivilTime(uncheckedSecondOfDay: $0, nanosecond: 0) } }
}

extension Weekday {
  /// The bit of the day in a set: bit 0 for Sunday.
  var bit: UInt64 { 1 << UInt64(rawValue % 7) }
}
