/// A number of a schema or a file. Numbers are compared by value, and whole numbers of any size exactly.
struct JSONNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number as an integer; `nil` if it is not whole or does not fit.
  private let whole: Int64?
  private let double: Double

  static let zero = JSONNumber(whole: 0, double: 0)
  static let one = JSONNumber(whole: 1, double: 1)

  private init(whole: Int64, double: Double) {
    self.whole = whole
    self.double = double
  }

  /// Makes a whole number.
  init(_ whole: Int64) {
    self.whole = whole
    double = Double(whole)
  }

  /// Makes a number that may have a fraction.
  init(_ double: Double) {
    whole = Int64(exactly: double)
    self.double = double
  }

  static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    if let left = left.whole, let right = right.whole { return left == right }
    return left.double == right.double
  }

  func hash(into hasher: inout Hasher) { hasher.combine(double) }

  static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    if let left = left.whole, let right = right.whole { return left < right }
    return left.double < right.double
  }

  var isWhole: Bool { double.rounded() == double }

  /// Whether the number is a multiple of `divisor`, which is above zero. Fractions count as written in decimal: 0.3
  /// is a multiple of 0.1.
  func isMultiple(of divisor: JSONNumber) -> Bool {
    if let whole, let divisor = divisor.whole { return whole.isMultiple(of: divisor) }
    let quotient = double / divisor.double
    return abs(quotient - quotient.rounded()) <= 1e-9 * max(1, abs(quotient))
  }

  var description: String { whole.map(String.init) ?? double.description }
}
