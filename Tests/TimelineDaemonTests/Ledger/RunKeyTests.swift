import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// Entries that the runs themselves record, over crashes of the daemon and clock steps. No entry of an at-most-once job runs
/// twice.
@Suite struct `Entries across lives of the daemon` {
  private let workshop: Workshop
  private let record: String

  init() throws {
    workshop = try Workshop()
    record = workshop.path + "/record"
    try workshop.compile(
      """
      #include <fcntl.h>
      #include <inttypes.h>
      #include <stdio.h>
      #include <unistd.h>
      #include <timelined_plugin.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        const char *path = context->host->parameter_text(context->parameters, "/file");
        int64_t pause = 0;
        context->host->parameter_integer(context->parameters, "/pause", &pause);
        char line[128];
        int length = snprintf(line, sizeof line, "%s %" PRId64 "\\n", context->job, context->nominal);
        int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        if (file < 0 || write(file, line, (size_t)length) != length) return TIMELINED_FAIL(context, "no record");
        close(file);
        usleep((useconds_t)pause * 1000);
        return TIMELINED_OK;
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "scribe", .version = "1.0", .summary = "writes down when it is run",
          .parameters_schema = "{\\"type\\": \\"object\\", \\"properties\\": {\\"file\\": {\\"type\\": \\"string\\"},"
                               "\\"pause\\": {\\"type\\": \\"integer\\"}}}",
          .run = run};

      const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "scribe")
  }

  private func job(_ name: String, _ schedule: String, pause: Int = 0, _ policies: String = "") -> String {
    """
    [job.\(name)]
    plugin = "scribe"
    schedule = \(schedule)
    with = { file = "\(record)", pause = \(pause) }
    \(policies)

    """
  }

  /// The nominal instants that a job's runs have written, in their order.
  private func instants(of job: String) -> [Int64] {
    let text = (try? String(contentsOfFile: record, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.first.map(String.init) == job ? Int64(words[1]) : nil
    }
  }

  private func kill(_ daemon: DaemonProcess) throws {
    try daemon.child.signal(.kill)
    #expect(try daemon.finish() == .signalled(.kill))
  }

  @Test func `of a counted job are not run twice over a kill`() throws {
    try workshop.configure(job("often", "{ periodic = { by = \"200ms\" } }"))
    for life in 1...4 {
      let daemon = try DaemonProcess(workshop)
      try daemon.begin()
      try daemon.wait(for: "runs") { instants(of: "often").count >= 3 * life }
      try kill(daemon)
    }
    let all = instants(of: "often")
    #expect(Set(all).count == all.count, "\(all)")
  }

  @Test func `of a counted job that were cut off end as unknown, and are not run again`() throws {
    try workshop.configure(job("once", "{ periodic = { by = \"500ms\" } }", pause: 60_000))
    let first = try DaemonProcess(workshop)
    try first.begin()
    try first.wait(for: "a run") { !instants(of: "once").isEmpty }
    try kill(first)
    let second = try DaemonProcess(workshop)
    try second.begin()
    try second.wait(for: "the run after it") { instants(of: "once").count == 2 }
    #expect(instants(of: "once")[1] > instants(of: "once")[0])
    #expect(try second.list().first { $0.name == "once" }?.outcomes["unknown"] == 1)
    try kill(second)
  }

  @Test func `a directory in place of the start log is reported, and nothing is run twice`() throws {
    try workshop.configure(
      job("often", "{ periodic = { by = \"300ms\" } }")
        + job("seconds", "{ periodic = { by = \"1s\" } }"))
    let first = try DaemonProcess(workshop)
    try first.begin()
    try first.wait(for: "runs") { instants(of: "often").count >= 3 }
    try kill(first)
    let path = workshop.path + "/state/starts"
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for life in 1...2 {
      let daemon = try DaemonProcess(workshop)
      try daemon.begin()
      try daemon.line(containing: "start log", path, "starts of the previous daemon are not known")
      try daemon.line(containing: "start log", path, "each start is written to the ledger first")
      let count = instants(of: "often").count
      try daemon.wait(for: "runs") { instants(of: "often").count >= count + 2 * life }
      try kill(daemon)
    }
    for job in ["often", "seconds"] {
      let all = instants(of: job)
      #expect(Set(all).count == all.count, "\(job): \(all)")
    }
  }

  /// Damages the write-ahead log in the way that `kind` names.
  private func damage(_ path: String, _ kind: String) throws {
    let file = URL(filePath: path)
    let bytes = try Data(contentsOf: file)
    switch kind {
    // Its end may be a remainder from before a checkpoint.
    case "cut": try bytes.prefix(10_000).write(to: file)
    case "garbled": try Data(bytes.map { $0 ^ 0x5A }).write(to: file)
    default: try FileManager.default.removeItem(at: file)
    }
  }

  @Test(arguments: ["removed", "cut", "garbled"])
  func `a write-ahead log that is lost is reported, and no entry is missed that ran, or runs twice`(
    kind: String
  ) throws {
    let second = "{ periodic = { by = \"1s\" } }"
    try workshop.configure(
      job("once", second) + job("slow", second, pause: 4_000, "delivery = \"at-least-once\"")
        + job("often", "{ periodic = { by = \"300ms\" } }"))
    let former = try DaemonProcess(workshop)
    try former.begin()
    try former.wait(for: "runs") { instants(of: "once").count >= 2 && !instants(of: "slow").isEmpty }
    try kill(former)
    let (once, slow) = (instants(of: "once"), instants(of: "slow"))
    try damage(workshop.path + "/state/ledger.sqlite-wal", kind)

    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try daemon.line(containing: "the ledger has lost its write-ahead log or a part of it")
    #expect(try #require(daemon.status().ledgerLoss).contains("ledger.sqlite-wal"))
    #expect(try daemon.control("status").output.contains("has lost its write-ahead log"))
    let health = try daemon.control("status", "--exit-code")
    #expect(health.end == .exited(1) && health.output.contains("problem: ledger: has lost"))
    try daemon.wait(for: "runs") { instants(of: "once").count >= once.count + 2 }
    try daemon.wait(for: "the entry that had not ended") {
      instants(of: "slow").dropFirst(slow.count).first == slow.last
    }
    let missed = try daemon.control("history", "once", "--json").output.split(separator: "\n").filter {
      line in
      line.contains("\"missed\"")
        && once.contains { line.contains("\(WallInstant(nanosecondsSinceEpoch: $0))") }
    }
    #expect(missed.isEmpty, "\(missed)")
    #expect(try daemon.stop() == .exited(0))
    for job in ["once", "often"] {
      let all = instants(of: job)
      #expect(Set(all).count == all.count, "\(job): \(all)")
    }
  }

  @Test(arguments: [["40h", "0s", "30h", "40h", "-1h"], ["20h", "0s", "10h", "20h", "-1h"]])
  func `a clock that is set back does not silence jobs, and runs none twice`(offsets: [String]) throws {
    try workshop.configure(
      job("often", "{ periodic = { by = \"250ms\" } }") + job("seconds", "{ periodic = { by = \"1s\" } }"))
    let offset = try workshop.write(offsets[0], to: "offset")
    let arguments = ["--clock-offset-file", offset]
    let first = try DaemonProcess(workshop, arguments: arguments)
    try first.begin()
    func runs(_ daemon: DaemonProcess, after text: String, _ step: (() throws -> Void)) throws {
      let counts = (instants(of: "often").count, instants(of: "seconds").count)
      try workshop.write(text, to: "offset")
      try step()
      try daemon.wait(for: "runs after \(text)") {
        instants(of: "often").count >= counts.0 + 4 && instants(of: "seconds").count >= counts.1 + 2
      }
    }
    try runs(first, after: offsets[0]) {}
    for text in offsets.dropFirst() {
      try runs(first, after: text) { try first.child.signal(.user2) }
    }
    try kill(first)
    // The clock of the next daemon is where the first one began.
    let second = try DaemonProcess(workshop, arguments: arguments)
    try second.begin()
    try runs(second, after: offsets[0]) { try second.child.signal(.user2) }
    #expect(try second.stop() == .exited(0))
    for job in ["often", "seconds"] {
      let all = instants(of: job)
      #expect(Set(all).count == all.count, "\(job): \(all)")
    }
  }

  @Test func `an entry that waits for a clock that was set back is logged, shown and released`() throws {
    let now = SystemTime.now()
    try workshop.configure(
      job("soon", "{ periodic = { by = \"1s\" } }")
        + job("later", "{ explicit = [\(now + .hours(2)), \(now + .hours(3))] }"))
    let offset = try workshop.write("0s", to: "offset")
    let daemon = try DaemonProcess(workshop, arguments: ["--clock-offset-file", offset])
    try daemon.begin()
    try daemon.wait(for: "a run") { !instants(of: "soon").isEmpty }
    for text in ["2h2s", "1h59m50s", "1h50m"] {
      try workshop.write(text, to: "offset")
      let start = daemon.lines.count
      try daemon.child.signal(.user2)
      try daemon.line(containing: "the system clock moved", after: start)
    }
    try daemon.wait(for: "the entry that was jumped over") { !instants(of: "later").isEmpty }
    try daemon.line(containing: "later", "waits until", "timelinectl release later")
    let status = try daemon.status()
    #expect(status.clockWaits.map(\.job) == ["later"] && status.clockWaitCount == 1)
    #expect(try daemon.list().filter(\.waitsForClock).map(\.name) == ["later"])
    let count = instants(of: "soon").count
    try daemon.wait(for: "the job of every second") { instants(of: "soon").count >= count + 2 }
    #expect(try daemon.control("status").output.contains("later until"))
    let released = try daemon.control("release", "later")
    #expect(released.end == .exited(0) && released.output.contains("later: released; it waited until"))
    try daemon.line(containing: "later", "released by", "(timelinectl)")
    #expect(try daemon.status().clockWaits.isEmpty)
    #expect(try daemon.control("release", "later").output.contains("did not wait for the clock"))
    let again = daemon.lines.count
    try workshop.write("2h5s", to: "offset")
    try daemon.child.signal(.user2)
    try daemon.line(containing: "the system clock moved", after: again)
    try daemon.wait(for: "the released entry") { instants(of: "later").count == 2 }
    #expect(Set(instants(of: "later")).count == 1, "its run key is the same")
    #expect(Set(instants(of: "soon")).count == instants(of: "soon").count)
    #expect(try daemon.stop() == .exited(0))
  }
}
