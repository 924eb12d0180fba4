import TimelineCore
package import TimelineSystem
import TimelineWire

/// Start and end of a plugin's call as the host reported them, limited to the plausible range.
package struct CallInstants: Sendable, Equatable {
  package var began: MonotonicInstant
  package var ended: MonotonicInstant

  /// Makes instants without a check.
  package init(began: MonotonicInstant, ended: MonotonicInstant) {
    self.began = began
    self.ended = ended
  }

  /// Makes the instants from a host's report of a call. The call cannot have begun before `earliest`, and its end was
  /// received at `receivedAt`.
  ///
  /// Host and daemon read the same clock, so the instants of a correct report lie between `earliest` and `receivedAt`. An
  /// instant outside is moved to the nearer of the two, so that a faulty host cannot report an impossible time.
  init(_ told: RunEnd.Call, from earliest: MonotonicInstant, receivedAt: MonotonicInstant) {
    let claimed = MonotonicInstant(nanosecondsSinceBoot: told.began)
    began = min(max(claimed, earliest), receivedAt)
    ended = min(max(claimed + .nanoseconds(Int64(clamping: told.took)), began), receivedAt)
  }
}
