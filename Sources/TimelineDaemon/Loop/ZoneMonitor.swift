import TimelineCore
import TimelineLoading
import TimelineSystem

/// Monitor of the zone database and of the machine's zone: puts changes in force without a restart.
final class ZoneMonitor {
  private unowned let daemon: Daemon
  private var watch: DirectoryWatch?
  private var reading: DetachedWork<ZoneChange?>?
  /// Whether files have changed since the reading under way began.
  private var isOutdated = false
  /// The last change, for `status`.
  private(set) var lastChange: ZoneChange?

  /// Time without further changes before the zones are read: an upgrade of tzdata writes for about a second.
  private static let quiet = ElapsedTime.seconds(2)

  init(daemon: Daemon) {
    self.daemon = daemon
  }

  /// Begins to watch the directories of the zones. If they cannot be watched, logs a warning once. A reload still reads the
  /// zones anew.
  func begin() {
    do throws(SystemError) {
      watch = try DirectoryWatch(loop: daemon.loop, quiet: Self.quiet) { [weak self] in self?.look() }
      watch?.watch(directories: daemon.loader.zoneDirectories)
    } catch {
      daemon.announcer.announce(
        .warning, "changes of the time zones are not noticed until a reload: \(error)")
    }
  }

  /// Watches the zones that a new configuration names.
  func follow() {
    watch?.watch(directories: daemon.loader.zoneDirectories)
  }

  private func look() {
    // Watch first: files in a new directory must not be missed between reading and watching.
    follow()
    guard !daemon.isDraining else { return }
    guard reading == nil else {
      isOutdated = true
      return
    }
    isOutdated = false
    let (loader, loaded, now, count) = (daemon.loader, daemon.loaded, daemon.now, daemon.jobs.adoptionCount)
    do throws(SystemError) {
      reading = try DetachedWork(name: "timeline-zones", loop: daemon.loop) {
        loader.refreshZones(of: loaded, now: now)
      } completion: { [weak self] change in
        self?.take(change, foundAt: count)
      }
    } catch {
      daemon.announcer.announce(.warning, "changes of the time zones cannot be read now: \(error)")
    }
  }

  private func take(_ change: ZoneChange?, foundAt count: Int) {
    reading = nil
    follow()
    // A reload in between has read the zones itself, and its result is newer.
    if isOutdated || (change != nil && count != daemon.jobs.adoptionCount) { return look() }
    guard !daemon.isDraining, let change else { return }
    if !change.zones.isEmpty || change.isOtherZone { lastChange = change }
    daemon.announcer.announce(.notice, change.description, kind: .zonesChanged)
    daemon.reload(change.loaded)
  }
}
