import Foundation
import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `Broken plugins under the daemon` {
  /// A plugin, the outcome of its entries, and parts of the messages for the operator.
  struct Case {
    var plugin: String
    var outcome = "failed"
    var parts: [String]
    /// Whether the fault is reported separately from the outcome, because the runs end properly when asked to stop.
    var drops = false
  }

  static let cases = [
    Case(plugin: "wrong-abi", parts: ["ABI", "90", "99"]),
    Case(plugin: "missing-symbol", parts: ["nobody_has_this"]),
    Case(plugin: "missing-entry", parts: ["timelined_plugin_entry"]),
    Case(plugin: "crash", parts: ["SIGSEGV", "coredumpctl"]),
    Case(plugin: "abort", parts: ["SIGABRT", "coredumpctl"]),
    Case(plugin: "exit", parts: ["exit(0)"]),
    Case(plugin: "crash-in-open", parts: ["SIGSEGV", "coredumpctl"]),
    Case(
      plugin: "hang", outcome: "timed-out", parts: ["ran longer than its timeout of 400ms", "killed"]),
    Case(plugin: "endless-output", outcome: "timed-out", parts: ["timeout of 400ms"], drops: true),
    Case(plugin: "endless-log", outcome: "timed-out", parts: ["timeout of 400ms"], drops: true),
    Case(plugin: "leak", outcome: "succeeded", parts: []),
    Case(plugin: "writable", parts: ["chmod"]),
  ]

  @Test
  func `neither end the daemon nor delay another job, and the log has file, reason and remedy of each`()
    throws
  {
    let workshop = try Workshop()
    for broken in Self.cases where broken.plugin != "writable" {
      try workshop.compile(directory: "Tests/BrokenPlugins/\(broken.plugin)")
    }
    let steady = try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try FileManager.default.copyItem(atPath: steady, toPath: workshop.path + "/writable.so")
    #expect(unsafe chmod(workshop.path + "/writable.so", 0o666) == 0)
    try workshop.configure(
      "[job.steady]\nplugin = \"steady\"\nschedule = \(eachSecond)\n"
        + Self.cases.map { broken in
          """
          [job.\(broken.plugin)]
          plugin = "\(broken.plugin)"
          schedule = { periodic = { from = 2026-01-01T00:00:00Z, by = "1s" } }
          timeout = "\(broken.outcome == "timed-out" ? "400ms" : "30s")"
          waiting-timeout = "30s"
          grace = "100ms"

          """
        }.joined())
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try daemon.wait(for: "two ends of each job") {
      daemon.end != nil
        || (Self.cases.map(\.plugin) + ["steady"]).allSatisfy { daemon.settled($0).count >= 2 }
    }
    #expect(daemon.end == nil, "the daemon stays up")
    for broken in Self.cases where broken.drops {
      try daemon.line(
        containing: broken.plugin, " of output dropped (limit: 2000 lines at once, 200 lines/s)")
    }
    #expect(try daemon.status().jobCount == Self.cases.count + 1)
    // Entries that fall due during the drain are not run, as intended.
    let entries = daemon.settled("steady")
    #expect(try daemon.stop() == .exited(0))

    for broken in Self.cases {
      let ends = daemon.settled(broken.plugin).filter { $0.outcome != "overlapped" }
      #expect(
        ends.allSatisfy { [broken.outcome, "shut-down", "missed"].contains($0.outcome) }, "\(ends)")
      guard let line = ends.first(where: { $0.outcome == broken.outcome })?.line else {
        Issue.record("\(broken.plugin): \(ends)")
        continue
      }
      for part in broken.parts { #expect(line.contains(part), "\(line)") }
      if !broken.parts.isEmpty && !broken.drops {
        #expect(line.contains("\(workshop.path)/\(broken.plugin).so: "), "the file in: \(line)")
        #expect(line.contains("; "), "a remedy in: \(line)")
      }
    }
    #expect(entries.allSatisfy { $0.outcome == "succeeded" && $0.isOnTime }, "\(entries.map(\.line))")
    let seconds = entries.compactMap(\.second)
    for (earlier, later) in zip(seconds, seconds.dropFirst()) {
      #expect(later == (earlier + 1) % 86_400, "every entry: \(entries.map(\.entry))")
    }
  }

  @Test func `the log has the reason of failures that are too frequent for a line each`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/crash")
    try workshop.configure(
      "[job.busy]\nplugin = \"crash\"\nschedule = { periodic = { by = \"100ms\" } }")
    let daemon = try DaemonProcess(workshop)
    try daemon.line(containing: "busy", "error: ", "failed", "\(workshop.path)/crash.so: ", "SIGSEGV")
    for (verb, other) in [
      ("history", "`timelinectl why busy now`"), ("logs", "journalctl TIMELINE_JOB=busy"),
    ] {
      let answer = try daemon.control(verb, "busy")
      #expect(answer.output.isEmpty && answer.end == .exited(0))
      #expect(answer.errors.hasPrefix("busy has too many entries for a record of every entry"), "\(answer)")
      #expect(answer.errors.contains(other), "\(answer)")
    }
    // The triggered entry has a record, the scheduled ones have none.
    #expect(try daemon.control("trigger", "busy", "--wait").end == .exited(1))
    for verb in ["history", "logs", "why"] {
      let answer = try daemon.control(verb, "busy")
      #expect(
        answer.output.contains("failed")
          && answer.errors.hasPrefix("busy has too many entries for a record of every entry"), "\(answer)")
    }
    #expect(try daemon.stop() == .exited(0))
  }
}
