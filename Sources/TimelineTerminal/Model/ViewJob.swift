package import TimelineCore

/// A job in the view.
package struct ViewJob: Sendable, Hashable {
  package var name: JobName
  package var zone: Zone
  /// In words.
  package var schedule: String
  /// `nil` if the configuration is unknown.
  package var policies: JobPolicies?
  /// `since 02:30 by ada`; `nil` if the job is not paused.
  package var pause: String?
  /// Numbers of the active runs, as the daemon reports them.
  package var running: [UInt64] = []
  /// Numbers of the waiting runs, as the daemon reports them.
  package var waiting: [UInt64] = []
  /// The next entry, as the daemon reports it.
  package var next: WallInstant?

  package init(name: JobName, zone: Zone, schedule: String, policies: JobPolicies? = nil) {
    self.name = name
    self.zone = zone
    self.schedule = schedule
    self.policies = policies
  }

  /// Records the state of a run.
  mutating func note(_ run: UInt64, isWaiting: Bool, isOver: Bool) {
    running.removeAll { $0 == run }
    waiting.removeAll { $0 == run }
    if isOver { return }
    if isWaiting { waiting.append(run) } else { running.append(run) }
  }
}
