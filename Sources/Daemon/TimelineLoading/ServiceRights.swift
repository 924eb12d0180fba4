package import TimelineConfiguration
import TimelineSystemd

/// Rights that root's jobs do not have in the daemon's service, but would have under cron.
package enum ServiceRights {
  /// The unit that the packages and `make install` install.
  private static let service = "timelined.service"
  /// CAP_SYS_ADMIN (capabilities(7)). An administrator who removes this capability wants to restrict jobs to file
  /// access and a change of user.
  private static let administration: UInt64 = 1 << 21

  /// Returns a message for operators about `configuration`; `nil` if the service removes no rights from its jobs.
  /// Queries systemd, which may take a second.
  package static func note(on configuration: Configuration) -> String? {
    let count = configuration.jobs.count { $0.isEnabled && ($0.user ?? "root") == "root" }
    guard count > 0, let rights = SystemdUnits.capabilities(of: service) else { return nil }
    return note(onJobsOfRoot: count, having: rights)
  }

  static func note(onJobsOfRoot count: Int, having rights: UInt64) -> String? {
    guard rights & administration == 0 else { return nil }
    let jobs = count == 1 ? "its job of root" : "its \(count) jobs of root"
    return
      "\(service) denies \(jobs) some of root's rights, such as mounting, disks in /dev, modules, the clock and "
      + "network configuration: share/doc/timelined/migration.md has the list, and how to give them back"
  }
}
