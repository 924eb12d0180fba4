public import FoundationEssentials
public import TimelineCore

extension ElapsedTime {
  /// Makes a length of `interval` seconds, rounded to the nearest nanosecond, saturating.
  ///
  /// - Precondition: `interval` is a number.
  public init(timeInterval interval: TimeInterval) {
    precondition(!interval.isNaN, "the time interval is not a number: give one that is")
    self.init(
      nanoseconds: interval.nearestNanoseconds.map { Int64(clamping: $0) } ?? (interval < 0 ? .min : .max))
  }

  /// The length in seconds, rounded to the nearest that a `Double` can hold.
  public var timeInterval: TimeInterval { TimeInterval(nanoseconds: Int128(nanoseconds)) }
}

extension Duration {
  /// The length in seconds, at most one step of a `Double` from the exact value.
  public var timeInterval: TimeInterval { TimeInterval(attoseconds) / 1e18 }
}

extension TimeInterval {
  /// The nearest whole number of nanoseconds; `nil` for more seconds than 64 bits hold.
  var nearestNanoseconds: Int128? {
    let whole = rounded(.towardZero)
    guard let seconds = Int64(exactly: whole) else { return nil }
    // The difference is exact, so that the product is rounded once.
    return Int128(seconds) * 1_000_000_000 + Int128(((self - whole) * 1e9).rounded())
  }

  /// The seconds of `nanoseconds`: whole seconds are exact, and the sum with the rest is rounded once more.
  init(nanoseconds: Int128) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self = TimeInterval(seconds) + TimeInterval(rest) / 1e9
  }
}
