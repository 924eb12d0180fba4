/// One element of a list in a calendar rule: a number, a range, or either with a step.
struct CalendarComponent: Sendable, Hashable {
  var start: Int
  /// The end of a range; the step reaches it exactly.
  var stop: Int?
  /// The distance from one number to the next; 0 for a single number.
  var step = 0

  /// The component in its stored form: a range ends with its last number, and a range with a single number becomes this number.
  var normalized: CalendarComponent {
    guard let stop, stop >= start else { return self }
    let end = step > 0 ? stop - (stop - start) % step : stop
    return end == start
      ? CalendarComponent(start: start) : CalendarComponent(start: start, stop: end, step: step)
  }

  /// All numbers; without an end, up to `bound`.
  func numbers(through bound: Int) -> StrideThrough<Int> {
    stride(from: start, through: step == 0 ? start : stop ?? bound, by: max(step, 1))
  }
}

extension CalendarComponent: Comparable {
  /// Orders by start, end and step, as they are printed.
  static func < (left: CalendarComponent, right: CalendarComponent) -> Bool {
    (left.start, left.stop ?? -1, left.step) < (right.start, right.stop ?? -1, right.step)
  }
}

/// A field of a calendar rule.
enum CalendarField {
  case year, month, day, dayFromEnd, hour, minute, second

  /// Range of the field's numbers; for seconds, in microseconds.
  var bounds: ClosedRange<Int> {
    switch self {
    case .year: 1_970...2_199
    case .month: 1...12
    case .day: 1...31
    // The days that every month has.
    case .dayFromEnd: 1...28
    case .hour: 0...23
    case .minute: 0...59
    case .second: 0...59_999_999
    }
  }

  /// The factor of the field's numbers: seconds are stored in microseconds.
  var unit: Int { self == .second ? 1_000_000 : 1 }

  /// The values that the field accepts, for messages.
  var expectation: String {
    switch self {
    case .year: "a year from 1970 to 2199"
    case .month: "a month from 1 to 12"
    case .day: "a day from 1 to 31"
    case .dayFromEnd: "a day from 1 to 28, counted from the end of the month,"
    case .hour: "an hour from 0 to 23"
    case .minute: "a minute from 0 to 59"
    case .second: "a second from 0 to 59.999999"
    }
  }

  /// The hint for a step past the end of the field; `nil` if steps have no fixed length.
  func intervalHint(_ step: Int) -> String? {
    let interval: String
    switch self {
    case .hour: interval = "\(step)h"
    case .minute: interval = "\(step)m"
    case .second: interval = ElapsedTime.microseconds(Int64(step)).description
    case .day: interval = "\(step)d"
    case .year, .month, .dayFromEnd: return nil
    }
    return "an interval of its own is periodic: { periodic = { by = \"\(interval)\" } }"
  }
}
