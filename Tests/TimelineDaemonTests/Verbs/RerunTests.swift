import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// Reruns of entries and lists of gaps, on a real daemon.
@Suite struct `A rerun on a real daemon` {
  /// A daemon with the job `night`, which has one entry a second or more ago. Its plugin fails as long as there is no file `mended`,
  /// stores its run key as the cursor, and prints what it gets.
  private static func daemon(_ workshop: Workshop, entry: WallInstant) throws -> DaemonProcess {
    try workshop.compile(
      """
      #include <inttypes.h>
      #include <stdio.h>
      #include <string.h>
      #include <timelined_plugin.h>
      #include <unistd.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        printf("key %s nominal %" PRId64 " cursor %d\\n", context->run_key, context->nominal, (int)context->cursor_length);
        fflush(stdout);
        context->host->set_cursor(context->call, context->run_key, strlen(context->run_key));
        return access("\(workshop.path)/mended", F_OK) == 0 ? TIMELINED_OK : TIMELINED_FAIL(context, "broken");
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "teller", .version = "1.0", .summary = "prints its context", .run = run};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "teller")
    try workshop.configure(
      """
      [job.night]
      plugin = "teller"
      schedule = { explicit = [\(entry)] }
      [job.loop]
      plugin = "teller"
      schedule = { animation = { minimum-interval = "1h" } }
      """)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    return daemon
  }

  private static func replies<Reply: Decodable>(_ text: String) throws -> [Reply] {
    try text.split(separator: "\n").map { try JSONDecoder().decode(Reply.self, from: Data($0.utf8)) }
  }

  private static func gaps(_ daemon: DaemonProcess, _ words: String...) throws -> GapsReply {
    let answer = try daemon.control(["gaps", "night", "--json"] + words)
    #expect(answer.end == .exited(0), "\(answer)")
    let found: [GapsReply] = try replies(answer.output)
    return try #require(found.first)
  }

  @Test func `of a failed entry gets its nominal time and another key, and closes its gap`() throws {
    let workshop = try Workshop()
    let entry = WallInstant(
      secondsSinceEpoch: SystemTime.now().nanosecondsSinceEpoch / 1_000_000_000 + 3)
    let daemon = try Self.daemon(workshop, entry: entry)
    let early = try daemon.control("rerun", "night", "\(entry)")
    #expect(early.end == .exited(1) && early.errors.contains("has no outcome yet"), "\(early)")
    try daemon.line(containing: "night", "failed")
    #expect(try Self.gaps(daemon).entries.map(\.outcome) == ["failed"])

    let again = try daemon.control("rerun", "night", "\(entry)", "--wait")
    #expect(again.end == .exited(1) && again.output.contains("failed"), "it is still broken: \(again)")
    _ = try workshop.write("", to: "mended")
    let mended = try daemon.control("rerun", "night", "\(entry)", "--wait", "--json")
    #expect(mended.end == .exited(0), "\(mended)")
    let replies: [TriggerReply] = try Self.replies(mended.output)
    #expect(replies.allSatisfy { $0.of?.instant == entry })
    let end = try #require(replies.last?.end)
    #expect(end.outcome == "succeeded" && end.cause == "rerun" && end.of?.instant == entry)
    #expect(end.entry.instant != entry && end.latenessNanoseconds == nil)

    let output = try daemon.control("logs", "night").output
    for (key, cursor) in [("night/\(entry)", 0), ("night/\(entry)#1", 0), ("night/\(entry)#2", 0)] {
      let line = "key \(key) nominal \(entry.nanosecondsSinceEpoch) cursor \(cursor)\n"
      #expect(output.contains(line), "\(line) in \(output)")
    }
    let none = try daemon.control("gaps", "night")
    #expect(none.output.isEmpty && none.errors == "no gaps\n", "\(none)")
    try Self.checkStories(daemon, entry)
    #expect(try daemon.control("trigger", "night", "--wait").end == .exited(0))
    #expect(
      try daemon.control("logs", "night", "-n", "1").output.contains("cursor 0\n"),
      "no rerun has left a cursor, and the entry failed")
    #expect(try daemon.stop() == .exited(0))
  }

  /// Checks that history, the log and `why` name the cause and the repeated entry.
  private static func checkStories(_ daemon: DaemonProcess, _ entry: WallInstant) throws {
    let history: [EntryReport] = try replies(daemon.control("history", "night", "--json").output)
    #expect(history.map(\.cause) == ["schedule", "rerun", "rerun"])
    #expect(history.map(\.of?.instant) == [nil, entry, entry])
    #expect(history.last?.by?.program == "timelinectl")
    #expect(try daemon.control("history", "night").output.contains("rerun of "))
    let why: [WhyReply] = try replies(daemon.control("why", "night", "\(entry)", "--json").output)
    #expect(why.first?.reruns?.map(\.outcome) == ["failed", "succeeded"])
    #expect(why.first?.details.filter { $0.name == "rerun" }.count == 2)
    let last = try #require(history.last)
    let rerun: [WhyReply] = try replies(
      daemon.control("why", "night", "\(last.entry.instant)", "--json").output)
    #expect(rerun.first?.details.contains { $0.name == "repeats" && $0.text.contains("2nd time") } == true)
    try daemon.line(containing: "night", "rerun requested by", "(timelinectl)")
    #expect(daemon.lines.contains { $0.contains("succeeded  rerun of entry ") })
  }

  @Test func `is refused with the nearest entries, or with what is in the way`() throws {
    let workshop = try Workshop()
    let entry = WallInstant(
      secondsSinceEpoch: SystemTime.now().nanosecondsSinceEpoch / 1_000_000_000 + 2)
    let daemon = try Self.daemon(workshop, entry: entry)
    try daemon.line(containing: "night", "failed")
    for (words, reason) in [
      (["night", "2000-01-01"], "the nearest is "), (["night", "2h", "ago"], " after"),
      (["night", "in 2h"], " before"), (["night", "noonish"], "noonish"),
      (["loop", "now"], "an animation has no entries to repeat"),
      (["nihgt", "now"], "did you mean 'night'?"),
    ] {
      let answer = try daemon.control(["rerun"] + words)
      #expect(answer.end == .exited(1) && answer.errors.contains(reason), "\(words): \(answer)")
    }
    #expect(try daemon.control("rerun", "night").end == .exited(64))
    for (words, reason) in [
      (["--from", "now", "--until", "2000-01-01"], "ends before it begins"),
      (["--from", "2000-01-01"], "longer than 400 days"),
    ] {
      let answer = try daemon.control(["gaps", "night"] + words)
      #expect(answer.end == .exited(1) && answer.errors.contains(reason), "\(words): \(answer)")
    }
    #expect(try daemon.control("gaps", "loop").end == .exited(1))
    let table = try daemon.control("gaps", "night", "--from", "1h ago")
    #expect(table.output.contains("failed") && table.output.hasPrefix("ENTRY"), "\(table)")
    #expect(try daemon.stop() == .exited(0))
  }
}
