/// The fields of a line as the crond of busybox 1.35 reads them (crond.c, `ParseField` and `FixDayDow`).
///
/// Ranges wrap. Steps from `*` count from 0, also for days of the month. A range whose end is never reached sets all
/// values: `7` for the day of the week, `60` for the minute. The days of the month count if a value is missing, and
/// so do the days of the week. If both fields count, one must match.
struct BusyboxFields {
  private let sets: [UInt64]

  init(_ texts: [Substring]) {
    sets = zip(CrontabFields.Field.allCases, texts).map { Self.set(String($1), $0) }
  }

  /// The set of a field. Bit n is the number n.
  subscript(field: CrontabFields.Field) -> UInt64 { sets[field.rawValue] }

  /// Whether the day of the month counts. For `*`, the bit of day 0 is set too.
  var countsDayOfMonth: Bool { self[.dayOfMonth] != 0xFFFF_FFFF }
  var countsDayOfWeek: Bool { self[.dayOfWeek] != 0x7F }

  private static func set(_ text: String, _ field: CrontabFields.Field) -> UInt64 {
    var rest = text[...]
    var bits: UInt64 = 0
    repeat {
      guard let (element, isWhole) = element(&rest, field) else { break }
      bits |= element
      if !isWhole { break }
    } while rest.popFirst() == ","
    return field == .month ? bits << 1 : bits
  }

  /// Returns the numbers of one element, from 0; `nil` if the element is invalid. Sets all numbers if the end is
  /// never reached.
  private static func element(
    _ rest: inout Substring, _ field: CrontabFields.Field
  ) -> (bits: UInt64, isWhole: Bool)? {
    let count = modulus(of: field)
    var (first, last) = (0, count - 1)
    if rest.hasPrefix("*") {
      rest = rest.dropFirst()
    } else {
      guard let number = number(&rest, field) else { return nil }
      (first, last) = (number, number)
      if rest.hasPrefix("-") {
        rest = rest.dropFirst()
        guard let end = Self.number(&rest, field) else { return nil }
        last = end
      }
    }
    var step = 1
    if rest.hasPrefix("/") {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count + 1)
      step = Int(digits) ?? 0
    }
    var bits: UInt64 = 0
    for index in 0..<1_023 {
      let value = (first + index) % count
      if step > 0 ? index % step == 0 : index == 0 { bits |= 1 << UInt64(value) }
      if value == last { return (bits, true) }
    }
    return (bits, false)
  }

  private static func number(_ rest: inout Substring, _ field: CrontabFields.Field) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if let value = Int(digits) {
      rest = rest.dropFirst(digits.count)
      let number = value - (field == .month ? 1 : 0)
      // No administrator writes a larger number.
      return (0...9_999).contains(number) ? number : nil
    }
    guard let value = field.value(ofName: rest.prefix(3)) else { return nil }
    rest = rest.dropFirst(3)
    return value - (field == .month ? 1 : 0)
  }

  private static func modulus(of field: CrontabFields.Field) -> Int {
    switch field {
    case .minute: 60
    case .hour: 24
    case .dayOfMonth: 32
    case .month: 12
    case .dayOfWeek: 7
    }
  }
}
