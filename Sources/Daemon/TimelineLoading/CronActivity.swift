import TimelineSystem
import TimelineSystemd

/// Whether cron runs its crontabs on this machine now, and the evidence.
package enum CronActivity: Sendable, Equatable {
  case inactive
  /// Active, with the evidence as a clause, for example `cron.service is active`.
  case active(String)

  package var isActive: Bool { self != .inactive }

  /// Units of Debian, Fedora, Arch and systemd-cron that run crontabs. Other crons are detected by their processes
  /// and timers (``CronRunner``).
  private static let units = ["cron.service", "crond.service", "cronie.service", "cron.target"]

  /// Checks only the process with the number in cron's PID file, without waiting.
  ///
  /// A stale PID file may contain the number of another process, so the process's name is checked.
  ///
  /// - Parameter root: Prefix of the paths; empty except in tests.
  package static func ofProcess(below root: String) -> CronActivity {
    runner(below: root).map { .active($0.clause) } ?? .inactive
  }

  /// Returns the process of cron's PID file, with its service.
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

  /// Checks the process of cron's PID file first. Then calls ``runners(below:crontabs:)``, which may take a second.
  package static func look(
    below root: String, crontabs: [String]
  ) throws(UnknownCronActivity) -> CronActivity {
    let process = ofProcess(below: root)
    if process.isActive { return process }
    return try runners(below: root, crontabs: crontabs).first.map { .active($0.clause) } ?? .inactive
  }

  /// Returns the programs that run crontabs. Throws if no program was found and some part could not be checked.
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
    // With another root, systemd is not queried.
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
  /// Bytes that are read: more than the length of a process number or a name.
  private static let byteCountMax = 64

  private static func text(of path: String) -> String? {
    guard let contents = try? FileContents.read(path, limit: byteCountMax) else { return nil }
    let line = contents.bytes.prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self).trimmingSpaces
  }
}

/// Thrown if no cron was found and some part could not be checked, so that cron may be active or not.
package struct UnknownCronActivity: Error {
  /// The unchecked part, as a clause.
  package var reason: String
}

extension String {
  /// The text without spaces at both ends.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
