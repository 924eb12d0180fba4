import Foundation
import Glibc
import Testing
import TimelineControl
import TimelineSystem
import TimelineTestSupport

/// Keys of jobs, in force on a real daemon.
@Suite struct `Keys of a job` {
  /// Compiles `teller`, whose runs print a given text and the variables that `show` names, and write about their upstream.
  private static func compileTeller(_ workshop: Workshop) throws {
    try workshop.compile(
      """
      #include <grp.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <timelined_plugin.h>
      #include <unistd.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        const timelined_host *host = context->host;
        const char *say = host->parameter_text(context->parameters, "/say");
        if (say != NULL) puts(say);
        for (int index = 0;; index++) {
          char pointer[32];
          snprintf(pointer, sizeof pointer, "/show/%d", index);
          const char *name = host->parameter_text(context->parameters, pointer);
          if (name == NULL) break;
          const char *value = getenv(name);
          printf("%s=%s\\n", name, value != NULL ? value : "(not set)");
        }
        bool groups = false;
        host->parameter_boolean(context->parameters, "/groups", &groups);
        if (groups) printf("uid %d gid %d groups %d\\n", (int)getuid(), (int)getgid(), getgroups(0, NULL));
        fflush(stdout);
        if (context->upstream != NULL) {
          const char *output = host->parameter_text(context->upstream, "/output");
          const char *rule = host->parameter_text(context->upstream, "/schedule/cron");
          char text[8192];
          snprintf(text, sizeof text, "after %s: <%s>%s", host->parameter_text(context->upstream, "/outcome"),
                   output != NULL ? output : "", rule != NULL ? rule : "");
          host->set_result(context->call, text);
        }
        bool fails = false;
        host->parameter_boolean(context->parameters, "/fail", &fails);
        return fails ? TIMELINED_FAIL(context, "as it was told") : TIMELINED_OK;
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "teller", .version = "1.0", .summary = "tells what it finds", .run = run};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "teller")
  }

  private static func daemon(_ workshop: Workshop, _ jobs: String) throws -> DaemonProcess {
    try compileTeller(workshop)
    try workshop.configure(jobs)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    return daemon
  }

  /// Runs a job to its end and returns the lines that it wrote.
  private static func output(of job: String, _ daemon: DaemonProcess) throws -> [String] {
    _ = try daemon.control("trigger", job, "--wait")
    let runs = try daemon.control("logs", job, "--json").output.split(separator: "\n")
    let reply = try JSONDecoder().decode(RunOutput.self, from: Data(try #require(runs.last).utf8))
    return reply.output.split(separator: "\n").map(String.init)
  }

  @Test func `the defaults of a file are in force for its jobs`() throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(
      workshop,
      """
      [defaults]
      plugin = "teller"
      environment = { COLOR = "red", SIZE = "10" }
      [job.plain]
      schedule = "on-demand"
      with = { show = ["COLOR", "SIZE"] }
      [job.own]
      schedule = "on-demand"
      with = { show = ["COLOR", "SIZE"] }
      environment = { SIZE = "12" }
      """)
    #expect(try Self.output(of: "plain", daemon) == ["COLOR=red", "SIZE=10"])
    #expect(try Self.output(of: "own", daemon) == ["COLOR=red", "SIZE=12"])
    let listing = try daemon.control("config", "show").output
    #expect(listing.contains(#"environment = { COLOR = "red", SIZE = "12" }"#), "\(listing)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `environment files are read before each run`() throws {
    let workshop = try Workshop()
    try workshop.write("COLOR=red\nSIZE=10\n", to: "variables")
    let daemon = try Self.daemon(
      workshop,
      """
      [job.a]
      plugin = "teller"
      schedule = "on-demand"
      environment-file = ["\(workshop.path)/variables", "-\(workshop.path)/more"]
      environment = { SIZE = "12" }
      with = { show = ["COLOR", "SIZE"] }
      """)
    #expect(try Self.output(of: "a", daemon) == ["COLOR=red", "SIZE=12"])
    try workshop.write("COLOR=blue\n", to: "variables")
    #expect(try Self.output(of: "a", daemon) == ["COLOR=blue", "SIZE=12"])
    try workshop.write("COLOR=green\nSIZE=14", to: "more")
    #expect(try Self.output(of: "a", daemon) == ["COLOR=green", "SIZE=12"])
    #expect(unsafe unlink(workshop.path + "/variables") == 0)
    #expect(try daemon.control("trigger", "a", "--wait").end == .exited(1))
    #expect(
      try daemon.control("history", "a", "--json").output.contains(
        "there is no file \(workshop.path)/variables"))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(.enabled(if: isRoot, "only root can change group"))
  func `a run has the group that its job names`() throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(
      workshop,
      """
      [job.a]
      plugin = "teller"
      schedule = "on-demand"
      group = "mail"
      with = { groups = true }
      """)
    let mail = try UserRecord.group(named: "mail")
    let output = try Self.output(of: "a", daemon)
    #expect(output.first?.hasPrefix("uid 0 gid \(mail) ") == true, "\(output)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a reaction has the output of its upstream, and the rule of the upstream's schedule`() throws {
    let workshop = try Workshop()
    let daemon = try Self.daemon(
      workshop,
      """
      [defaults]
      plugin = "teller"
      on-output = "mail"
      [job.loud]
      schedule = "on-demand"
      with = { say = "first\\nsecond" }
      [job.failing]
      schedule = "on-demand"
      with = { say = "no disk", fail = true }
      [job.silent]
      schedule = { cron = "0 0 1 jan *" }
      on-success = "cheer"
      [job.mail]
      schedule = "on-demand"
      overlap = "allow-all"
      [job.cheer]
      schedule = "on-demand"
      """)
    for job in ["loud", "failing", "silent"] { _ = try daemon.control("trigger", job, "--wait") }
    try daemon.wait(for: "the reactions") {
      daemon.settled("mail").count == 2 && daemon.settled("cheer").count == 1
    }
    let entries = try daemon.control("history", "mail", "--json").output
    #expect(entries.contains(#"after succeeded: <first\nsecond>"#), "\(entries)")
    #expect(entries.contains("after failed: <no disk>"), "\(entries)")
    #expect(try daemon.control("history", "cheer", "--json").output.contains("after succeeded: <>0 0 1 1 *"))
    #expect(daemon.settled("mail").count == 2)
    #expect(try daemon.stop() == .exited(0))
  }
}
