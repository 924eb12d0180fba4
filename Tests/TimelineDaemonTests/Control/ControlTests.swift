import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `The control socket of a real daemon` {
  /// A daemon with a job every second, one that waits at a gate, and one that fails.
  static func daemon(_ workshop: Workshop, settings: String = "") throws -> (DaemonProcess, Gate) {
    try workshop.compileGate()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.compile(directory: "Tests/BrokenPlugins/exit")
    let gate = try Gate(in: workshop)
    try workshop.configure(
      """
      \(settings)
      [job.steady]
      plugin = "steady"
      schedule = \(eachSecond)
      [job.held]
      plugin = "gate"
      schedule = \(never)
      with = { fifo = "\(gate.path)" }
      [job.failing]
      plugin = "exit"
      schedule = \(never)
      [job.off]
      plugin = "steady"
      schedule = \(never)
      enabled = false
      """)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    return (daemon, gate)
  }

  @Test func `timelinectl shows, lists, triggers and waits, for people and as JSON`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try Self.daemon(workshop)
    let status = try daemon.status()
    #expect(status.version == "0.1.0" && status.pid == daemon.child.pid)
    #expect(status.configuration == workshop.path + "/daemon.toml")
    #expect(status.jobCount == 3 && status.next?.job == "steady")
    #expect(status.clock == "system" && status.mode == "normal")
    let text = try daemon.control("status").output
    for part in ["0.1.0, process \(daemon.child.pid)", "the system's", "jobs           3, ", "steady at "] {
      #expect(text.contains(part), "\(text)")
    }

    let waiting = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "trigger", "held", "--wait", "--json"], on: daemon.loop)
    try daemon.wait(for: "its progress") { waiting.printed.contains("halfway") }
    let running = try #require(try daemon.list().first { $0.name == "held" }?.running.first)
    #expect(running.progressMillionths == 500_000 && running.progressText == "halfway")
    #expect(try daemon.control("list").output.contains("running"))
    try gate.open()
    try daemon.wait(for: "the end of the run") { waiting.result != nil }
    let replies = try #require(waiting.result).output.split(separator: "\n").map {
      try JSONDecoder().decode(TriggerReply.self, from: Data($0.utf8))
    }
    #expect(replies.last?.end?.outcome == "succeeded")
    #expect(replies.dropLast().allSatisfy { $0.end == nil && $0.run == replies.last?.run })

    let failed = try daemon.control("trigger", "failing", "--wait")
    #expect(failed.end == .exited(1), "\(failed)")
    #expect(
      failed.output.hasPrefix("failing: failed after ") && failed.output.contains("exit(0)"), "\(failed)")
    #expect(try daemon.status().lastFailure?.job == "failing")
    #expect(try daemon.control("status").output.contains("failed: "))
    let unknown = try daemon.control("trigger", "staedy")
    #expect(unknown.end == .exited(1) && unknown.errors.contains("steady"), "\(unknown)")

    let table = try daemon.control("list").output.split(separator: "\n")
    #expect(table.count == 4 && table[0].hasPrefix("JOB "), "\(table)")
    for name in ["steady", "held", "failing"] { #expect(table.contains { $0.hasPrefix(name + " ") }) }
    #expect(try daemon.control("stop", "--json").output.hasPrefix("{\"runningCount\":"))
    #expect(try daemon.finish() == .exited(0))
    let dead = try daemon.control("status")
    #expect(dead.end == .exited(69) && dead.errors.contains("is timelined running?"), "\(dead)")
  }

  @Test func `control characters of a plugin do not reach the terminal through any verb`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      #"""
      #include <timelined_plugin.h>
      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        context->host->report_progress(context->call, 0.5, "\033[2Jhalfway");
        return TIMELINED_FAIL(context, "\033]0;mine\007 no\033[31m paint");
      }
      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "painter", .version = "1.0", .summary = "no\033[31m paint", .run = run};
      const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """#, name: "painter")
    try workshop.configure("[job.painter]\nplugin = \"painter\"\nschedule = \(never)")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let triggered = try daemon.control("trigger", "painter", "--wait")
    let history = try daemon.control("history", "painter", "--json").output
    let entry = try JSONDecoder().decode(EntryReport.self, from: Data(history.utf8)).entry.instant
    let results = [
      triggered, try daemon.control("status"), try daemon.control("history", "painter"),
      try daemon.control("why", "painter", "\(entry)"), try daemon.control("plugin", "inspect", library),
      try daemon.control("list"), try daemon.control("logs", "painter"),
    ]
    for (index, result) in results.enumerated() {
      let text = result.output + result.errors
      #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"), "\(text)")
      #expect(index >= 5 || text.contains("no\\u{1b}[31m paint"), "\(text)")
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(
    .enabled(
      if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
  func `the socket's group has read access, and the configured users have write access`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop, settings: "[control]\ngroup = \"nogroup\"")
    let member = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    let stranger = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=daemon", "--clear-groups"]
    #expect(try daemon.control("status", command: member).end == .exited(0))
    #expect(try daemon.control("list", command: member).end == .exited(0))
    for change in [["trigger", "held"], ["reload"], ["stop"]] {
      let refused = try daemon.control(
        change[0], Array(change.dropFirst()).first ?? "--json", command: member)
      #expect(refused.end == .exited(77), "\(refused)")
      #expect(refused.errors.contains("permission denied: read-only access"), "\(refused)")
    }
    let locked = try daemon.control("status", command: stranger)
    #expect(locked.end == .exited(77) && locked.errors.contains("group"), "\(locked)")
    #expect(try daemon.status().runningCount == 0)
    try workshop.write(
      "[control]\ngroup = \"nogroup\"\nusers = [\"nobody\"]\n[job.steady]\nplugin = \"steady\"\nschedule = \(never)",
      to: "daemon.toml")
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try daemon.control("trigger", "steady", "--wait", command: member).end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  /// Script that exits 0 on success and prints each deviation to standard output.
  static let script = """
    import sys, varlink
    with varlink.Client.new_with_address("unix:" + sys.argv[1]) as client:
        assert "io.timelined.Control" in client.get_interfaces(), client.get_interfaces()
        with client.open("org.varlink.service") as service:
            info = service.GetInfo()
            assert info["product"] == "timelined" and info["version"] == "0.1.0", info
            text = service.GetInterfaceDescription("io.timelined.Control")["description"]
            assert varlink.Interface(text).name == "io.timelined.Control", text
        with client.open("io.timelined.Control", namespaced=True) as control:
            status = control.Status()
            assert status.jobCount == 3 and status.clock == "system", status
            assert [job.name for job in control.List().jobs] == ["steady", "held", "failing"]
            replies = list(control.Trigger("failing", _more=True))
            assert replies[-1].end.outcome == "failed", replies
            assert "exit(0)" in replies[-1].end.reason, replies
            assert control.Reload().unchangedCount == 3
            try:
                control.Trigger("nobody")
                assert False, "a job that does not exist was triggered"
            except varlink.VarlinkError as error:
                assert error.error() == "io.timelined.Control.NoSuchJob", error
            assert control.Stop().runningCount == 0
    print("well")
    """

  @Test func `the status has the absolute path of the configuration`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure("[job.steady]\nplugin = \"steady\"\nschedule = \(never)\n")
    let daemon = try DaemonProcess(
      workshop, configurationPath: "./daemon.toml",
      command: ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", workshop.path])
    try daemon.begin()
    #expect(try daemon.status().configuration == workshop.path + "/daemon.toml")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(.enabled(if: ForeignVarlink.python != nil, "\(ForeignVarlink.absence)"))
  func `PyPI's varlink client can call the daemon`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop)
    let python = try #require(ForeignVarlink.python)
    let client = try StartedProgram([python, "-c", Self.script, daemon.socketPath], on: daemon.loop)
    try daemon.wait(for: "its end") { client.result != nil }
    let result = try #require(client.result)
    #expect(result.end == .exited(0) && result.output == "well\n", "\(result.output)\(result.errors)")
    #expect(try daemon.finish() == .exited(0))
  }
}

/// Whether an unprivileged user can run the programs under test.
let canBeNobody =
  (try? shell(
    "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "test", "-x", BuiltProgram.control))
  != nil
