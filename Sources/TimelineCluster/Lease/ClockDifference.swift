package import TimelineCore

/// The node's wall clock minus the store's, as the last call measured it: half of the time that the call took is the way there.
package struct ClockDifference: Sendable, Hashable {
  /// The difference; positive when the node is ahead.
  package let length: ElapsedTime
  /// Time that the call took; the measurement is wrong by half of it at most.
  package let uncertainty: ElapsedTime

  /// Measures by a call that was sent and answered at these moments, and carried the store's time.
  init(sent: NodeTime, received: NodeTime, storeTime: WallInstant) {
    let took = max(.zero, received.boot - sent.boot)
    uncertainty = took
    length = received.wall - .nanoseconds(took.nanoseconds / 2) - storeTime
  }

  /// Whether a difference is small enough to run entries by.
  static func isTolerable(_ length: ElapsedTime) -> Bool {
    length <= ClusterTiming.clockDifferenceMax && length >= .zero - ClusterTiming.clockDifferenceMax
  }

  /// Whether the difference is small enough, as far as the measurement can tell.
  var isTolerable: Bool {
    let doubt = ElapsedTime.nanoseconds(uncertainty.nanoseconds / 2)
    return Self.isTolerable(length) || Self.isTolerable(length - doubt) || Self.isTolerable(length + doubt)
  }
}
