import TimelineCore
package import TimelineSystem
import TimelineWire

/// Start and end of a plugin's call as its host reported them, as far as the host can be believed.
package struct CallInstants: Sendable, Hashable {
  /// Instant at which the plugin was called.
  package var began: MonotonicInstant
  /// Instant at which it had returned.
  package var ended: MonotonicInstant

  /// Makes instants that are believed.
  package init(began: MonotonicInstant, ended: MonotonicInstant) {
    self.began = began
    self.ended = ended
  }

  /// Takes what a host tells of a call that cannot have begun before `earliest` and was over when its end was `heard`.
  ///
  /// Host and daemon read the same clock, so what an honest host tells lies between the two. Another one can claim nothing that
  /// could not have been: what lies outside is moved to the nearer of the two.
  init(_ told: RunEnd.Call, from earliest: MonotonicInstant, heard: MonotonicInstant) {
    let claimed = MonotonicInstant(nanosecondsSinceBoot: told.began)
    began = min(max(claimed, earliest), heard)
    ended = min(max(claimed + .nanoseconds(Int64(clamping: told.took)), began), heard)
  }
}
