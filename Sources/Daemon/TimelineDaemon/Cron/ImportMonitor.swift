import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

/// Monitor of the crontabs and timers that jobs were imported from. Warns if a crontab or timer is still active, because the
/// work is then done twice.
final class ImportMonitor {
  /// Warnings about files whose crontabs or timers are still active, as last seen; at most ``ReloadChanges/warningsMax``.
  private(set) var warnings: [String] = []

  private let parts: DaemonParts
  private let jobs: LoadedJobs
  private var look: DetachedWork<[String]>?
  private var timer: Delay?
  private var isEnded = false
  /// Whether the configuration has changed since the check under way began.
  private var isOutdated = false

  /// Time between two checks. A check queries systemd and reads all crontabs. The check is not urgent, because it finds timers
  /// and crontabs that an administrator forgot weeks ago.
  private static let interval = ElapsedTime.seconds(60)

  init(_ parts: DaemonParts, jobs: LoadedJobs) {
    (self.parts, self.jobs) = (parts, jobs)
  }

  /// Ends the monitoring, because the daemon is about to end.
  func end() { isEnded = true }

  /// Monitors the crontabs and timers from which files of a new configuration were imported.
  func follow() {
    timer?.cancel()
    timer = nil
    guard !files.isEmpty else { return warnings = [] }
    isOutdated = look != nil
    if !isOutdated { lookNow() }
  }

  /// Replaces the warnings, and logs the new ones.
  func take(_ seen: [String]) {
    let seen = Array(seen.prefix(ReloadChanges.warningsMax))
    for warning in seen where !warnings.contains(warning) { parts.announcer.announce(.warning, warning) }
    warnings = seen
  }

  private var files: [ConfigurationSource] {
    jobs.loaded.configuration.sources.filter(ImportOrigins.begin)
  }

  private func lookNow() {
    let (root, files) = (parts.options.machineRoot, files)
    guard !isEnded, !files.isEmpty else { return }
    look = try? DetachedWork(name: "timeline-import", loop: parts.loop) {
      ImportOrigins.warnings(about: files, below: root)
    } completion: { [weak self] seen in
      guard let self else { return }
      look = nil
      if isOutdated {
        follow()
      } else {
        take(seen)
        schedule()
      }
    }
    if look == nil { schedule() }
  }

  private func schedule() {
    timer = parts.loop.after(Self.interval) { [weak self] in self?.lookNow() }
  }
}
