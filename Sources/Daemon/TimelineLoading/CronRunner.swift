package import TimelineSystem
package import TimelineSystemd

/// A program that runs crontabs now, with the evidence and the unit to stop.
package struct CronRunner: Sendable {
  /// The evidence, for example `process 4711 is bcron-sched`.
  package var clause: String
  /// The systemd unit whose stop ends the program; `nil` without such a unit.
  package var unit: String?
  /// `nil` for units that start a process for each line.
  package var process: ProcessTree.Entry?

  package init(clause: String, unit: String?, process: ProcessTree.Entry? = nil) {
    (self.clause, self.unit, self.process) = (clause, unit, process)
  }

  /// Crontabs that a cron reads by default on any Linux.
  static let places = ["/etc/crontab", "/etc/cron.d", "/var/spool/cron"]
}

// Timers generated from crontabs, for example by systemd-cron.
extension CronRunner {
  /// Returns a runner for each unit with active timers whose source is a crontab. Stopping the unit stops these
  /// timers.
  ///
  /// - Parameter crontabs: Paths of crontabs and of directories of crontabs, in addition to those that every cron
  ///   reads.
  package static func ofTimers(_ timers: [SystemdTimer], crontabs: [String]) -> [CronRunner] {
    var units: Set<String?> = []
    return timers.compactMap { timer in
      let source = timer.sourcePath
      guard (crontabs + places).contains(where: { source == $0 || source.hasPrefix($0.asDirectory) })
      else { return nil }
      let unit = timer.partOf.count == 1 ? timer.partOf[0] : nil
      guard units.insert(unit).inserted else { return nil }
      return CronRunner(clause: "\(timer.name) is active, generated from \(source)", unit: unit)
    }
  }
}

// Processes, from the part of /proc that every user can read. Without CAP_SYS_PTRACE, the daemon cannot see the files
// and directories that other processes have open.
extension CronRunner {
  /// Bytes that are read: more than the first two words of a command, and more than the part of a process status
  /// before the line of namespaces.
  private static let textMax = 4096

  /// Returns this machine's processes with the name of a cron: `cron`, `crond`, `bcron-sched`, `busybox crond`.
  ///
  /// Excludes jobs of timelined, and processes in containers, which have their own crontabs. Throws the error of
  /// listing `/proc`.
  ///
  /// - Parameter root: Prefix of the paths; empty except in tests.
  package static func ofProcesses(below root: String) throws(SystemError) -> [CronRunner] {
    try ProcessTree.entries(below: root).compactMap { entry in
      // A thread's name is cheap to read. Reading a command line may wait for the memory of the process.
      guard !entry.isZombie, isCron(entry.name) || entry.name == multicall else { return nil }
      let path = "\(root)/proc/\(entry.process)"
      let words = text(of: "\(path)/cmdline").split(separator: "\0").prefix(2).map(\.lastComponent)
      // A child of Debian's cron or cronie that waits for a command has its name in capitals.
      guard let name = words.first == multicall ? words.last : words.first, isCron(name) else { return nil }
      let unit = service(of: path)
      guard unit != "timelined.service", !isInContainer(path) else { return nil }
      return CronRunner(clause: "process \(entry.process) is \(name.printable)", unit: unit, process: entry)
    }
  }

  /// A program with many functions, selected by the second word.
  private static let multicall = "busybox"

  /// Whether a program has the name of a cron. anacron is excluded, because it runs no crontab.
  private static func isCron(_ name: String) -> Bool {
    let word = name.prefix { $0.isLetter }
    return (word.hasSuffix("cron") || word.hasSuffix("crond")) && word != "anacron"
  }

  /// Whether the process has a number in an inner namespace (proc_pid_status(5), `NSpid:`).
  private static func isInContainer(_ process: String) -> Bool {
    let line = text(of: "\(process)/status").split(separator: "\n").first { $0.hasPrefix("NSpid:") }
    return (line?.split { $0 == "\t" || $0 == " " }.count ?? 0) > 2
  }

  /// Returns the system service of a process, from its control group; `nil` for a process of a session or a
  /// container, and without systemd.
  static func service(of process: String) -> String? {
    let line = text(of: "\(process)/cgroup").split(separator: "\n").first {
      $0.hasPrefix("0::/system.slice/")
    }
    return line?.split(separator: "/").first { $0.hasSuffix(".service") }.map(String.init)
  }

  private static func text(of path: String) -> String {
    String(decoding: (try? FileContents.beginning(of: path, count: textMax)) ?? [], as: UTF8.self)
  }
}

extension String {
  fileprivate var asDirectory: String { hasSuffix("/") ? self : self + "/" }
}

extension Substring {
  fileprivate var lastComponent: String { split(separator: "/").last.map(String.init) ?? "" }
}
