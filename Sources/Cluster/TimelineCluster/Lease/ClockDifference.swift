package import TimelineCore

/// The node's wall clock minus the store's clock, measured by the last call. The store's clock is assumed to be read in the
/// middle of the call.
package struct ClockDifference: Sendable, Equatable {
  /// Positive if the node's clock is ahead.
  package let length: ElapsedTime
  /// Duration of the call. The error of the measurement is at most half of this duration.
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
