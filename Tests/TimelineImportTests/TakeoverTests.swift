import Testing
import TimelineConfiguration
import TimelineCore

@testable import TimelineImport

/// Cron's journal beside the entries that were left to cron.
@Suite struct TakeoverTests {
  /// Midnight of a day without a clock change, in UTC.
  private static let midnight = WallInstant(secondsSinceEpoch: 1_790_812_800)
  private static func at(_ minute: Int64, _ second: Int64 = 0) -> WallInstant {
    midnight + .seconds(minute * 60 + second)
  }

  private static func message(_ text: String, at instant: WallInstant, identifier: String = "CRON") -> String
  {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let microseconds = instant.nanosecondsSinceEpoch / 1_000
    return
      #"{"__REALTIME_TIMESTAMP":"\#(microseconds)","SYSLOG_IDENTIFIER":"\#(identifier)","MESSAGE":"\#(escaped)"}"#
  }

  private static func journal(_ messages: [(Int64, String)]) -> CronJournal {
    CronJournal(
      Array(messages.map { message($0.1, at: at($0.0, 1)) }.joined(separator: "\n").utf8))
  }

  private static func line(
    _ number: Int, _ text: String, job: String?, user: String = "root", obstacle: String? = nil,
    isLeftToTimer: Bool = false, refusal: String? = nil
  ) -> IncludedCrontabs.Line {
    var line = IncludedCrontabs.Line(
      place: SourcePlace(path: "/etc/crontab", line: number, column: 1, length: 1, lineText: text),
      source: nil,
      command: CronCommand(user: user, text: text, obstacle: obstacle, isLeftToTimer: isLeftToTimer),
      refusal: refusal)
    line.job = job.flatMap { JobName($0) }
    return line
  }

  private static func record(
    _ job: String, _ minute: Int64, _ outcome: Outcome = .leftToCron, reason: String = ""
  ) -> TakeoverComparison.Record {
    TakeoverComparison.Record(job: job, span: at(minute)...at(minute), outcome: outcome, reason: reason)
  }

  private static func compare(
    _ lines: [IncludedCrontabs.Line], _ records: [TakeoverComparison.Record], _ messages: [(Int64, String)],
    since: Int64 = 0, now: Int64 = 61, zone: Zone = .utc, entriesPerJobMax: Int = 10_000
  ) -> TakeoverComparison {
    var crontabs = IncludedCrontabs()
    crontabs.lines = lines
    return TakeoverComparison(
      crontabs, records, with: journal(messages), since: at(since), now: at(now), zone: zone,
      entriesPerJobMax: entriesPerJobMax)
  }

  /// A minute before the period, in which both sides have evidence.
  private static let cronBegin: (Int64, String) = (-1, "(CRON) STARTUP (fork ok)")
  private static let ownBegin = record("a", -1)

  @Test(
    arguments: [
      // Cron's messages, minutes of the job's records, and the differences as KIND MINUTE.
      ([10, 20], [10, 20], 2, []),
      ([10, 20], [10], 1, ["only-cron 20"]),
      ([10], [10, 20], 1, ["only-timelined 20"]),
      ([10, 10], [10], 1, ["only-cron 10"]),
      ([], [], 0, []),
      // What has just been is not settled.
      ([59, 60], [59], 1, []),
    ] as [([Int64], [Int64], Int, [String])])
  func `compares minute by minute`(
    _ cron: [Int64], _ own: [Int64], _ bothCount: Int, _ differences: [String]
  ) throws {
    let comparison = Self.compare(
      [Self.line(3, "run a", job: "a")], [Self.ownBegin] + own.map { Self.record("a", $0) },
      [Self.cronBegin] + cron.map { ($0, "(root) CMD (   run a)") })
    #expect(comparison.period == Self.at(0)..<Self.at(60))
    let finding = try #require(comparison.findings.first)
    #expect(finding.bothCount == bothCount && comparison.findings.count == 1)
    #expect(
      finding.differences.map { difference in
        "\(difference.kind.rawValue) \(difference.minute.map { ($0 - Self.midnight).nanoseconds / 60_000_000_000 } ?? -1)"
      } == differences)
    #expect(comparison.differs == !differences.isEmpty)
  }

  @Test func `names the cause of a difference, where it is known`() throws {
    let lines = [Self.line(3, "run a", job: "a")]
    func cause(
      _ records: [TakeoverComparison.Record], _ messages: [(Int64, String)], zone: Zone = .utc
    ) throws -> String {
      let comparison = Self.compare(lines, [Self.ownBegin] + records, [Self.cronBegin] + messages, zone: zone)
      return try #require(comparison.findings.first?.differences.first?.cause)
    }
    let run: (Int64, String) = (10, "(root) CMD (run a)")
    #expect(
      try cause([Self.record("a", 10, .missed, reason: "missed entries of this job are skipped")], [run])
        .contains("missed: missed entries"))
    #expect(try cause([], [run]).contains("was not running"))
    #expect(try cause([], [(10, "(*system*) RELOAD (/etc/crontab)"), run]).contains("read a crontab again"))
    #expect(try cause([Self.record("a", 10)], [(11, "(CRON) STARTUP (fork ok)")]).contains("started"))
    #expect(try cause([Self.record("a", 10)], []).contains("journal has nothing"))
  }

  @Test func `distinguishes a run of both from one of cron alone`() throws {
    let comparison = Self.compare(
      [Self.line(3, "run a", job: "a")], [Self.ownBegin, Self.record("a", 10, .succeeded)],
      [Self.cronBegin, (10, "(root) CMD (run a)")])
    #expect(comparison.findings.first?.differences.map(\.kind) == [.twice])
  }

  @Test(
    arguments: [
      (line(3, "warm", job: "a", obstacle: "it runs when cron starts"), "it runs when cron starts", false),
      (line(3, "warm", job: nil, isLeftToTimer: true), "a timer of systemd does its work", false),
      (line(3, "warm", job: nil, refusal: "there is no user"), nil, true),
    ] as [(IncludedCrontabs.Line, String?, Bool)])
  func `compares no line that cannot be compared, and names one without a job`(
    _ line: IncludedCrontabs.Line, _ obstacle: String?, _ differs: Bool
  ) {
    let comparison = Self.compare(
      [line], [Self.ownBegin], [Self.cronBegin, (10, "(root) CMD (warm)"), (10, "(ada) CMD (warm)")])
    #expect(comparison.findings.first?.obstacle == obstacle)
    #expect(comparison.findings.first?.differences.isEmpty == !differs)
    // The command of another user is another one.
    #expect(comparison.findings.last?.differences.map(\.kind) == [.onlyCron])
    #expect(comparison.findings.last?.places.isEmpty == true)
  }

  @Test func `compares a job from the first entry that the ledger has kept of it`() throws {
    let lines = [Self.line(3, "run a", job: "a"), Self.line(4, "run b", job: "b")]
    let records = [Self.record("b", -1), Self.record("a", 20), Self.record("a", 30)]
    let messages = [Self.cronBegin] + [10, 20, 30].map { ($0, "(root) CMD (run a)") }
    let all = Self.compare(lines, records, messages)
    #expect(all.findings[0].differences.map(\.kind) == [.onlyCron] && all.findings[0].comparedFrom == nil)
    let kept = Self.compare(lines, records, messages, entriesPerJobMax: 2)
    #expect(kept.findings[0].bothCount == 2 && !kept.differs)
    #expect(kept.findings[0].comparedFrom == Self.at(20))
  }

  @Test func `merges lines with one command`() {
    let lines = [Self.line(3, "run", job: "a"), Self.line(4, "run", job: "b")]
    let messages = [Self.cronBegin, (10, "(root) CMD (run)"), (10, "(root) CMD (run)")]
    let comparison = Self.compare(
      lines, [Self.ownBegin, Self.record("a", 10), Self.record("b", 10)], messages)
    #expect(comparison.findings.map(\.bothCount) == [2] && !comparison.differs)
    #expect(comparison.findings[0].subject == "/etc/crontab:3, /etc/crontab:4 [job a, b]")
  }

  @Test func `compares from where both have evidence, and reports where that begins`() {
    let line = Self.line(3, "run a", job: "a")
    let late = Self.compare(
      [line], [Self.record("a", 30)], [(20, "(root) CMD (run a)"), (30, "(root) CMD (run a)")])
    #expect(late.period == Self.at(30)..<Self.at(60) && late.gaps.count == 2)
    let silent = Self.compare([line], [Self.record("a", 30)], [])
    #expect(silent.period == nil && silent.gaps.contains("cron's journal has no message"))
    let unrecorded = Self.compare([line], [], [Self.cronBegin])
    #expect(unrecorded.period == nil && unrecorded.gaps == ["no entry was left to cron"])
  }

  @Test(
    arguments: [
      ("echo a", "echo a"), ("echo\ta", "echo^Ia"), ("echo ä", #"echo \303\244"#), ("a\u{7F}", "a^?"),
      (" spaces ", "spaces"),
    ])
  func `prints a command as cron does`(_ text: String, _ printed: String) {
    #expect(CronCommand(user: "root", text: text).printed == printed)
  }

  @Test func `reads messages of cron, and counts lines that are none`() {
    let journal = CronJournal(
      Array(
        ([
          Self.message("(ada) CMD (echo (a) b)", at: Self.at(1, 1)),
          Self.message("(ada) CMD (echo a very long", at: Self.at(2, 1)),
          Self.message("(CRON) INFO (Running @reboot jobs)", at: Self.at(0)),
          Self.message("pam_unix(cron:session): session opened", at: Self.at(1)),
          #"{"__REALTIME_TIMESTAMP":"1","MESSAGE":[1,2,3]}"#, "no JSON",
        ].joined(separator: "\n") + "\n\n").utf8))
    #expect(journal.runs.map(\.command) == ["echo (a) b", "echo a very long"])
    #expect(journal.runs.map(\.isCut) == [false, true] && journal.runs.map(\.user) == ["ada", "ada"])
    #expect(journal.begin == Self.at(0) && journal.unreadableCount == 1)
  }

  @Test func `recognizes a command whose message is cut`() {
    let comparison = Self.compare(
      [Self.line(3, "echo a very long line", job: "a")], [Self.ownBegin, Self.record("a", 10)],
      [Self.cronBegin, (10, "(root) CMD (echo a very long")])
    #expect(comparison.findings.map(\.bothCount) == [1] && !comparison.differs)
  }
}
