extension ElapsedTime: CustomStringConvertible {
  /// The length as text that ``init(parsing:)`` reads back exactly: `250ms`, `90s`, `1h30m`, `1d`.
  ///
  /// Days to seconds from the largest unit down, each once; below a second one unit with a fraction; whole weeks as
  /// weeks. Up to two minutes, a length that is not a whole number of minutes is printed in seconds, as is usual.
  public var description: String {
    let total = nanoseconds.magnitude
    guard total > 0 else { return "0s" }
    var text = ASCIIText()
    if nanoseconds < 0 { text.append(UInt8(ascii: "-")) }
    if total < 1_000_000_000 {
      let unit: ElapsedTimeUnit =
        total < 1_000 ? .nanosecond : total < 1_000_000 ? .microsecond : .millisecond
      text.append(total, in: unit)
    } else if total < 120_000_000_000, !total.isMultiple(of: ElapsedTimeUnit.minute.nanoseconds) {
      text.append(total, in: .second)
    } else if total.isMultiple(of: ElapsedTimeUnit.week.nanoseconds) {
      text.append(total, in: .week)
    } else {
      var rest = total
      for unit in [ElapsedTimeUnit.day, .hour, .minute] where rest >= unit.nanoseconds {
        text.append(rest - rest % unit.nanoseconds, in: unit)
        rest %= unit.nanoseconds
      }
      if rest > 0 { text.append(rest, in: .second) }
    }
    return text.string
  }
}

/// A unit that lengths of time are written in, from the largest down.
enum ElapsedTimeUnit: Int, CaseIterable {
  case week, day, hour, minute, second, millisecond, microsecond, nanosecond

  var nanoseconds: UInt64 {
    switch self {
    case .week: 604_800_000_000_000
    case .day: 86_400_000_000_000
    case .hour: 3_600_000_000_000
    case .minute: 60_000_000_000
    case .second: 1_000_000_000
    case .millisecond: 1_000_000
    case .microsecond: 1_000
    case .nanosecond: 1
    }
  }

  /// The symbol with which the unit is printed.
  var symbol: String {
    switch self {
    case .week: "w"
    case .day: "d"
    case .hour: "h"
    case .minute: "m"
    case .second: "s"
    case .millisecond: "ms"
    case .microsecond: "us"
    case .nanosecond: "ns"
    }
  }
}

extension ASCIIText {
  /// Adds `nanoseconds` in one unit, with a fraction if the unit is a second, a millisecond or a microsecond.
  fileprivate mutating func append(_ nanoseconds: UInt64, in unit: ElapsedTimeUnit) {
    append(nanoseconds / unit.nanoseconds)
    switch unit {
    case .second: append(fraction: nanoseconds % unit.nanoseconds, digits: 9)
    case .millisecond: append(fraction: nanoseconds % unit.nanoseconds, digits: 6)
    case .microsecond: append(fraction: nanoseconds % unit.nanoseconds, digits: 3)
    case .week, .day, .hour, .minute, .nanosecond: break
    }
    for byte in unit.symbol.utf8 { append(byte) }
  }
}
