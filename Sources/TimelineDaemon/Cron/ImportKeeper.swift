import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

/// Notices whether crontabs and timers that jobs were imported from still run them: what they run, the jobs run too.
final class ImportKeeper {
  /// Sentences about the files that were imported from what runs, as last seen; at most ``ReloadChanges/warningsMax``.
  private(set) var warnings: [String] = []

  private unowned let daemon: Daemon
  private var look: DetachedWork<[String]>?
  private var timer: Delay?
  /// Whether the configuration has changed since the look under way began.
  private var isOutdated = false

  /// Time from one look to the next: it asks systemd and reads all crontabs, and finds what an administrator forgot weeks ago.
  private static let interval = ElapsedTime.seconds(60)

  init(daemon: Daemon) { self.daemon = daemon }

  /// Goes on with the files of a new configuration.
  func follow() {
    timer?.cancel()
    timer = nil
    guard !files.isEmpty else { return warnings = [] }
    isOutdated = look != nil
    if !isOutdated { lookNow() }
  }

  /// Takes in what was seen; what is new is told to the log.
  func take(_ seen: [String]) {
    let seen = Array(seen.prefix(ReloadChanges.warningsMax))
    for warning in seen where !warnings.contains(warning) { daemon.announcer.announce(.warning, warning) }
    warnings = seen
  }

  private var files: [ConfigurationSource] {
    daemon.loaded.configuration.sources.filter(ImportOrigins.begin)
  }

  private func lookNow() {
    let (root, files) = (daemon.options.machineRoot, files)
    guard !daemon.isDraining, !files.isEmpty else { return }
    look = try? DetachedWork(name: "timeline-import", loop: daemon.loop) {
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
    timer = daemon.loop.after(Self.interval) { [weak self] in self?.lookNow() }
  }
}
