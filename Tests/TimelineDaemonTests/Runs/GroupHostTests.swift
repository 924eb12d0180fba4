import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `The hosts of jobs that take turns, with a real daemon` {
  /// Compiles `which`, a plugin that serves many jobs in one host and logs the process ID of the host.
  static func compile(in workshop: Workshop) throws {
    try workshop.compile(
      """
      #include <stdio.h>
      #include <timelined_plugin.h>
      #include <unistd.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        char text[64];
        snprintf(text, sizeof text, "here is process %d", (int)getpid());
        TIMELINED_LOG(context, TIMELINED_NOTICE, text);
        return TIMELINED_OK;
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "which", .version = "1.0", .summary = "says which process it is in",
          .run = run, .instances_max = 9};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "which")
  }

  /// The host that the next run of a job is in.
  static func host(of job: String, _ daemon: DaemonProcess) throws -> Substring? {
    let before = daemon.lines.count
    #expect(try daemon.control("trigger", job, "--wait").end == .exited(0))
    return try daemon.line(containing: job, "here is process", after: before).split(separator: " ").last
  }

  @Test func `jobs of a group with a limit of one run share a host, until a reload raises the limit`()
    throws
  {
    let workshop = try Workshop()
    try Self.compile(in: workshop)
    func jobs(_ limit: Int) -> String {
      "[group.turns]\nlimit = \(limit)\n"
        + ["one", "two", "three", "four"].map {
          "[job.\($0)]\nplugin = \"which\"\nschedule = \(never)\ngroups = [\"turns\"]\n"
        }.joined() + "[job.alone]\nplugin = \"which\"\nschedule = \(never)\n"
    }
    try workshop.configure(jobs(1))
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let first = try #require(try Self.host(of: "one", daemon))
    #expect(try Self.host(of: "two", daemon) == first)
    #expect(try Self.host(of: "three", daemon) == first)
    #expect(try Self.host(of: "alone", daemon) != first)
    try workshop.configure(jobs(4))
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try Self.host(of: "four", daemon) != first)
    #expect(try Self.host(of: "two", daemon) == first)
    #expect(try daemon.stop() == .exited(0))
  }
}
