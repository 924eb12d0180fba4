/// The speed of a clock relative to its base: an exact fraction, 0 for a stopped clock, 1 for real pace.
///
/// Written as a literal (`60`, `0.5`), as a fraction (`try Speed(1, over: 3)`) or as text (`"60"`, `"0.25"`,
/// `"1/3"`). Decimals of up to nine places are not rounded: a tenth is one over ten, not the binary number nearest to it.
/// A number that is computed, or comes from a slider, becomes the fraction nearest to it:
/// `try Speed(approximating: slider.value)`.
public struct Speed: Sendable, Hashable {
  /// Largest numerator and denominator, so that arithmetic on nanoseconds fits 128 bits.
  public static let limit: Int64 = 1_000_000_000

  /// Nanoseconds that pass on the clock while ``denominator`` nanoseconds pass on its base; 0 ... ``limit``.
  public let numerator: Int64
  /// 1 ... ``limit``; the fraction is in lowest terms.
  public let denominator: Int64

  /// The fraction `numerator` / `denominator`, reduced to its lowest terms.
  ///
  /// - Throws: `SpeedError.outOfRange` if `numerator` is negative, if `denominator` is not positive, or if either is larger than
  ///   ``limit`` in lowest terms.
  public init(_ numerator: Int64, over denominator: Int64 = 1) throws(SpeedError) {
    guard numerator >= 0, denominator > 0 else { throw .outOfRange("\(numerator)/\(denominator)") }
    let divisor = Self.greatestCommonDivisor(numerator, denominator)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
    guard self.numerator <= Self.limit, self.denominator <= Self.limit else {
      throw .outOfRange("\(numerator)/\(denominator)")
    }
  }

  private init(numerator: Int64) {
    self.numerator = numerator
    self.denominator = 1
  }

  /// Standing still.
  public static let paused = Speed(numerator: 0)
  /// The pace of the base.
  public static let normal = Speed(numerator: 1)

  private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger
  }
}

/// Reasons to refuse a speed.
public enum SpeedError: Error, Hashable, CustomStringConvertible {
  /// The text is no speed.
  case malformed(String)
  /// The number is negative, or too large or too fine.
  case outOfRange(String)

  /// One sentence: the text that was written, and the forms that are valid.
  public var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is not a speed; write a number such as 60 or 0.5, or a fraction such as 1/3."
    case .outOfRange(let text):
      "The speed \(text) is out of range; it must be 0 or more, and numerator and denominator of its fraction "
        + "at most \(Speed.limit)."
    }
  }
}

extension Speed: CustomStringConvertible {
  /// Reads `60`, `0.25` or `1/3`: digits, at most one point or one slash, at most nine digits after the point.
  public init(parsing text: String) throws(SpeedError) {
    if let slash = text.firstIndex(of: "/") {
      try self.init(
        Self.digits(text[..<slash], of: text), over: Self.digits(text[text.index(after: slash)...], of: text))
    } else if let point = text.firstIndex(of: ".") {
      let fraction = text[text.index(after: point)...]
      let denominator = fraction.reduce(into: Int64(1)) { product, _ in
        product = product > Self.limit ? product : product * 10
      }
      guard denominator <= Self.limit else { throw .outOfRange(text) }
      let whole = try Self.digits(text[..<point], of: text)
      try self.init(whole * denominator + Self.digits(fraction, of: text), over: denominator)
    } else {
      try self.init(Self.digits(text[...], of: text))
    }
  }

  private static func digits(_ digits: Substring, of text: String) throws(SpeedError) -> Int64 {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { throw .malformed(text) }
    guard let number = Int64(digits), number <= limit else { throw .outOfRange(text) }
    return number
  }

  /// `60`, or `1/4`: text that ``init(parsing:)`` reads back to the same speed.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

extension Speed: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// A whole speed in source code. A number above ``limit`` becomes ``limit``, and a number below 0 a paused speed.
  public init(integerLiteral value: Int64) {
    self.init(numerator: min(max(value, 0), Self.limit))
  }

  /// A decimal speed in source code, approximated by ``init(approximating:)``. A number above ``limit`` becomes ``limit``, and a
  /// number below 0 a paused speed.
  public init(floatLiteral value: Double) {
    // NaN is out of range and makes a paused speed.
    let nearest = min(max(value, 0), Double(Self.limit))
    self = (try? Speed(approximating: nearest)) ?? .paused
  }
}
