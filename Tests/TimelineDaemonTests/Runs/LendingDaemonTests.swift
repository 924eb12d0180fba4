import Testing
import TimelineControl
import TimelineSystem
import TimelineTestSupport

@Suite struct `Runs that wait for runs, with a real daemon` {
  /// Compiles `shell`, a plugin that succeeds as its `command` does.
  private static func compileShell(in workshop: Workshop) throws {
    try workshop.compile(
      """
      #include <stdlib.h>
      #include <timelined_plugin.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        const char *command = context->host->parameter_text(context->parameters, "/command");
        return system(command) == 0 ? TIMELINED_OK : TIMELINED_FAIL(context, "the command failed");
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "shell", .version = "1.0", .summary = "runs a command",
          .parameters_schema = "{\\"type\\": \\"object\\", \\"properties\\": {\\"command\\": {\\"type\\": \\"string\\"}}}",
          .run = run};

      const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "shell")
  }

  /// A daemon with jobs that run these commands; `CTL` is `timelinectl` with the daemon's socket.
  private static func daemon(
    _ workshop: Workshop, daemon: String = "", groups: String = "",
    _ jobs: [(name: String, command: String, keys: String)]
  ) throws -> DaemonProcess {
    try compileShell(in: workshop)
    let control = "\(BuiltProgram.control) --socket \(workshop.path)/control.sock"
    try workshop.configure(
      groups + "\n"
        + jobs.map { job in
          """
          [job.\(job.name)]
          plugin = "shell"
          schedule = \(never)
          \(job.keys)
          with = { command = "\(job.command.replacing("CTL", with: control))" }
          """
        }.joined(separator: "\n"), daemon: daemon)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    return daemon
  }

  @Test func `they lend their places, so that each ends`() throws {
    let workshop = try Workshop()
    let parents = (1...4).map { "parent\($0)" }
    let daemon = try Self.daemon(
      workshop, daemon: "plugin-hosts-max = 2",
      parents.map { ($0, "CTL trigger leaf --wait", "") } + [("leaf", "true", "overlap = \"allow-all\"")])
    for parent in parents { #expect(try daemon.control("trigger", parent).end == .exited(0)) }
    for job in parents + ["leaf"] { try daemon.line(containing: job, "succeeded") }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a cycle is refused with the names in it`() throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(
      workshop,
      [("first", "CTL trigger second --wait", ""), ("second", "CTL trigger first --wait", "")])
    let result = try daemon.control("trigger", "first", "--wait")
    #expect(result.end == .exited(1))
    try daemon.line(
      containing: "second", "job 'first': the wait would never end: run ", " of first waits for run ",
      " of second, which would wait for another run of first, and nothing was started")
    #expect(try daemon.list().allSatisfy { $0.last?.outcome == "failed" })
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a wait for one's own place in a group is refused with its name`() throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(
      workshop, groups: "[group.disk]\nlimit = 1",
      [
        ("holder", "CTL trigger leaf --wait", "groups = [\"disk\"]"),
        ("leaf", "true", "groups = [\"disk\"]"),
      ])
    #expect(try daemon.control("trigger", "holder", "--wait").end == .exited(1))
    try daemon.line(
      containing: "holder", "it was triggered, and waits for group disk: limit 1, held by job holder run ",
      " of holder would wait for it")
    try daemon.line(containing: "leaf", "succeeded")
    #expect(try daemon.stop() == .exited(0))
  }
}
