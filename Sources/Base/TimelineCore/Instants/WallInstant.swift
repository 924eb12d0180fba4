/// A point on the wall clock: nanoseconds since 1970-01-01T00:00:00Z, from 1677-09-21 to 2262-04-11.
///
/// Instants are UTC by definition and have no zone. Sums saturate at ``min`` and ``max``; they never wrap.
/// A length of time has a type of its own, ``ElapsedTime``.
public struct WallInstant: Sendable, Hashable {
  /// Nanoseconds since the Unix epoch, leap seconds not counted (POSIX time).
  public var nanosecondsSinceEpoch: Int64

  /// Makes the instant that lies `nanosecondsSinceEpoch` after the Unix epoch.
  public init(nanosecondsSinceEpoch: Int64) {
    self.nanosecondsSinceEpoch = nanosecondsSinceEpoch
  }

  /// Makes the instant that lies `secondsSinceEpoch` whole seconds after the Unix epoch, saturating.
  public init(secondsSinceEpoch: Int64) {
    let (product, overflow) = secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    self.nanosecondsSinceEpoch = overflow ? (secondsSinceEpoch < 0 ? .min : .max) : product
  }

  /// 1970-01-01T00:00:00Z.
  public static let epoch = WallInstant(nanosecondsSinceEpoch: 0)
  /// The earliest instant that can be represented.
  public static let min = WallInstant(nanosecondsSinceEpoch: .min)
  /// The latest instant that can be represented.
  public static let max = WallInstant(nanosecondsSinceEpoch: .max)
}

extension WallInstant: Comparable {
  /// Orders instants from past to future.
  public static func < (left: WallInstant, right: WallInstant) -> Bool {
    left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
  }
}

extension WallInstant {
  /// The instant `elapsed` later, saturating.
  public static func + (instant: WallInstant, elapsed: ElapsedTime) -> WallInstant {
    WallInstant(
      nanosecondsSinceEpoch: instant.nanosecondsSinceEpoch.addingSaturating(elapsed.nanoseconds))
  }

  /// The instant `elapsed` earlier, saturating.
  public static func - (instant: WallInstant, elapsed: ElapsedTime) -> WallInstant {
    WallInstant(
      nanosecondsSinceEpoch: instant.nanosecondsSinceEpoch.subtractingSaturating(elapsed.nanoseconds))
  }

  /// The time from `earlier` to `later`, negative if `later` is before `earlier`, saturating.
  public static func - (later: WallInstant, earlier: WallInstant) -> ElapsedTime {
    ElapsedTime(
      nanoseconds: later.nanosecondsSinceEpoch.subtractingSaturating(earlier.nanosecondsSinceEpoch))
  }
}

extension WallInstant: InstantProtocol {
  /// The instant `duration` later, rounded to the nearest nanosecond, saturating.
  ///
  /// `Duration.seconds(1.2)` is the nearest binary number, a little less than 1.2 s; the result is still exactly 1.2 s later.
  public func advanced(by duration: Duration) -> WallInstant {
    let (nanoseconds, overflow) = duration.nearestNanoseconds.addingReportingOverflow(
      Int128(nanosecondsSinceEpoch))
    if overflow { return duration < .zero ? .min : .max }
    return WallInstant(nanosecondsSinceEpoch: Int64(clamping: nanoseconds))
  }

  /// The exact time from this instant to `other`, negative when `other` is earlier.
  public func duration(to other: WallInstant) -> Duration {
    let nanoseconds = Int128(other.nanosecondsSinceEpoch) - Int128(nanosecondsSinceEpoch)
    return Duration(attoseconds: nanoseconds * 1_000_000_000)
  }
}
