// The members of `Swift.Duration`. If a literal fits both types, the members with whole numbers have precedence.

extension ElapsedTime {
  /// A length of `seconds`, rounded to the nearest nanosecond, saturating.
  ///
  /// - Precondition: `seconds` is a number.
  @_disfavoredOverload
  public static func seconds(_ seconds: Double) -> ElapsedTime { rounding(seconds, of: 1_000_000_000) }

  /// A length of `milliseconds`, rounded to the nearest nanosecond, saturating.
  ///
  /// - Precondition: `milliseconds` is a number.
  @_disfavoredOverload
  public static func milliseconds(_ milliseconds: Double) -> ElapsedTime {
    rounding(milliseconds, of: 1_000_000)
  }

  /// A length of `count` seconds, saturating.
  @_disfavoredOverload
  public static func seconds(_ count: some BinaryInteger) -> ElapsedTime { .seconds(Int64(clamping: count)) }

  /// A length of `count` milliseconds, saturating.
  @_disfavoredOverload
  public static func milliseconds(_ count: some BinaryInteger) -> ElapsedTime {
    .milliseconds(Int64(clamping: count))
  }

  private static func rounding(_ count: Double, of unit: Double) -> ElapsedTime {
    precondition(!count.isNaN, "the length is not a number: give one that is")
    guard count.magnitude < 9e18 else { return count < 0 ? .min : .max }
    // Whole units are exact, and the product with the rest is rounded once. Conversions round towards zero, which
    // does not require the math library.
    let units = Int64(count)
    let rest = (count - Double(units)) * unit
    return ElapsedTime(nanoseconds: Int64(unit)) * units
      + ElapsedTime(nanoseconds: Int64(rest < 0 ? rest - 0.5 : rest + 0.5))
  }

  /// The whole seconds, and the rest in attoseconds.
  public var components: (seconds: Int64, attoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (seconds, rest * 1_000_000_000)
  }

  /// The length multiplied by `count`, saturating.
  @_disfavoredOverload
  public static func * (elapsed: ElapsedTime, count: some BinaryInteger) -> ElapsedTime {
    elapsed * Int64(clamping: count)
  }

  /// The length divided by `count`, rounded towards zero, saturating.
  ///
  /// - Precondition: `count` is not zero.
  public static func / (elapsed: ElapsedTime, count: some BinaryInteger) -> ElapsedTime {
    let (quotient, overflow) = elapsed.nanoseconds.dividedReportingOverflow(by: Int64(clamping: count))
    precondition(count != 0, "a length is divided by zero: divide it by another number")
    return overflow ? .max : ElapsedTime(nanoseconds: quotient)
  }

  /// The ratio of two lengths.
  public static func / (elapsed: ElapsedTime, other: ElapsedTime) -> Double {
    Double(elapsed.nanoseconds) / Double(other.nanoseconds)
  }
}

extension WallInstant {
  /// The instant `duration` later, rounded to the nearest nanosecond, saturating.
  @_disfavoredOverload
  public static func + (instant: WallInstant, duration: Duration) -> WallInstant {
    instant.advanced(by: duration)
  }

  /// The instant `duration` earlier, rounded to the nearest nanosecond, saturating.
  @_disfavoredOverload
  public static func - (instant: WallInstant, duration: Duration) -> WallInstant {
    // The longest backward length has no opposite.
    instant.advanced(
      by: duration == Duration(attoseconds: .min) ? Duration(attoseconds: .max) : .zero - duration)
  }
}
