public import FoundationEssentials
public import TimelineCore

extension WallInstant {
  /// Makes the instant of `date`, rounded to the nearest nanosecond, saturating.
  ///
  /// - Precondition: `date` is a number.
  public init(_ date: Date) {
    self.init(secondsSince2001: date.timeIntervalSinceReferenceDate)
  }

  private init(secondsSince2001 seconds: TimeInterval) {
    precondition(!seconds.isNaN, "the date is not a number: give one that is")
    guard let nanoseconds = seconds.nearestNanoseconds else {
      self = seconds < 0 ? .min : .max
      return
    }
    self.init(nanosecondsSinceEpoch: Int64(clamping: nanoseconds + secondsFrom1970To2001 * 1_000_000_000))
  }
}

extension Date {
  /// Makes the date of `instant`, rounded to the nearest one that a `Date` can hold.
  ///
  /// A date counts seconds in a `Double`: today its steps are 119 ns. A date that is made an instant and a date again is the same
  /// date, unless it lies within 97 days of 2001-01-01, where dates are finer than nanoseconds.
  public init(_ instant: WallInstant) {
    let nanoseconds = Int128(instant.nanosecondsSinceEpoch) - secondsFrom1970To2001 * 1_000_000_000
    self.init(timeIntervalSinceReferenceDate: TimeInterval(nanoseconds: nanoseconds))
  }
}

/// Seconds from the Unix epoch to the reference date of `Date`, 2001-01-01T00:00:00Z.
private let secondsFrom1970To2001: Int128 = 978_307_200
