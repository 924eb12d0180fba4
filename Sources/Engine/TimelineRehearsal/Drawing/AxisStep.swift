import TimelineCore

/// Distance between two ticks of an axis: a round length of local time.
enum AxisStep: Equatable {
  /// Seconds; a divisor of a day.
  case seconds(Int)
  /// Days, counted from the epoch; 7 are weeks, from Monday.
  case days(Int)
  /// Months; a divisor of a year.
  case months(Int)
  case years(Int)

  /// All steps, the shortest first.
  static let all: [AxisStep] =
    [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800].map(seconds)
    + [1, 2, 3, 6, 12].map { seconds($0 * 3_600) }
    + [1, 2, 7].map(days) + [1, 3, 6].map(months) + [1, 2, 5, 10, 50, 100].map(years)

  /// The shortest step whose labels fit beside each other.
  init(for scale: DrawingScale) {
    self = Self.all.first { scale.pixels($0.nanoseconds) >= $0.room } ?? .years(100)
  }

  /// Approximate length: a month has 30 days, a year 365.
  var nanoseconds: Int64 {
    let day: Int64 = 86_400_000_000_000
    return switch self {
    case .seconds(let count): Int64(count) * 1_000_000_000
    case .days(let count): Int64(count) * day
    case .months(let count): Int64(count) * 30 * day
    case .years(let count): Int64(count) * 365 * day
    }
  }

  /// Room for a label and a blank, in pixels.
  private var room: Int {
    switch self {
    case .seconds(let count): count < 60 ? 72 : 52
    case .days: 54
    case .months, .years: 44
    }
  }

  /// Returns the local times of the ticks, ascending, from the last tick not later than `first`.
  func ticks(from first: CivilDateTime) -> any Sequence<CivilDateTime> {
    switch self {
    case .seconds(let count):
      let days = first.date.daysSinceEpoch
      return Self.times(from: days * 86_400 + first.time.secondOfDay / count * count, by: count)
    case .days(7):
      return Self.times(
        from: (first.date.daysSinceEpoch + 1 - first.date.weekday.rawValue) * 86_400, by: 604_800)
    case .days(let count):
      let days = first.date.daysSinceEpoch
      return Self.times(from: (days - (days % count + count) % count) * 86_400, by: count * 86_400)
    case .months(let count):
      return Self.months(from: first.date.year * 12 + (first.date.month - 1) / count * count, by: count)
    case .years(let count):
      return Self.months(from: first.date.year / count * count * 12, by: count * 12)
    }
  }

  /// Returns midnights and times of day. `first` is in seconds since the epoch on the local clock, `step` in seconds.
  private static func times(from first: Int, by step: Int) -> any Sequence<CivilDateTime> {
    sequence(state: first) { seconds -> CivilDateTime? in
      defer { seconds += step }
      let days = Int(Int64(seconds).flooredQuotient(by: 86_400))
      let second = seconds - days * 86_400
      guard let date = CivilDate(daysSinceEpoch: days),
        let time = CivilTime(hour: second / 3_600, minute: second / 60 % 60, second: second % 60)
      else { return nil }
      return CivilDateTime(date: date, time: time)
    }
  }

  /// Returns first days of months. `first` is in months since the year 0, `step` in months.
  private static func months(from first: Int, by step: Int) -> any Sequence<CivilDateTime> {
    sequence(state: first) { months -> CivilDateTime? in
      defer { months += step }
      return CivilDate(year: months / 12, month: months % 12 + 1, day: 1).map {
        CivilDateTime(date: $0, time: .midnight)
      }
    }
  }
}

extension AxisStep {
  /// Returns the label of a tick.
  func label(_ tick: CivilDateTime) -> String {
    switch self {
    case .seconds(let count) where count < 60: tick.time.description
    case .seconds: String(tick.time.description.prefix(5))
    case .days: "\(Self.weekdays[tick.date.weekday.rawValue - 1]) \(tick.date.day)"
    case .months: Self.months[tick.date.month - 1]
    case .years: String(tick.date.year)
    }
  }

  /// Returns the label of the day, month or year that contains the ticks; empty if ticks are years.
  func context(_ date: CivilDate) -> String {
    let month = Self.months[date.month - 1]
    return switch self {
    case .seconds: "\(Self.weekdays[date.weekday.rawValue - 1]) \(date.day) \(month) \(date.year)"
    case .days: "\(month) \(date.year)"
    case .months: String(date.year)
    case .years: ""
    }
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
