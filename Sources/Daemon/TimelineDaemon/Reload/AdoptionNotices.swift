import TimelineConfiguration
import TimelineCore
import TimelineHostPool
import TimelineLoading

/// Messages about a configuration that comes into force: its warnings, and the jobs that lack something on this machine. Other
/// jobs are not affected; the log, `status` and `list` show the faults.
struct AdoptionNotices {
  private let announcer: Announcer
  private let hosts: PluginHosts

  init(_ parts: DaemonParts) { (announcer, hosts) = (parts.announcer, parts.hosts) }

  /// Largest number of warnings of a configuration that are logged. More would hide the errors among them, and the journal drops
  /// all lines after 10,000 in half a minute.
  private static let warningsMax = 100
  /// Largest number of faults that are logged one by one. More would hide other messages, and mostly one missing package is the
  /// cause of all.
  private static let faultsMax = 100

  /// Logs the warnings and the faults of a configuration.
  func announce(_ loaded: LoadedConfiguration) {
    let warnings = loaded.configuration.warnings
    for warning in warnings.prefix(Self.warningsMax) {
      announcer.announce(.warning, warning.redacted.text(withSeverity: false).trimmingNewline)
    }
    if warnings.count > Self.warningsMax {
      let rest = warnings.count - Self.warningsMax
      announcer.announce(
        .warning, "\(rest) more warnings about the configuration; `timelinectl check` shows all of them")
    }
    announce(loaded.faults, .error)
    announce(loaded.configuration.cautions, .warning)
    if let note = noteOnRunLimits(of: loaded) { announcer.announce(.warning, note) }
  }

  /// Logs jobs that cannot be run, or that cannot be run after a restart.
  private func announce(_ faults: [JobFault], _ level: Announcement.Level) {
    for fault in faults.prefix(Self.faultsMax) {
      announcer.announce(
        Announcement(level: level, text: fault.diagnostic.redacted.text().trimmingNewline, job: fault.job))
    }
    if faults.count > Self.faultsMax {
      announcer.announce(
        level, "\(faults.count - Self.faultsMax) more jobs lack something: see `timelinectl list`")
    }
  }

  /// Returns a sentence about jobs that run without some of their limits; `nil` if there are none.
  func noteOnRunLimits(of loaded: LoadedConfiguration) -> String? {
    let needed = RunLimitsSupport.controllers(for: loaded.configuration)
    return RunLimitsSupport.note(on: loaded.configuration, having: hosts.turnOn(needed))
  }
}
