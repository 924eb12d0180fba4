import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTestSupport

@Suite struct `Rows in text` {
  private static let names = [
    name("a"), name("fifteen-letters"), name("sixteen-letters."),
    name(String(repeating: "n", count: JobName.lengthMax)),
  ]

  /// A row of job number `job`; instants in nanoseconds, ended in `length` unless it did not run.
  private func row(
    _ job: Int, _ entry: Int64, start: Int64? = nil, lasts length: Int64 = 0, _ outcome: Outcome
  ) -> DryRunRow {
    let began = start.map { WallInstant(nanosecondsSinceEpoch: $0) }
    let ended = WallInstant(
      nanosecondsSinceEpoch: (start ?? entry).addingReportingOverflow(length).partialValue)
    return .entry(
      DryRunEntry(
        job: job, entry: WallInstant(nanosecondsSinceEpoch: entry), start: began,
        end: began == nil ? nil : ended, outcome: outcome))
  }

  private func written(_ rows: [DryRunRow], as form: DryRunWriter.Form) -> [String] {
    var writer = DryRunWriter(jobs: Self.names, as: form)
    for row in rows { writer.write(row) }
    return writer.takeLines()
  }

  @Test func `of JSON, with fractions, before 1970 and at both ends of time`() {
    let long = Self.names[3].text
    #expect(
      written(
        [
          row(0, 0, start: 0, .succeeded),
          row(1, 0, start: 250_000_000, lasts: 1, .timedOut),
          row(2, -1, .overlapped),
          row(3, .min, start: .min, lasts: 7, .failed),
          row(3, .max, start: .max, .cancelled),
          row(0, 951_782_400_000_000_000, .daylightSavingGap),
        ], as: .json) == [
          #"{"job":"a","entry":"1970-01-01T00:00:00Z","start":"1970-01-01T00:00:00Z","end":"1970-01-01T00:00:00Z","outcome":"succeeded"}"#,
          #"{"job":"fifteen-letters","entry":"1970-01-01T00:00:00Z","start":"1970-01-01T00:00:00.25Z","end":"1970-01-01T00:00:00.250000001Z","outcome":"timed-out"}"#,
          #"{"job":"sixteen-letters.","entry":"1969-12-31T23:59:59.999999999Z","outcome":"overlapped"}"#,
          #"{"job":"\#(long)","entry":"1677-09-21T00:12:43.145224192Z","start":"1677-09-21T00:12:43.145224192Z","end":"1677-09-21T00:12:43.145224199Z","outcome":"failed"}"#,
          #"{"job":"\#(long)","entry":"2262-04-11T23:47:16.854775807Z","start":"2262-04-11T23:47:16.854775807Z","end":"2262-04-11T23:47:16.854775807Z","outcome":"cancelled"}"#,
          #"{"job":"a","entry":"2000-02-29T00:00:00Z","outcome":"dst-gap"}"#,
        ])
  }

  @Test func `of a table, whose columns grow with long values`() {
    let rows = [
      row(0, 0, start: 0, .succeeded), row(2, -1, .overlapped),
      row(1, 1_500_000_000, start: 2_000_000_000, lasts: 60_000_000_000, .lowFrequency),
    ]
    #expect(
      written(rows, as: .table(fitting: Array(Self.names.prefix(3)), hasFractions: false)) == [
        "1970-01-01T00:00:00Z  a                 1970-01-01T00:00:00Z  1970-01-01T00:00:00Z  succeeded",
        "1969-12-31T23:59:59.999999999Z  sixteen-letters.  -                     -                     overlapped",
        "1970-01-01T00:00:01.5Z  fifteen-letters   1970-01-01T00:00:02Z  1970-01-01T00:01:02Z  low-frequency",
      ])
    #expect(
      written(rows, as: .table(fitting: [Self.names[0]], hasFractions: true)) == [
        "1970-01-01T00:00:00Z            a    1970-01-01T00:00:00Z            1970-01-01T00:00:00Z            succeeded",
        "1969-12-31T23:59:59.999999999Z  sixteen-letters.  -                               -                               overlapped",
        "1970-01-01T00:00:01.5Z          fifteen-letters  1970-01-01T00:00:02Z            1970-01-01T00:01:02Z            low-frequency",
      ])
  }

  @Test func `of a minute, among the entries of others`() {
    var minute = DryRunMinute(
      job: 1, minute: WallInstant(secondsSinceEpoch: -60),
      entry: WallInstant(nanosecondsSinceEpoch: -5_500_000_000))
    minute.outcomes.add(2, of: .overlapped)
    minute.outcomes.add(1_234, of: .succeeded)
    let rows = [row(0, -6_000_000_000, .missed), .minute(minute)]
    #expect(
      written(rows, as: .json) == [
        #"{"job":"a","entry":"1969-12-31T23:59:54Z","outcome":"missed"}"#,
        #"{"job":"fifteen-letters","entry":"1969-12-31T23:59:54.5Z","per":"minute","entries":1236,"outcomes":{"succeeded":1234,"overlapped":2}}"#,
      ])
    #expect(
      written(rows, as: .table(fitting: [], hasFractions: false)) == [
        "1969-12-31T23:59:54Z  a    -                     -                     missed",
        "1969-12-31T23:59:54.5Z  fifteen-letters  1,236 in this minute                        succeeded 1,234, overlapped 2",
      ])
  }

  @Test(arguments: [DryRunWriter.Form.json, .table(fitting: [], hasFractions: true)])
  func `are the same if they are flushed when the block is full, one by one, or never`(
    _ form: DryRunWriter.Form
  ) {
    let seed: UInt64 = 20_26
    var dice = SeededGenerator(seed: seed)
    let rows = (0..<3_000).map { _ in
      let entry = Int64.random(in: .min ... .max, using: &dice) >> Int64.random(in: 0..<40, using: &dice)
      return row(
        Int.random(in: 0..<4, using: &dice), entry, start: dice.happens(percent: 30) ? nil : entry,
        lasts: Int64.random(in: 0..<5, using: &dice),
        Outcome.allCases.randomElement(using: &dice) ?? .lost)
    }
    func lines(flushing: (DryRunWriter) -> Bool) -> (lines: [String], blocks: Int) {
      var writer = DryRunWriter(jobs: Self.names, as: form)
      var (lines, blocks): ([String], Int) = ([], 0)
      for row in rows {
        writer.write(row)
        guard flushing(writer) else { continue }
        lines += writer.takeLines()
        blocks += 1
      }
      return (lines + writer.takeLines(), blocks)
    }
    let whole = lines { _ in false }
    #expect(whole.lines.count == rows.count, "seed \(seed)")
    let full = lines { $0.isFull }
    #expect(full.blocks > 1)
    #expect(full.lines == whole.lines, "seed \(seed)")
    #expect(lines { !$0.isEmpty }.lines == whole.lines, "seed \(seed)")
    // The text of a row does not depend on the rows before it.
    for (row, line) in zip(rows, whole.lines).prefix(500) {
      #expect(written([row], as: form) == [line], "seed \(seed)")
    }
  }
}

extension DryRunWriter {
  /// Lines written since the last time, without their ends.
  mutating func takeLines() -> [String] {
    var text = ""
    flush { bytes in
      text = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
