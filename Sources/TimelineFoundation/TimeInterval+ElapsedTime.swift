public import FoundationEssentials
public import TimelineCore

extension ElapsedTime {
  /// Makes a length of `interval` seconds, rounded to the nearest nanosecond, saturating.
  ///
  /// - Precondition: `interval` is a number.
  public init(timeInterval interval: TimeInterval) {
    precondition(!interval.isNaN, "the time interval is not a number: give one that is")
    let nanoseconds = (interval * 1e9).rounded()
    self.init(nanoseconds: Int64(exactly: nanoseconds) ?? (interval < 0 ? .min : .max))
  }

  /// The length in seconds, rounded to the nearest that a `Double` can hold.
  public var timeInterval: TimeInterval { TimeInterval(nanoseconds: Int128(nanoseconds)) }
}

extension Duration {
  /// The length in seconds, rounded to a neighbor of the nearest that a `Double` can hold at most.
  public var timeInterval: TimeInterval { TimeInterval(attoseconds) / 1e18 }
}

extension TimeInterval {
  /// The seconds of `nanoseconds`: whole seconds are exact, and the sum with the rest is rounded once more.
  init(nanoseconds: Int128) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self = TimeInterval(seconds) + TimeInterval(rest) / 1e9
  }
}
