/// A number of a schema or of a file, compared by what it is: whole numbers exactly, however large.
struct JSONNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number where it is whole and fits.
  private let whole: Int64?
  private let double: Double

  static let zero = JSONNumber(whole: 0, double: 0)
  static let one = JSONNumber(whole: 1, double: 1)

  private init(whole: Int64, double: Double) {
    self.whole = whole
    self.double = double
  }

  /// A whole number.
  init(_ whole: Int64) {
    self.whole = whole
    double = Double(whole)
  }

  /// A number that may have a fraction.
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

  /// Whether it is whole.
  var isWhole: Bool { double.rounded() == double }

  /// Whether it is a multiple of `divisor`, which is above zero. Fractions count as the decimals that they are written as: 0.3 is a
  /// multiple of 0.1.
  func isMultiple(of divisor: JSONNumber) -> Bool {
    if let whole, let divisor = divisor.whole { return whole.isMultiple(of: divisor) }
    let quotient = double / divisor.double
    return abs(quotient - quotient.rounded()) <= 1e-9 * max(1, abs(quotient))
  }

  var description: String { whole.map(String.init) ?? double.description }
}
