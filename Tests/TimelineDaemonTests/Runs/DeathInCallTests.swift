import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `A daemon that dies in a plugin's call` {
  /// Kills its process once, as long as there is a file.
  private static let source = """
    #include <signal.h>
    #include <stddef.h>
    #include <unistd.h>
    #include <timelined_plugin.h>

    static timelined_status run(void *instance, const timelined_context *context) {
      (void)instance;
      const char *once = context->host->parameter_text(context->parameters, "/once");
      if (once != NULL && unlink(once) == 0) kill(getpid(), SIGKILL);
      return TIMELINED_OK;
    }

    static const timelined_plugin table = {
        TIMELINED_PLUGIN_HEAD, .name = "deadly", .version = "1", .summary = "kills once", .run = run};

    const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
      (void)host;
      return &table;
    }
    """

  @Test(arguments: [("at-most-once", "unknown"), ("at-least-once", "succeeded")], [never, everySecond])
  func `the next daemon decides by the delivery policy about the run that was started`(
    promise: (delivery: String, outcome: String), schedule: String
  ) throws {
    let workshop = try Workshop()
    try workshop.compile(Self.source, name: "deadly")
    let once = try workshop.write("", to: "once")
    try workshop.configure(
      """
      [job.deadly]
      plugin = "deadly"
      isolation = "in-process"
      schedule = \(schedule)
      delivery = "\(promise.delivery)"
      with = { once = "\(once)" }
      """)
    let first = try DaemonProcess(workshop)
    try first.begin()
    if schedule == never { _ = try first.control("trigger", "deadly") }
    #expect(try first.finish() == .signalled(.kill))
    #expect(first.settled.isEmpty)

    let second = try DaemonProcess(workshop)
    try second.begin()
    // Entries that fell due meanwhile may be logged first, as overlapped or missed.
    let ends = { second.settled.map(\.outcome).filter { !["overlapped", "missed"].contains($0) } }
    try second.wait(for: "the end of the run") { !ends().isEmpty }
    #expect(ends().first == promise.outcome)
    #expect(try second.stop() == .exited(0))
    // The run is reported at most once.
    #expect(second.settled.count { $0.outcome == "unknown" } <= 1)
  }
}
