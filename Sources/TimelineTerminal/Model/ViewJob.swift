package import TimelineCore

/// A job in the view.
package struct ViewJob: Sendable, Hashable {
  /// Its name.
  package var name: JobName
  /// The zone of its times.
  package var zone: Zone
  /// Its schedule in words.
  package var schedule: String
  /// Its policies, if the configuration is known.
  package var policies: JobPolicies?
  /// Text about its pause, if it is paused, such as `since 02:30 by ada`.
  package var pause: String?
  /// Numbers of its active runs, as the daemon reports them.
  package var running: [UInt64] = []
  /// Numbers of its runs that wait, as the daemon reports them.
  package var waiting: [UInt64] = []
  /// The next entry, as the daemon reports it.
  package var next: WallInstant?

  /// Makes a job.
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
