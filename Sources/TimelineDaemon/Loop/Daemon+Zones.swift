import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineLoading

// The zones in which clients show instants.
extension Daemon {
  /// The zone of every job among `jobs` that is configured, by its name.
  func zoneNames(of jobs: some Sequence<String>) -> [String: String] {
    var names: [String: String] = [:]
    for text in jobs where names[text] == nil {
      names[text] = JobName(text).flatMap { self.jobs[$0] }?.job.zone.name
    }
    return names
  }

  /// The zone in which what is about a job is shown; the daemon's without one.
  func zoneName(of job: String?) -> String {
    job.flatMap { JobName($0) }.flatMap { jobs[$0] }?.job.zone.name ?? settings.zone.name
  }

  /// The zone that a client wants to be shown.
  func shownZone(named name: String) throws(ControlError) -> Zone {
    guard let zone = loader.zone(named: name) else { throw .noSuchZone(zone: name) }
    return zone
  }
}
