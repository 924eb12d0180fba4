import TimelineCore
package import TimelineSystem
import TimelineWire

/// When a host called a plugin and when that call was over, as far as the host can be believed.
package struct CallInstants: Sendable, Hashable {
  /// When the plugin was called.
  package var began: MonotonicInstant
  /// When it had returned.
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
