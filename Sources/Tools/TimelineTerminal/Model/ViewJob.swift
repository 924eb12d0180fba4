package import TimelineCore

/// A job in the view.
package struct ViewJob: Sendable, Equatable {
  package var name: JobName
  package var zone: Zone
  /// In words.
  package var schedule: String
  /// `nil` if the configuration is unknown.
  package var policies: JobPolicies?
  /// `since 02:30 by ada`; `nil` if the job is not paused.
  package var pause: String?
  /// The next entry, as the daemon reports it.
  package var next: WallInstant?

  package init(name: JobName, zone: Zone, schedule: String, policies: JobPolicies? = nil) {
    self.name = name
    self.zone = zone
    self.schedule = schedule
    self.policies = policies
  }
}
