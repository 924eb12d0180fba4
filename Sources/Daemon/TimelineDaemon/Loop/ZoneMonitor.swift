import TimelineCore
import TimelineLoading
import TimelineSystem

/// Monitor of the zone database and of the machine's zone: puts changes in force without a restart.
final class ZoneMonitor {
  private let parts: DaemonParts
  private let jobs: LoadedJobs
  private let reload: (LoadedConfiguration) -> Void
  private var isEnded = false
  private var watch: DirectoryWatch?
  private var reading: DetachedWork<ZoneChange?>?
  /// Whether files have changed since the reading under way began.
  private var isOutdated = false
  /// The last change, for `status`.
  private(set) var lastChange: ZoneChange?

  /// Time without further changes before the zones are read: an upgrade of tzdata writes for about a second.
  private static let quiet = ElapsedTime.seconds(2)

  /// Makes a monitor; `reload` puts the configuration with the changed zones in force.
  init(_ parts: DaemonParts, jobs: LoadedJobs, reload: @escaping (LoadedConfiguration) -> Void) {
    (self.parts, self.jobs, self.reload) = (parts, jobs, reload)
  }

  /// Ends the monitoring, because the daemon is about to end.
  func end() { isEnded = true }

  /// Begins to watch the directories of the zones. If they cannot be watched, logs a warning once. A reload still reads the
  /// zones anew.
  func begin() {
    do throws(SystemError) {
      watch = try DirectoryWatch(loop: parts.loop, quiet: Self.quiet) { [weak self] in self?.look() }
      watch?.watch(directories: parts.loader.zoneDirectories)
    } catch {
      parts.announcer.announce(
        .warning, "changes of the time zones are not noticed until a reload: \(error)")
    }
  }

  /// Watches the zones that a new configuration names.
  func follow() {
    watch?.watch(directories: parts.loader.zoneDirectories)
  }

  private func look() {
    // Watch first: files in a new directory must not be missed between reading and watching.
    follow()
    guard !isEnded else { return }
    guard reading == nil else {
      isOutdated = true
      return
    }
    isOutdated = false
    let (loader, loaded, now, count) = (parts.loader, jobs.loaded, parts.clock.now, jobs.adoptionCount)
    do throws(SystemError) {
      reading = try DetachedWork(name: "timeline-zones", loop: parts.loop) {
        loader.refreshZones(of: loaded, now: now)
      } completion: { [weak self] change in
        self?.take(change, foundAt: count)
      }
    } catch {
      parts.announcer.announce(.warning, "changes of the time zones cannot be read now: \(error)")
    }
  }

  private func take(_ change: ZoneChange?, foundAt count: Int) {
    reading = nil
    follow()
    // A reload in between has read the zones itself, and its result is newer.
    if isOutdated || (change != nil && count != jobs.adoptionCount) { return look() }
    guard !isEnded, let change else { return }
    if !change.zones.isEmpty || change.isOtherZone { lastChange = change }
    parts.announcer.announce(.notice, change.description, kind: .zonesChanged)
    reload(change.loaded)
  }
}
