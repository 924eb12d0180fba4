import TimelineSystem
import TimelineSystemd

/// Whether cron runs its crontabs on this machine at present, and how that was seen.
package enum CronActivity: Sendable, Hashable {
  /// It does not.
  case inactive
  /// It does: a clause says what was seen, for example `cron.service is active`.
  case active(String)

  /// Whether cron runs its crontabs.
  package var isActive: Bool { self != .inactive }

  /// Units that run crontabs: Debian's, Fedora's, Arch's, systemd-cron's. Others are noticed by their processes and timers (``CronRunner``).
  private static let units = ["cron.service", "crond.service", "cronie.service", "cron.target"]

  /// Looks at the process alone, without waiting for anything: cron's file with its number, and what has that number.
  ///
  /// A file that nobody removed may name the number of another process: its name tells.
  ///
  /// - Parameter root: Precedes the paths; empty but for tests.
  package static func ofProcess(below root: String) -> CronActivity {
    runner(below: root).map { .active($0.clause) } ?? .inactive
  }

  /// The process of cron's file, with the service that it is in.
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

  /// Looks at the process of cron's file, and then for what ``runners(below:crontabs:)`` finds, which may take a second.
  package static func look(
    below root: String, crontabs: [String]
  ) throws(UnknownCronActivity) -> CronActivity {
    let process = ofProcess(below: root)
    if process.isActive { return process }
    return try runners(below: root, crontabs: crontabs).first.map { .active($0.clause) } ?? .inactive
  }

  /// Returns what runs crontabs; throws when nothing was found, and not everything could be looked at.
  ///
  /// - Parameters:
  ///   - root: Precedes the paths; empty but for tests.
  ///   - crontabs: Paths of crontabs and of directories of them, beside those that each cron reads.
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
    // Below another root there is no systemd.
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
  /// Directory that is there where systemd runs the machine (sd_booted(3)).
  private static let systemdDirectory = "/run/systemd/system"
  /// More than a number or a name has.
  private static let byteCountMax = 64

  private static func text(of path: String) -> String? {
    guard let contents = try? FileContents.read(path, limit: byteCountMax) else { return nil }
    let line = contents.bytes.prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self).trimmingSpaces
  }
}

/// Not known is whether cron is active: no cron was seen, and not everything could be looked at.
package struct UnknownCronActivity: Error {
  /// The part that could not be looked at, a clause.
  package var reason: String
}

extension String {
  /// The text without spaces at both ends.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
