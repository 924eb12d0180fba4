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

  /// Services that run crontabs: Debian's, Fedora's, Arch's.
  package static let services = ["cron.service", "crond.service", "cronie.service"]

  /// Looks at the process alone, without waiting for anything: cron's file with its number, and what has that number.
  ///
  /// A file that nobody removed may name the number of another process: its name tells.
  ///
  /// - Parameter root: Precedes the paths; empty but for tests.
  package static func ofProcess(below root: String) -> CronActivity {
    for file in ["/run/crond.pid", "/run/cron.pid"] {
      guard let text = text(of: root + file), let pid = Int32(text), pid > 1,
        let name = Self.text(of: "\(root)/proc/\(pid)/comm"), names.contains(name)
      else { continue }
      return .active("process \(pid) is \(name)")
    }
    return .inactive
  }

  /// Looks at the process, and then asks systemd, which may take a second; `nil` when there is no process and a systemd that does not
  /// answer.
  package static func look(below root: String) -> CronActivity? {
    let process = ofProcess(below: root)
    // Below another root there is no systemd.
    if process.isActive || !root.isEmpty { return process }
    guard (try? FileFacts(at: systemdDirectory)) != nil else { return .inactive }
    guard let active = SystemdUnits.active(among: services) else { return nil }
    return active.first.map { .active("\($0) is active") } ?? .inactive
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

extension String {
  /// The text without spaces at both ends.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
