import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineHostPool
import TimelineLoading

// Jobs that lack something of the machine: each costs itself, and it is said wherever somebody looks.
extension Daemon {
  /// Tells the log of the jobs that cannot be run and of those that will not be after a restart; of very many it tells some.
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

  /// A sentence about jobs that run without some of their limits; `nil` if there are none.
  func noteOnRunLimits(of loaded: LoadedConfiguration) -> String? {
    let needed = RunLimitsSupport.controllers(for: loaded.configuration)
    return RunLimitsSupport.note(on: loaded.configuration, having: hosts.turnOn(needed))
  }

  /// The jobs that cannot be run, and those that will not be after a restart, as far as a reply tells them.
  var faultReports: [FaultReport] {
    jobs.complaints.prefix(ControlLimits.faultsMax).map { name in
      FaultReport(
        job: name.text, message: jobs.complaint(about: name) ?? "", isSuspended: jobs.isSuspended(name))
    }
  }

  /// Faults that are announced one by one: more hide what else there is to read, and one missing package is the cause of all.
  private static let faultsMax = 100
}
