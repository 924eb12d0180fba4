import TimelineSystem
import TimelineSystemd

/// Whether cron runs its crontabs on this machine at present, and the evidence.
package enum CronActivity: Sendable, Hashable {
  /// Cron is not active.
  case inactive
  /// Cron is active, with the evidence as a clause, for example `cron.service is active`.
  case active(String)

  /// Whether cron runs its crontabs at present.
  package var isActive: Bool { self != .inactive }

  /// Units that run crontabs, of Debian, Fedora, Arch and systemd-cron. Other crons are detected by their processes and
  /// timers (``CronRunner``).
  private static let units = ["cron.service", "crond.service", "cronie.service", "cron.target"]

  /// Checks only the process whose number is in cron's PID file, without waiting.
  ///
  /// A PID file that was not removed may contain the number of another process, so the name of the process is checked.
  ///
  /// - Parameter root: Prefix of the paths; empty except in tests.
  package static func ofProcess(below root: String) -> CronActivity {
    runner(below: root).map { .active($0.clause) } ?? .inactive
  }

  /// The process of cron's PID file, with the service that it belongs to.
  private static func runner(below root: String) -> CronRunner? {
    for file in ["/run/crond.pid", "/run/cron.pid"] {
      guard let text = text(of: root + file), let pid = Int32(text), pid > 1,
        let name = Self.text(of: "\(root)/proc/\(pid)/comm"), names.contains(name)
      else { continue }
      return CronRunner(
        clause: "process \(pid) is \(name)", unit: CronRunner.service(of: "\(root)/proc/\(pid)"))
    }
    return nil
  }

  /// Checks the process of cron's PID file first, and then calls ``runners(below:crontabs:)``, which may take a second.
  package static func look(
    below root: String, crontabs: [String]
  ) throws(UnknownCronActivity) -> CronActivity {
    let process = ofProcess(below: root)
    if process.isActive { return process }
    return try runners(below: root, crontabs: crontabs).first.map { .active($0.clause) } ?? .inactive
  }

  /// Returns the programs that run crontabs. Throws if none was found and not everything could be checked.
  ///
  /// - Parameters:
  ///   - root: Prefix of the paths; empty except in tests.
  ///   - crontabs: Paths of crontabs and of directories of crontabs, in addition to those that every cron reads.
  package static func runners(
    below root: String, crontabs: [String]
  ) throws(UnknownCronActivity) -> [CronRunner] {
    var runners = [runner(below: root)].compactMap(\.self)
    var gap: String?
    do throws(SystemError) {
      runners += try CronRunner.ofProcesses(below: root)
    } catch {
      gap = "processes cannot be listed: \(error.plainReason)"
    }
    // With another root, systemd is not asked.
    if root.isEmpty, (try? FileFacts(at: systemdDirectory)) != nil {
      if let active = SystemdUnits.active(among: units), let timers = SystemdUnits.activeTimers() {
        runners =
          active.map { CronRunner(clause: "\($0) is active", unit: $0) } + runners
          + CronRunner.ofTimers(timers, crontabs: crontabs)
      } else {
        gap = "systemd does not answer"
      }
    }
    if runners.isEmpty, let gap { throw UnknownCronActivity(reason: gap) }
    return runners
  }

  private static let names = ["cron", "crond"]
  /// Directory that exists if systemd is the init system (sd_booted(3)).
  private static let systemdDirectory = "/run/systemd/system"
  /// Limit for reading: more bytes than a process number or a name has.
  private static let byteCountMax = 64

  private static func text(of path: String) -> String? {
    guard let contents = try? FileContents.read(path, limit: byteCountMax) else { return nil }
    let line = contents.bytes.prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self).trimmingSpaces
  }
}

/// The error if no cron was found and not everything could be checked, so that cron may be active or not.
package struct UnknownCronActivity: Error {
  /// The part that could not be checked, as a clause.
  package var reason: String
}

extension String {
  /// The text without spaces at both ends.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
