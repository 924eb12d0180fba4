import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineHostPool
import TimelineLoading

// Jobs that lack something on the machine. Other jobs are not affected; the log, `status` and `list` show the faults.
extension Daemon {
  /// Logs the jobs that cannot be run and those that cannot be run after a restart, up to ``faultsMax`` of each.
  func announceFaults(of loaded: LoadedConfiguration) {
    for (faults, level) in [
      (loaded.faults, Announcement.Level.error), (loaded.configuration.cautions, .warning),
    ] {
      for fault in faults.prefix(Self.faultsMax) {
        announcer.announce(
          Announcement(level: level, text: fault.diagnostic.redacted.text().trimmingNewline, job: fault.job))
      }
      if faults.count > Self.faultsMax {
        announcer.announce(
          level, "\(faults.count - Self.faultsMax) more jobs lack something: see `timelinectl list`")
      }
    }
  }

  /// Returns a sentence about jobs that run without some of their limits; `nil` if there are none.
  func noteOnRunLimits(of loaded: LoadedConfiguration) -> String? {
    let needed = RunLimitsSupport.controllers(for: loaded.configuration)
    return RunLimitsSupport.note(on: loaded.configuration, having: hosts.turnOn(needed))
  }

  /// The jobs that cannot be run and those that cannot be run after a restart, up to the limit of a reply.
  var faultReports: [FaultReport] {
    jobs.complaints.prefix(ControlLimits.faultsMax).map { name in
      FaultReport(
        job: name.text, message: jobs.complaint(about: name) ?? "", isSuspended: jobs.isSuspended(name))
    }
  }

  /// Largest number of faults that are logged one by one. More would hide other messages, and mostly one missing package is the
  /// cause of all.
  private static let faultsMax = 100
}
