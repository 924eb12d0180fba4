import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// Backfills on a real daemon. The job `minutely` has an entry each minute; its plugin adds the entry's nominal time to the file `list`.
@Suite struct `A backfill on a real daemon` {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try workshop.compile(
      """
      #include <inttypes.h>
      #include <stdio.h>
      #include <timelined_plugin.h>
      #include <unistd.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        FILE *list = fopen("\(workshop.path)/list", "a");
        fprintf(list, "%" PRId64 "\\n", context->nominal);
        fclose(list);
        // A run that lasts until its daemon is killed.
        char block[4096];
        snprintf(block, sizeof block, "\(workshop.path)/block-%" PRId64, context->nominal);
        if (access(block, F_OK) == 0) pause();
        return access("\(workshop.path)/broken", F_OK) != 0 ? TIMELINED_OK : TIMELINED_FAIL(context, "broken");
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "lister", .version = "1.0", .summary = "lists its entries", .run = run};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "lister")
    try configure("* * * * *")
  }

  private func configure(_ rule: String) throws {
    try workshop.configure(
      """
      [job.minutely]
      plugin = "lister"
      schedule = { cron = "\(rule)" }
      on-failure = "mail"
      [job.mail]
      plugin = "lister"
      schedule = "on-demand"
      [job.loop]
      plugin = "lister"
      schedule = { animation = { minimum-interval = "1h" } }
      """)
  }

  private func daemon() throws -> DaemonProcess {
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    return daemon
  }

  /// The nominal times of the runs so far that are in the stretch.
  private func runs(_ stretch: Range<WallInstant>) throws -> [WallInstant] {
    let text = (try? String(contentsOfFile: workshop.path + "/list", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { Int64($0) }.map(WallInstant.init(nanosecondsSinceEpoch:))
      .filter(stretch.contains)
  }

  private func backfills(_ daemon: DaemonProcess) throws -> [BackfillReport] {
    let answer = try daemon.control("backfills", "--json")
    #expect(answer.end == .exited(0), "\(answer)")
    return try answer.output.split(separator: "\n").map {
      try JSONDecoder().decode(BackfillReport.self, from: Data($0.utf8))
    }
  }

  /// An hour that ended some minutes ago.
  private func stretch() -> Range<WallInstant> {
    let minute = SystemTime.now().nanosecondsSinceEpoch / 60_000_000_000
    let end = WallInstant(nanosecondsSinceEpoch: (minute - 5) * 60_000_000_000)
    return end - .hours(1)..<end
  }

  @Test func `runs each entry once, over two kills, and a second one runs none`() throws {
    let stretch = stretch()
    let words = [
      "backfill", "minutely", "--from", "\(stretch.lowerBound)", "--until", "\(stretch.upperBound)",
    ]
    let blocked = [stretch.lowerBound + .minutes(9), stretch.lowerBound + .minutes(29)]
    for entry in blocked { _ = try workshop.write("", to: "block-\(entry.nanosecondsSinceEpoch)") }
    var daemon = try daemon()
    let plan = try daemon.control(words + ["--dry-run"])
    #expect(
      plan.end == .exited(0) && (plan.output + plan.errors).contains("60"),
      "left out without --unrecorded: \(plan)")
    let begun = try daemon.control(words + ["--unrecorded"])
    #expect(begun.end == .exited(0), "\(begun)")
    for entry in blocked {
      try daemon.wait(for: "the run of \(entry)") { (try? runs(stretch).contains(entry)) ?? false }
      try daemon.child.signal(.kill)
      #expect(try daemon.finish() == .signalled(.kill))
      daemon = try self.daemon()
    }
    try daemon.line(containing: "minutely", "backfill ended")
    let report = try #require(try backfills(daemon).first)
    let found = try runs(stretch)
    #expect(Set(found).count == found.count, "no entry has run twice")
    #expect(report.state == "ended" && report.totalCount == 60 && report.doneCount == 60, "\(report)")
    // A run that died with its daemon is not repeated, because its delivery is at most once.
    #expect(report.failedCount == 2 && report.succeededCount == 58 && found.count == 60, "\(report)")
    let again = try daemon.control(words + ["--unrecorded"])
    #expect(again.end == .exited(0) && again.output == "minutely: no entries to run again\n", "\(again)")
    #expect(try backfills(daemon).count == 1, "nothing is recorded of it")
    #expect(try runs(stretch).count == found.count)
    let history: [EntryReport] = try daemon.control("history", "minutely", "-n", "5", "--json").output
      .split(separator: "\n").map { try JSONDecoder().decode(EntryReport.self, from: Data($0.utf8)) }
    #expect(history.contains { $0.cause == "backfill" && stretch.contains($0.of?.instant ?? .min) })
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `reports its failures once, and takes the failed entries again`() throws {
    _ = try workshop.write("", to: "broken")
    let daemon = try daemon()
    let (end, stretch) = (stretch().upperBound, stretch().upperBound - .minutes(5)..<stretch().upperBound)
    let words = [
      "backfill", "minutely", "--from", "\(stretch.lowerBound)", "--until", "\(end)", "--unrecorded",
    ]
    #expect(try daemon.control(words + ["--newest-first"]).end == .exited(0))
    try daemon.line(containing: "minutely", "backfill ended", "5 did not")
    #expect(try runs(stretch) == (1...5).map { end - .minutes(Int64($0)) }, "the newest first")
    try daemon.wait(for: "the reaction") { daemon.settled("mail").count == 1 }
    try FileManager.default.removeItem(atPath: workshop.path + "/broken")
    #expect(try daemon.control(words).end == .exited(0))
    try daemon.line(containing: "minutely", "backfill ended: 5 succeeded")
    #expect(try runs(stretch).count == 10)
    #expect(daemon.settled("mail").count == 1, "a single report, and none of a success")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `is suspended while its job is paused, under another schedule and without its job`() throws {
    let daemon = try daemon()
    let stretch = stretch()
    let words = [
      "backfill", "minutely", "--from", "\(stretch.lowerBound)", "--until", "\(stretch.upperBound)",
    ]
    #expect(try daemon.control("pause", "minutely").end == .exited(0))
    #expect(try daemon.control(words + ["--unrecorded", "--pace", "1s"]).end == .exited(0))
    let state = { (wanted: String, reason: String) in
      try daemon.wait(for: "\(wanted): \(reason)") {
        guard let report = try? backfills(daemon).first else { return false }
        return report.state == wanted && (reason.isEmpty || report.reason?.contains(reason) == true)
      }
    }
    try state("suspended", "the job is paused")
    #expect(try runs(stretch).isEmpty)
    try configure("*/2 * * * *")
    #expect(try daemon.control("reload").end == .exited(0))
    try state("suspended", "the schedule of the job has changed")
    try workshop.configure("[job.mail]\nplugin = \"lister\"\nschedule = \"on-demand\"\n")
    #expect(try daemon.control("reload").end == .exited(0))
    try state("suspended", "the job is not configured")
    try configure("* * * * *")
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try daemon.control("resume", "minutely").end == .exited(0))
    try daemon.wait(for: "a run") { (try? !runs(stretch).isEmpty) ?? false }
    #expect(try daemon.control("backfill", "minutely", "--pause").end == .exited(0))
    try state("paused", "")
    let second = try daemon.control(words)
    #expect(second.end == .exited(1) && second.errors.contains("a backfill is open"), "\(second)")
    #expect(try daemon.control("backfill", "minutely", "--cancel").end == .exited(0))
    try state("cancelled", "")
    let none = try daemon.control("backfill", "minutely", "--cancel")
    #expect(none.end == .exited(1) && none.errors.contains("no open backfill"), "\(none)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `is refused with the reason`() throws {
    let daemon = try daemon()
    for (words, reason) in [
      (["minutely", "--from", "1h ago", "--parallel", "2"], "`concurrency` allows 1"),
      (["minutely", "--from", "in 1h", "--until", "in 2h"], "lies ahead"),
      (["minutely", "--from", "now", "--until", "1h ago"], "ends before it begins"),
      (["minutely", "--from", "2000-01-01"], "longer than 400 days"),
      (["loop", "--from", "1h ago"], "an animation has no entries"),
      (["minutly", "--from", "1h ago"], "did you mean 'minutely'?"),
      (["minutely", "--from", "\(stretch().lowerBound - .days(20))", "--unrecorded"], "--yes"),
    ] {
      let answer = try daemon.control(["backfill"] + words)
      #expect(answer.end == .exited(1) && answer.errors.contains(reason), "\(words): \(answer)")
    }
    #expect(try backfills(daemon).isEmpty, "a refused one leaves nothing")
    #expect(try daemon.stop() == .exited(0))
  }
}
