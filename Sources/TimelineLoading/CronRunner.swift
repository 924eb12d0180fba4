package import TimelineSystem
package import TimelineSystemd

/// A program that runs crontabs at present: the evidence, and what stops it.
package struct CronRunner: Sendable {
  /// The evidence, a clause, for example `process 4711 is bcron-sched`.
  package var clause: String
  /// The unit of systemd that stops it; `nil` where none does.
  package var unit: String?
  /// Its process; `nil` for units that start one for each line.
  package var process: ProcessTree.Entry?

  /// Makes a runner.
  package init(clause: String, unit: String?, process: ProcessTree.Entry? = nil) {
    (self.clause, self.unit, self.process) = (clause, unit, process)
  }

  /// Places of crontabs that a cron reads by itself, on any Linux.
  static let places = ["/etc/crontab", "/etc/cron.d", "/var/spool/cron"]
}

// Timers that a generator made of crontabs, as systemd-cron's does.
extension CronRunner {
  /// Returns a runner for each unit of which active timers with a crontab as their source are a part: it stops them.
  ///
  /// - Parameter crontabs: Paths of crontabs and of directories of them, beside those that each cron reads.
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

// Processes, as /proc shows them to each user. A daemon without CAP_SYS_PTRACE sees no directory and no file that another process has open.
extension CronRunner {
  /// More than the two first words of a command have, and more than precedes the line of namespaces in a status.
  private static let textMax = 4096

  /// Returns the processes of this machine that are named as a cron is: `cron`, `crond`, `bcron-sched`, `busybox crond`.
  ///
  /// Left out are those of containers, which have crontabs of their own, and jobs of timelined. Throws what listing `/proc` reports.
  ///
  /// - Parameter root: Precedes the paths; empty but for tests.
  package static func ofProcesses(below root: String) throws(SystemError) -> [CronRunner] {
    try ProcessTree.entries(below: root).compactMap { entry in
      // The name of a thread costs nothing to read; a command line waits for the memory of its process.
      guard !entry.isZombie, isCron(entry.name) || entry.name == multicall else { return nil }
      let path = "\(root)/proc/\(entry.process)"
      let words = text(of: "\(path)/cmdline").split(separator: "\0").prefix(2).map(\.lastComponent)
      // A child that waits for a command of Debian's cron and of cronie has capitals.
      guard let name = words.first == multicall ? words.last : words.first, isCron(name) else { return nil }
      let unit = service(of: path)
      guard unit != "timelined.service", !isInContainer(path) else { return nil }
      return CronRunner(clause: "process \(entry.process) is \(name.printable)", unit: unit, process: entry)
    }
  }

  /// A program that is many, by its second word.
  private static let multicall = "busybox"

  /// Whether a program is named as a cron is. anacron runs no crontab.
  private static func isCron(_ name: String) -> Bool {
    let word = name.prefix { $0.isLetter }
    return (word.hasSuffix("cron") || word.hasSuffix("crond")) && word != "anacron"
  }

  /// Whether a process has a number in another namespace too (proc_pid_status(5), `NSpid:`).
  private static func isInContainer(_ process: String) -> Bool {
    let line = text(of: "\(process)/status").split(separator: "\n").first { $0.hasPrefix("NSpid:") }
    return (line?.split { $0 == "\t" || $0 == " " }.count ?? 0) > 2
  }

  /// The service of the system that a process is in, by its control group; `nil` for a session, a container and no systemd.
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
