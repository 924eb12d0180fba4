/// The choice of some entries of each period, by their position: the first, the last, the second to last.
///
/// The choice applies to the entries inside the windows. A period consists of whole local days, and does not depend on the
/// start of the schedule. An entry belongs to the local day of its instant.
public struct EntryPick: Sendable, Hashable {
  /// A unit of the calendar whose entries are counted.
  public enum Period: String, Sendable, Hashable, CaseIterable {
    /// A day, from midnight to midnight.
    case day
    /// Seven days from ``EntryPick/weekStart`` on.
    case week
    /// A month.
    case month
    /// Three months, from January, April, July or October on.
    case quarter
    /// A year.
    case year
  }

  /// The period in which entries are counted.
  public let period: Period
  /// The positions, ascending from 1 for the first entry, then those from the end up to -1 for the last entry.
  public let positions: [Int]
  /// The first day of a week; Monday for other periods.
  public let weekStart: Weekday
  /// The highest position from the start and the lowest from the end; 0 for none.
  let highest: Int, lowest: Int
  /// The least distance of a position from its end; a period with fewer entries has no picked one.
  let nearest: Int

  /// The highest position from either end: one entry on each day of a year.
  public static let positionMax = 366
  /// The most positions.
  public static let positionCountMax = 32
  /// The most entries of a day before the choice: one in each minute of a day with 25 hours.
  public static let dayEntryCountMax = 1_500
  /// The most entries of a period before the choice: one in each hour of a year, with room.
  public static let periodEntryCountMax = 10_000

  /// Makes a choice of 1 to ``positionCountMax`` positions in any order, each once.
  ///
  /// - Parameters:
  ///   - positions: Numbers from 1 on count from the first entry of a period, those from -1 down from the last.
  ///   - period: The period in which entries are counted.
  ///   - weekStart: The first day of a week.
  public init(_ positions: [Int], per period: Period, weekStart: Weekday = .monday) throws(ScheduleError) {
    guard 1...Self.positionCountMax ~= positions.count else {
      throw .pickRefused("there are \(positions.count) positions; give 1 to \(Self.positionCountMax)")
    }
    for (index, position) in positions.enumerated() {
      guard position != 0, -Self.positionMax...Self.positionMax ~= position else {
        throw .pickRefused(
          "position \(position) is not from 1 to \(Self.positionMax) or from -1 to -\(Self.positionMax)")
      }
      if positions[..<index].contains(position) {
        throw .pickRefused("position \(position) is given twice; leave one of the two out")
      }
    }
    self.period = period
    let ascending = positions.sorted()
    self.positions = ascending.filter { $0 > 0 } + ascending.filter { $0 < 0 }
    highest = max(0, ascending[ascending.count - 1])
    lowest = min(0, ascending[0])
    nearest = positions.reduce(Self.positionMax) { min($0, abs($1)) }
    self.weekStart = period == .week ? weekStart : .monday
  }
}

extension EntryPick {
  /// Returns the days of the period that holds a day. Days are counted from 1970-01-01.
  func days(holding day: Int, per period: Period) -> ClosedRange<Int> {
    period.days(holding: day, from: weekStart)
  }
}

extension EntryPick.Period {
  /// Returns the days of the period that holds a day, for weeks that begin on `weekStart`. Days are counted from 1970-01-01.
  func days(holding day: Int, from weekStart: Weekday) -> ClosedRange<Int> {
    switch self {
    case .day: return day...day
    case .week:
      let first = day - (CivilDate.weekdayIndex(day) - weekStart.rawValue % 7 + 7) % 7
      return first...first + 6
    case .month: return Self.months(1, holding: day)
    case .quarter: return Self.months(3, holding: day)
    case .year: return Self.months(12, holding: day)
    }
  }

  /// Returns the days of the `count` months that hold a day, from a multiple of `count` months after January on.
  private static func months(_ count: Int, holding day: Int) -> ClosedRange<Int> {
    let date = CivilDate(uncheckedDaysSinceEpoch: day)
    let month = (date.month - 1) / count * count + 1
    let first = CivilDate.daysSinceEpoch(year: date.year, month: month, day: 1)
    return first...CivilDate.daysSinceEpoch(year: date.year, month: month + count, day: 1) - 1
  }
}

extension EntryPick: CustomStringConvertible {
  /// The choice in words, such as `the first and last entry of each month`.
  public var description: String {
    let ordinals = positions.map { position in
      switch position {
      case -1: "last"
      case ..<0: Self.ordinal(-position) + " to last"
      default: Self.ordinal(position)
      }
    }
    let entries = positions.count == 1 ? "entry" : "entries"
    let weeks = weekStart == .monday ? "" : " from \(RuleWords.weekdayNames[weekStart.rawValue % 7]) on"
    return "the \(RuleWords.list(ordinals)) \(entries) of each \(period.rawValue)\(weeks)"
  }

  private static func ordinal(_ number: Int) -> String {
    let names = ["first", "second", "third", "fourth", "fifth"]
    if number <= names.count { return names[number - 1] }
    let isTeen = number % 100 / 10 == 1
    switch number % 10 {
    case 1 where !isTeen: return "\(number)st"
    case 2 where !isTeen: return "\(number)nd"
    case 3 where !isTeen: return "\(number)rd"
    default: return "\(number)th"
    }
  }
}
