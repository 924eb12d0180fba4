import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `A row of a drawing` {
  /// The row that entries give on 100 columns of a second each.
  private func row(_ entries: [DryRunEntry], minutes: [DryRunMinute] = []) -> DrawingRow {
    drawing(entries.map { .entry($0) } + minutes.map { .minute($0) }).rows[0]
  }

  private func drawing(_ rows: [DryRunRow], jobs: Int = 1) -> TimelineDrawing {
    var builder = DrawingBuilder(
      jobs: (0..<jobs).map { DrawingRow.Job(name: name("job-\($0)"), zone: .utc) },
      scale: DrawingScale(from: t(0), until: t(100), columns: 100), zone: .utc)
    for row in rows { builder.add(row) }
    return builder.drawing
  }

  /// An entry that ran from `start` for `length` seconds.
  private func ran(
    _ entry: Int64, start: Int64? = nil, _ length: Int64, _ outcome: Outcome = .succeeded, job: Int = 0
  ) -> DryRunEntry {
    let start = start ?? entry
    return DryRunEntry(job: job, entry: t(entry), start: t(start), end: t(start + length), outcome: outcome)
  }

  private func omitted(_ entry: Int64, _ outcome: Outcome) -> DryRunEntry {
    DryRunEntry(job: 0, entry: t(entry), start: nil, end: nil, outcome: outcome)
  }

  /// Bars as `kind lane from-to`, in pixels and tenths; `*` for many.
  private func bars(_ row: DrawingRow) -> [String] {
    row.bars.map { "\($0.kind) \($0.lane.map(String.init) ?? "*") \($0.span.start)-\($0.span.end)" }
  }

  private func marks(_ row: DrawingRow) -> [String] {
    row.marks.map { "\($0.kind) \($0.count) \($0.span.start)-\($0.span.end)" }
  }

  @Test func `has a bar for each run, cut at the edges`() {
    let row = row([ran(0, 10), ran(20, 0), ran(95, 60), ran(99, 0)])
    #expect(
      bars(row) == ["success 0 0-100", "success 0 200-212", "success 0 950-1000", "success 1 988-1000"])
    #expect(row.runCount == 4 && row.firstStart == t(0) && row.laneCount == 2)
    #expect(row.marks.isEmpty && row.waits.isEmpty)
  }

  @Test func `puts runs that overlap one another into lanes, three at most`() {
    let row = row([ran(0, 30), ran(10, 30), ran(20, 30), ran(25, 30), ran(30, 5)])
    #expect(row.bars.map(\.lane) == [0, 1, 2, 2, 0])
    #expect(row.laneCount == 3)
  }

  @Test func `draws more than two runs of a column as one, by the worst outcome`() {
    let calm = [ran(5, 0), ran(5, 0), ran(5, 0)]
    #expect(bars(row(calm)) == ["success * 50-60"])
    #expect(bars(row(calm + [ran(6, 0), ran(6, 0), ran(6, 1)])) == ["success * 50-70"])
    #expect(bars(row(calm + [ran(5, 20, .failed)])) == ["failure * 50-250"])
    #expect(bars(row([ran(5, 0), ran(5, 0, .failed)])) == ["success 0 50-62", "failure 0 50-62"])
  }

  @Test func `marks entries that did not run, and runs that did not succeed`() {
    let row = row([
      ran(0, 10, .timedOut), omitted(5, .overlapped), omitted(30, .excluded), omitted(60, .missed),
      ran(80, 10, .cancelled),
    ])
    #expect(
      marks(row) == [
        "omission 1 305-305", "miss 1 55-55", "miss 1 605-605", "cancellation 1 905-905", "failure 1 105-105",
      ])
    #expect(row.summary == "2 runs, 1 timed-out, 1 cancelled, 1 overlapped, 1 missed, 1 excluded")
  }

  @Test func `joins marks that would touch, and counts them`() {
    let row = row([5, 6, 12, 40, 49].map { omitted($0, .overlapped) })
    #expect(marks(row) == ["miss 3 55-125", "miss 1 405-405", "miss 1 495-495"])
    var several = omitted(30, .excluded)
    (several.firstEntry, several.count) = (t(10), 21)
    #expect(marks(self.row([several])) == ["omission 21 105-305"])
  }

  @Test func `shows how long an entry waited`() {
    let row = row([ran(10, start: 15, 5), ran(20, 1), ran(95, start: 130, 5)])
    #expect(row.waits == [DrawingSpan(100, 160), DrawingSpan(950, 1_000)])
    #expect(bars(row) == ["success 0 150-200", "success 0 200-212"], "a run after the window has no bar")
  }

  @Test(
    arguments: [
      ([0, 2, 4, 6, 60, 62], ["70-600 53s"]),
      ([0, 30, 60, 90], []),
      ([0, 90], []),
      ([0, 1, 2, 20], []),
    ] as [([Int64], [String])])
  func `marks stretches without a run that are longer than usual`(starts: [Int64], gaps: [String]) {
    let row = row(starts.map { ran($0, 1) })
    #expect(row.gaps.map { "\($0.span.start)-\($0.span.end) \($0.length)" } == gaps)
  }

  @Test func `shows counted minutes across their whole time`() {
    var minute = DryRunMinute(job: 0, minute: t(0), entry: t(20))
    minute.outcomes.add(30, of: .succeeded)
    minute.outcomes.add(4, of: .overlapped)
    let row = row([], minutes: [minute])
    #expect(bars(row) == ["success * 200-600"])
    #expect(marks(row) == ["miss 4 205-205"])
    #expect(row.summary == "30 runs, 4 overlapped")
  }

  @Test func `has no more parts than columns for a million entries`() {
    var builder = DrawingBuilder(
      jobs: [DrawingRow.Job(name: name("a"), zone: .utc)],
      scale: DrawingScale(from: t(0), until: t(100_000), columns: 100), zone: .utc)
    for second in 0..<Int64(100_000) {
      builder.add(.entry(second % 3 == 0 ? omitted(second, .overlapped) : ran(second, 1)))
    }
    let row = builder.drawing.rows[0]
    #expect(bars(row) == ["success * 0-1000"])
    #expect(marks(row) == ["miss 33334 5-995"])
    #expect(builder.entries.rows.count == DrawingEntries.rowsMax)
    #expect(builder.entries.omittedCount == 100_000 - DrawingEntries.rowsMax)
  }

  @Test func `shares the axis with the average number of active runs`() {
    let drawing = drawing(
      [
        .entry(ran(0, 2)), .entry(ran(1, 1, job: 1)),
        .entry(
          DryRunEntry(
            job: 1, entry: t(10), start: t(10), end: t(10) + .milliseconds(250), outcome: .succeeded)),
      ], jobs: 2)
    #expect(drawing.load.prefix(12) == [100, 200, 0, 0, 0, 0, 0, 0, 0, 0, 25, 0])
    #expect(drawing.loadMax == 200)
  }

  @Test func `is left out if there are too many`() {
    let drawing = drawing([.entry(ran(0, 1, job: 204))], jobs: 205)
    #expect(drawing.rows.count == TimelineDrawing.rowsMax && drawing.omittedRows == 5)
    #expect(drawing.load[0] == 100, "its runs count")
  }
}
