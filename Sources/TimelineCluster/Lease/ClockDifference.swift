package import TimelineCore

/// The node's wall clock minus the store's, measured by the last call. Half of the duration of the call is counted as the way to
/// the store.
package struct ClockDifference: Sendable, Hashable {
  /// The difference; positive when the node is ahead.
  package let length: ElapsedTime
  /// Duration of the call; the error of the measurement is at most half of it.
  package let uncertainty: ElapsedTime

  /// Computes the difference from the moments of a call and of its reply, and the store's time in the reply.
  init(sent: NodeTime, received: NodeTime, storeTime: WallInstant) {
    let took = max(.zero, received.boot - sent.boot)
    uncertainty = took
    length = received.wall - .nanoseconds(took.nanoseconds / 2) - storeTime
  }

  /// Whether a difference is small enough to run entries by the node's clock.
  static func isTolerable(_ length: ElapsedTime) -> Bool {
    length <= ClusterTiming.clockDifferenceMax && length >= .zero - ClusterTiming.clockDifferenceMax
  }

  /// Whether the difference may be small enough, given the error of the measurement.
  var isTolerable: Bool {
    let doubt = ElapsedTime.nanoseconds(uncertainty.nanoseconds / 2)
    return Self.isTolerable(length) || Self.isTolerable(length - doubt) || Self.isTolerable(length + doubt)
  }
}
