/// A length of time in whole nanoseconds, up to 292 years either way.
///
/// Sums and products saturate at ``min`` and ``max``; they never wrap. `Swift.Duration` is similar, with attoseconds
/// in 128 bits; this type is the engine's unit, with eight bytes and no rounding.
public struct ElapsedTime: Sendable, Hashable {
  /// The length in nanoseconds; negative means backwards.
  public var nanoseconds: Int64

  /// Makes a length of `nanoseconds`.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Zero nanoseconds.
  public static let zero = ElapsedTime(nanoseconds: 0)
  /// The longest backward length.
  public static let min = ElapsedTime(nanoseconds: .min)
  /// The longest forward length.
  public static let max = ElapsedTime(nanoseconds: .max)

  /// A length of `count` nanoseconds.
  public static func nanoseconds(_ count: Int64) -> ElapsedTime { ElapsedTime(nanoseconds: count) }
  /// A length of `count` microseconds, saturating.
  public static func microseconds(_ count: Int64) -> ElapsedTime { .nanoseconds(1_000) * count }
  /// A length of `count` milliseconds, saturating.
  public static func milliseconds(_ count: Int64) -> ElapsedTime { .nanoseconds(1_000_000) * count }
  /// A length of `count` seconds, saturating.
  public static func seconds(_ count: Int64) -> ElapsedTime { .nanoseconds(1_000_000_000) * count }
  /// A length of `count` minutes of 60 seconds, saturating.
  public static func minutes(_ count: Int64) -> ElapsedTime { .seconds(60) * count }
  /// A length of `count` hours of 3,600 seconds, saturating.
  public static func hours(_ count: Int64) -> ElapsedTime { .seconds(3_600) * count }
  /// A length of `count` days of 86,400 seconds, which is not always a civil day, saturating.
  public static func days(_ count: Int64) -> ElapsedTime { .seconds(86_400) * count }
}

extension ElapsedTime: Comparable {
  /// Orders lengths from backward to forward.
  public static func < (left: ElapsedTime, right: ElapsedTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension ElapsedTime {
  /// The sum of two lengths, saturating.
  public static func + (left: ElapsedTime, right: ElapsedTime) -> ElapsedTime {
    ElapsedTime(nanoseconds: left.nanoseconds.addingSaturating(right.nanoseconds))
  }

  /// Returns the difference of two lengths, saturating.
  public static func - (left: ElapsedTime, right: ElapsedTime) -> ElapsedTime {
    ElapsedTime(nanoseconds: left.nanoseconds.subtractingSaturating(right.nanoseconds))
  }

  /// The length multiplied by `count`, saturating.
  public static func * (elapsed: ElapsedTime, count: Int64) -> ElapsedTime {
    ElapsedTime(nanoseconds: elapsed.nanoseconds.multipliedSaturating(by: count))
  }
}

extension ElapsedTime {
  /// The same length as a `Duration`, exactly.
  public var duration: Duration { Duration(attoseconds: Int128(nanoseconds) * 1_000_000_000) }

  /// The length of `duration` rounded up to whole nanoseconds, saturating, so that a wait is never too short.
  public init(roundingUp duration: Duration) {
    let (quotient, remainder) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(nanoseconds: Int64(clamping: remainder > 0 ? quotient + 1 : quotient))
  }
}
