public import TimelineCore

extension WallInstant {
  /// Makes the instant that lies `offset` after the Unix epoch, where clocks that are moved manually begin.
  ///
  /// Rounded to the nearest nanosecond and saturating, as `advanced(by:)` is.
  public init(offset: Duration = .zero) {
    self = WallInstant.epoch.advanced(by: offset)
  }
}

extension WallInstant {
  /// Returns the instant `count` times `interval` later, rounded once, saturating.
  package func advanced(by interval: Duration, times count: Int128) -> WallInstant {
    let (attoseconds, overflow) = interval.attoseconds.multipliedReportingOverflow(by: count)
    guard overflow else { return advanced(by: Duration(attoseconds: attoseconds)) }
    return (interval < .zero) == (count < 0) ? .max : .min
  }
}
