import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// Crontabs of a real daemon on a simulated machine where cron starts and stops. A minute passes in a second.
@Suite(.enabled(if: CurrentProcess.effectiveUser == 0, "cron's own crontabs are root's"))
struct `Crontabs of a real daemon` {
  /// Crontabs, and the files by which cron's process is recognized.
  private struct Village {
    let workshop: Workshop
    let root: String

    init() throws {
      workshop = try Workshop()
      root = workshop.path + "/machine"
      for directory in ["machine/run", "machine/proc/4711", "cron.d"] {
        try FileManager.default.createDirectory(
          atPath: "\(workshop.path)/\(directory)", withIntermediateDirectories: true)
      }
      try workshop.write("cron\n", to: "machine/proc/4711/comm")
      // Replaces `exec`, because commands are not under test.
      let steady = try String(
        contentsOfFile: "\(sourceRoot)/Tests/BrokenPlugins/steady/steady.c", encoding: .utf8
      ).replacing("steady", with: "exec")
      try workshop.compile(steady, name: "exec")
      try workshop.configure("[include]\ncrontabs = [\"\(workshop.path)/cron.d\"]\n")
    }

    func startCron() throws { try workshop.write("4711\n", to: "machine/run/crond.pid") }
    func stopCron() throws { try FileManager.default.removeItem(atPath: root + "/run/crond.pid") }

    func write(_ lines: String, mode: Int = 0o644) throws {
      let path = try workshop.write("MAILTO=\"\"\n" + lines, to: "cron.d/tests")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func start() throws -> DaemonProcess {
      let daemon = try DaemonProcess(
        workshop,
        arguments: [
          "--clock", "scaled:60", "--from", "2027-01-10T00:00:00Z", "--machine-root", root, "--control",
          workshop.path + "/control.sock",
        ])
      try daemon.begin()
      return daemon
    }
  }

  private static func entries(_ daemon: DaemonProcess) throws -> [EntryReport] {
    try `The verbs that look back and hold on, on a real daemon`.decode(
      EntryReport.self, daemon.control("history", "tests-true", "-n", "1000", "--json").output)
  }

  /// Messages of a cron that ran the job at these instants.
  private static func journal(_ instants: [WallInstant]) -> String {
    func message(_ text: String, _ instant: WallInstant) -> String {
      "{\"__REALTIME_TIMESTAMP\":\"\(instant.nanosecondsSinceEpoch / 1_000)\",\"MESSAGE\":\"\(text)\"}\n"
    }
    guard let first = instants.first else { return "" }
    return message("(CRON) STARTUP (fork ok)", first - .seconds(60))
      + instants.map { message("(root) CMD (/bin/true)", $0 + .seconds(1)) }.joined()
  }

  @Test func `are left to cron while it is active, and run here when it is not`() throws {
    let village = try Village()
    try village.write("* * * * * root /bin/true\nnonsense\n")
    try village.startCron()
    let daemon = try village.start()
    try daemon.line(containing: "1 job of a crontab is left to cron: process 4711 is cron")
    try daemon.line(containing: "the line is not carried")
    try daemon.wait(for: "entries") {
      ((try? Self.entries(daemon)) ?? []).count { $0.outcome == "left-to-cron" } >= 5
    }
    #expect(daemon.settled("tests-true").allSatisfy { $0.outcome != "succeeded" })
    #expect(try daemon.control("list").output.contains("(left to cron)"))
    #expect(try daemon.control("status").output.contains("1 job, as process 4711 is cron"))
    let last = try #require(Self.entries(daemon).last { $0.outcome == "left-to-cron" }).entry.instant
    let why = try daemon.control("why", "tests-true", last.description).output
    #expect(why.contains("cron") && why.contains("process 4711 is cron"), "\(why)")
    try compare(daemon, village)

    // A reload looks at once.
    try village.stopCron()
    #expect(try daemon.control("reload").end == .exited(0))
    try daemon.line(containing: "1 job of a crontab is run here from now on")
    try daemon.line(containing: "tests-true", "succeeded")
    #expect(try !daemon.control("list").output.contains("(left to cron)"))

    // The next start looks for the process.
    let count = daemon.lines.count
    try village.startCron()
    try daemon.line(containing: "1 job of a crontab is left to cron", after: count)
    let left = try Self.entries(daemon).filter { $0.outcome == "left-to-cron" }.count
    try daemon.wait(for: "more entries") {
      ((try? Self.entries(daemon)) ?? []).count { $0.outcome == "left-to-cron" } >= left + 2
    }
    let outcomes = try Self.entries(daemon).map(\.entry)
    #expect(Set(outcomes).count == outcomes.count, "an entry has one outcome")
    #expect(try daemon.stop() == .exited(0))
  }

  /// Compares with a journal that has what the job would have run, and with one that lacks a run.
  private func compare(_ daemon: DaemonProcess, _ village: Village) throws {
    let instants = try Self.entries(daemon).filter { $0.outcome == "left-to-cron" }.map(\.entry.instant)
    let path = try village.workshop.write(Self.journal(instants), to: "journal")
    func takeover(_ words: String...) throws -> (end: ProcessEnd, output: String) {
      let answer = try daemon.control(["takeover", "--dry-run", "--journal", path] + words)
      return (answer.end, answer.output)
    }
    let same = try takeover()
    #expect(same.output.contains("[job tests-true]: both ran "), "\(same.output)")
    try village.workshop.write("", to: "journal")
    let none = try takeover()
    #expect(
      none.end == .exited(1) && none.output.contains("[job tests-true]: not compared: no evidence"),
      "\(none.output)")
    #expect(!none.output.contains("both ran"))
    var fewer = instants
    fewer.remove(at: 2)
    try village.workshop.write(Self.journal(fewer), to: "journal")
    let differing = try takeover()
    #expect(differing.end == .exited(1))
    #expect(differing.output.contains("only-timelined"), "\(differing.output)")
    #expect(try takeover("--json").output.contains(#""differs":true"#))
  }

  @Test func `that were imported are named by start, reload and status while cron is active`() throws {
    let village = try Village()
    try village.workshop.configure(
      """
      # Imported from /etc/crontab by timelinectl import crontab.
      # /etc/crontab:1: 5 * * * * root true
      [job.a]
      plugin = "exec"
      schedule = "on-demand"
      """)
    try FileManager.default.createDirectory(
      atPath: village.root + "/etc", withIntermediateDirectories: true)
    try village.workshop.write("5 * * * * root true\n", to: "machine/etc/crontab")
    let daemon = try village.start()
    let words = "cron still runs this line (process 4711 is cron), as well as this file: remove it there"
    #expect(try !daemon.control(["reload"]).errors.contains("cron"))
    try village.startCron()
    let warned = try daemon.control(["reload"])
    #expect(warned.errors.contains(words), "\(warned)")
    #expect(
      try daemon.control(["status", "--exit-code"]).output.contains("notice: cron: \(village.workshop.path)"))
    #expect(try daemon.stop() == .exited(0))
    let next = try village.start()
    try next.line(containing: words)
    #expect(try next.control(["status"]).output.contains(words))
    #expect(try next.stop() == .exited(0))
  }

  @Test func `take effect when they change, unless cron does not trust them`() throws {
    let village = try Village()
    try village.write("* * * * * root /bin/true\n")
    let daemon = try village.start()
    try daemon.line(containing: "tests-true", "succeeded")
    try village.write("* * * * * root /bin/true\n@daily root /bin/echo\n")
    try daemon.line(containing: "configuration reloaded: added tests-echo; 1 unchanged")
    try village.write("* * * * * root /bin/true\n", mode: 0o666)
    try daemon.line(containing: "its mode 666 lets others change it, so that cron ignores it")
    try daemon.line(containing: "configuration reloaded: removed tests-true, tests-echo")
    #expect(try daemon.stop() == .exited(0))
  }
}
