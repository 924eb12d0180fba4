import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `Metrics of a real daemon` {
  private typealias Verbs = `The verbs that look back and hold on, on a real daemon`

  @Test func `metrics count what happened, and the exit status of status reflects it`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try `The control socket of a real daemon`.daemon(workshop)
    try daemon.line(containing: "steady", "succeeded")
    let calm = try daemon.control("status", "--exit-code")
    #expect(calm.end == .exited(0) && calm.output.hasPrefix("well\n"), "\(calm)")
    for _ in 1...2 { #expect(try daemon.control("trigger", "failing", "--wait").end == .exited(1)) }
    _ = try daemon.control("trigger", "held")

    let reply = try #require(
      Verbs.decode(MetricsReply.self, daemon.control("metrics", "--json").output).first)
    #expect(reply.daemon.jobCount == 3 && reply.daemon.isLedgerWritable && reply.daemon.cluster == nil)
    #expect(reply.daemon.pluginHosts["running"] ?? 0 >= 1 && !reply.daemon.commits.counts.isEmpty)
    let jobs = Dictionary(uniqueKeysWithValues: reply.jobs.map { ($0.job, $0) })
    let (steady, failing) = (try #require(jobs["steady"]), try #require(jobs["failing"]))
    #expect(
      steady.outcomes["succeeded"] ?? 0 >= 1 && steady.attempts["succeeded"] == steady.outcomes["succeeded"])
    #expect(steady.next != nil && steady.lastSuccess != nil && steady.lateness != nil)
    #expect(failing.consecutiveFailures == 2 && failing.outcomes == ["failed": 2])
    #expect(failing.lateness == nil, "nobody's schedule named that instant")
    #expect(failing.duration?.counts.reduce(0, +) == 2 && failing.lastSuccess == nil)
    #expect(jobs["held"]?.runningCount == 1)

    let problem = try daemon.control("status", "--exit-code")
    #expect(problem.end == .exited(1), "\(problem)")
    #expect(problem.output.contains("problem: job failing: the last 2 runs failed"), "\(problem)")
    let text = try daemon.control("metrics").output
    #expect(text.contains("timelined_job_consecutive_failures{job=\"failing\"} 2\n"), "\(text)")
    #expect(try daemon.control("metrics", "--openmetrics").output.hasSuffix("# EOF\n"))
    try gate.open()
    #expect(try daemon.stop() == .exited(0))

    let next = try DaemonProcess(workshop)
    try next.begin()
    let former = try #require(
      Verbs.decode(MetricsReply.self, next.control("metrics", "--json").output).first)
    #expect(former.jobs.first { $0.job == "failing" }?.consecutiveFailures == 2, "runs of the last daemon")
    #expect(former.jobs.first { $0.job == "held" }?.lastSuccess != nil)
    #expect(try next.stop() == .exited(0))
  }

  @Test func `a file replaces the former one as a whole, or nothing changes`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    let path = workshop.path + "/timelined.prom"
    try Data("old\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let written = try daemon.control("metrics", "--output", path)
    #expect(written.end == .exited(0) && written.output.isEmpty, "\(written)")
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("# HELP timelined_build_info "))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
    let lost = try daemon.control("metrics", "--output", workshop.path + "/none/timelined.prom")
    #expect(lost.end == .exited(74) && lost.errors.contains("no such file or directory"), "\(lost)")
    #expect(try daemon.control("metrics", "--json", "--openmetrics").end == .exited(64))
    #expect(try daemon.stop() == .exited(0))
    let before = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try daemon.control("metrics", "--output", path).end == .exited(69))
    #expect(try daemon.control("status", "--exit-code").end == .exited(69))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
  }
}
