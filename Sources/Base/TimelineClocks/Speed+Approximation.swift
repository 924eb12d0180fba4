extension Speed {
  /// The speed nearest to a number that a program has computed or that a slider gave.
  ///
  /// A decimal of up to nine places is exact: 0.1 is one tenth. Any other number becomes the nearest fraction of two numbers up
  /// to ``limit``. A number above 0 never becomes 0, which would stop the clock.
  ///
  /// - Throws: `SpeedError.outOfRange` when the number is negative, greater than ``limit`` or not a number.
  public init(approximating value: Double) throws(SpeedError) {
    guard value >= 0, value <= Double(Self.limit) else { throw .outOfRange("\(value)") }
    if value > 0, value < 1 / Double(Self.limit) {
      try self.init(1, over: Self.limit)
    } else if let decimal = Self.decimal(value) {
      self = decimal
    } else {
      let fraction = Fraction(value).rounded(to: Int128(Self.limit))
      try self.init(Int64(fraction.numerator), over: Int64(fraction.denominator))
    }
  }

  /// Returns the decimal of at most nine places whose nearest `Double` is `value`; `nil` if there is none.
  private static func decimal(_ value: Double) -> Speed? {
    let billionths = (value * Double(limit)).rounded()
    guard billionths / Double(limit) == value, let numerator = Int64(exactly: billionths) else { return nil }
    return try? Speed(numerator, over: limit)
  }
}

/// A fraction of two large numbers.
private struct Fraction {
  var numerator: Int128
  var denominator: Int128

  init(numerator: Int128, denominator: Int128) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The exact value of a number from a billionth to a billion: 53 binary digits, at most 82 places behind the point.
  init(_ value: Double) {
    let places = max(0, 52 - Int(value.exponent))
    numerator = Int128(value * Double(sign: .plus, exponent: places, significand: 1))
    denominator = 1 << Int128(places)
  }

  /// Returns the nearest fraction whose numbers are `limit` at most, by continued fractions: each convergent is
  /// nearer than any fraction with smaller numbers.
  func rounded(to limit: Int128) -> Fraction {
    var (last, best) = (Fraction(numerator: 0, denominator: 1), Fraction(numerator: 1, denominator: 0))
    var rest = self
    while rest.denominator != 0 {
      let quotient = rest.numerator / rest.denominator
      let next = last.adding(best, times: quotient)
      guard next.numerator <= limit, next.denominator <= limit else {
        // The last step is too far; a part of it may still be nearer.
        let parts = best.times(from: last, within: limit)
        let between = last.adding(best, times: parts)
        return between.distance(to: self, isLessThanThatOf: best) ? between : best
      }
      (last, best) = (best, next)
      rest = Fraction(numerator: rest.denominator, denominator: rest.numerator % rest.denominator)
    }
    return best
  }

  private func adding(_ other: Fraction, times count: Int128) -> Fraction {
    Fraction(
      numerator: numerator + other.numerator * count, denominator: denominator + other.denominator * count)
  }

  /// Returns the number of times that this fraction can be added to `start` within `limit`.
  private func times(from start: Fraction, within limit: Int128) -> Int128 {
    min(
      numerator == 0 ? limit : (limit - start.numerator) / numerator,
      denominator == 0 ? limit : (limit - start.denominator) / denominator)
  }

  private func distance(to value: Fraction, isLessThanThatOf other: Fraction) -> Bool {
    guard denominator > 0 else { return false }
    return value.difference(from: self) * other.denominator < value.difference(from: other) * denominator
  }

  private func difference(from other: Fraction) -> Int128 {
    abs(numerator * other.denominator - other.numerator * denominator)
  }
}
