import TimelineCore
import TimelineLoading
import TimelineSystem

/// Notices a new edition of the zone database, or another zone of the machine, and puts it in force without a restart.
final class ZoneKeeper {
  private unowned let daemon: Daemon
  private var watch: FolderWatch?
  /// The last change, for whoever asks.
  private(set) var lastChange: ZoneChange?

  /// An upgrade of tzdata writes for about a second.
  private static let quiet = ElapsedTime.seconds(2)

  init(daemon: Daemon) {
    self.daemon = daemon
  }

  /// Begins to watch; a machine that cannot be watched is told of once, and a reload still reads the zones anew.
  func begin() {
    do throws(SystemError) {
      watch = try FolderWatch(loop: daemon.loop, quiet: Self.quiet) { [weak self] in self?.look() }
      watch?.watch(folders: daemon.loader.zoneFolders)
    } catch {
      daemon.announcer.announce(
        .warning, "changes of the time zones are not noticed until a reload: \(error)")
    }
  }

  /// Watches the zones that a new configuration names.
  func follow() {
    watch?.watch(folders: daemon.loader.zoneFolders)
  }

  private func look() {
    defer { follow() }
    guard !daemon.isDraining, let change = daemon.loader.refreshZones(of: daemon.loaded, now: daemon.now)
    else { return }
    lastChange = change
    daemon.announcer.announce(.notice, change.description, kind: .zonesChanged)
    daemon.reload(change.loaded)
  }
}
