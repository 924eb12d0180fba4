import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineLoading

// The zones in which clients show instants.
extension Daemon {
  /// Returns the zone of each configured job among `jobs`, by the job's name.
  func zoneNames(of jobs: some Sequence<String>) -> [String: String] {
    var names: [String: String] = [:]
    for text in jobs where names[text] == nil {
      names[text] = JobName(text).flatMap { self.jobs[$0] }?.job.zone.name
    }
    return names
  }

  /// Returns the zone in which instants of `job` are shown; the daemon's zone if `job` is `nil` or not configured.
  func zoneName(of job: String?) -> String {
    job.flatMap { JobName($0) }.flatMap { jobs[$0] }?.job.zone.name ?? settings.zone.name
  }

  /// Returns the zone that a client has requested.
  func shownZone(named name: String) throws(ControlError) -> Zone {
    guard let zone = loader.zone(named: name) else { throw .noSuchZone(zone: name) }
    return zone
  }
}
