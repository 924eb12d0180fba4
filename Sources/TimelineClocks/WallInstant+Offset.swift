public import TimelineCore

extension WallInstant {
  /// Makes the instant that lies `offset` after the Unix epoch, where clocks that are moved manually begin.
  ///
  /// Rounded down to whole nanoseconds and saturating, as `advanced(by:)` is.
  public init(offset: Duration = .zero) {
    self = WallInstant.epoch.advanced(by: offset)
  }
}
