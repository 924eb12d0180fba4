/// A field of a cron rule; the cases are in the order of a rule with six fields.
enum CronField: Int, CaseIterable {
  case second, minute, hour, dayOfMonth, month, dayOfWeek

  /// The numbers that can be written; of the days of the week both 0 and 7 are Sunday.
  var bounds: ClosedRange<Int> {
    switch self {
    case .second, .minute: 0...59
    case .hour: 0...23
    case .dayOfMonth: 1...31
    case .month: 1...12
    case .dayOfWeek: 0...7
    }
  }

  /// The distinct numbers: 7 is not an eighth day.
  var numbers: ClosedRange<Int> { self == .dayOfWeek ? 0...6 : bounds }

  /// Words for the numbers, from the lowest up.
  var names: [String] {
    switch self {
    case .second, .minute, .hour, .dayOfMonth: []
    case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    case .dayOfWeek: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    }
  }

  /// The names in full, in lower case.
  var longNames: [String] {
    switch self {
    case .second, .minute, .hour, .dayOfMonth: []
    case .month: RuleWords.monthNames.map { $0.lowercased() }
    case .dayOfWeek: RuleWords.weekdayNames.map { $0.lowercased() }
    }
  }

  var noun: String {
    switch self {
    case .second: "second"
    case .minute: "minute"
    case .hour: "hour"
    case .dayOfMonth: "day"
    case .month: "month"
    case .dayOfWeek: "day of the week"
    }
  }

  /// The values that the field accepts, for messages.
  var expectation: String {
    switch self {
    case .second: "a second from 0 to 59"
    case .minute: "a minute from 0 to 59"
    case .hour: "an hour from 0 to 23"
    case .dayOfMonth: "a day from 1 to 31, \"L\" or \"LW\""
    case .month: "a month from 1 to 12 or \"jan\" to \"dec\""
    case .dayOfWeek: "a day of the week from 0 to 7 or \"sun\" to \"sat\""
    }
  }

  /// All the numbers, as a mask: the meaning of `*`.
  var all: UInt64 {
    switch self {
    case .second, .minute: 0x0FFF_FFFF_FFFF_FFFF
    case .hour: 0xFF_FFFF
    case .dayOfMonth: 0xFFFF_FFFE
    case .month: 0x1FFE
    case .dayOfWeek: 0x7F
    }
  }

  /// Every `step`-th number from the lowest up, as a mask: the meaning of `*/step`.
  func progression(by step: Int) -> UInt64 { Self.mask(of: numbers, by: step) }

  /// Every `step`-th number of `range` from its lowest, as a mask.
  static func mask(of range: ClosedRange<Int>, by step: Int) -> UInt64 {
    stride(from: range.lowerBound, through: range.upperBound, by: step).reduce(0) { $0 | 1 << UInt64($1) }
  }
}
