import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTestSupport

@Suite struct `A dry run` {
  private func rows(
    _ jobs: [JobDefinition], from: Int64 = 0, until: Int64, mode: ScheduleMode = .normal,
    changes: [DryRunModeChange] = [], named: Set<JobName> = []
  ) -> [String] {
    var dryRun = DryRun(
      jobs: jobs, from: t(from), until: t(until), mode: mode, modeChanges: changes, named: named)
    var writer = DryRunWriter(jobs: dryRun.summary.jobs.map(\.name), as: .json)
    dryRun.run { writer.write($0) }
    return writer.takeLines()
  }

  @Test func `rows are in order of entry, then of job, even if runs end in another order`() {
    let jobs = [job("long", every(10), lasts: 25), job("short", every(5), lasts: 1)]
    #expect(
      rows(jobs, until: 12) == [
        #"{"job":"long","entry":"1970-01-01T00:00:00Z","start":"1970-01-01T00:00:00Z","end":"1970-01-01T00:00:25Z","outcome":"succeeded"}"#,
        #"{"job":"short","entry":"1970-01-01T00:00:00Z","start":"1970-01-01T00:00:00Z","end":"1970-01-01T00:00:01Z","outcome":"succeeded"}"#,
        #"{"job":"short","entry":"1970-01-01T00:00:05Z","start":"1970-01-01T00:00:05Z","end":"1970-01-01T00:00:06Z","outcome":"succeeded"}"#,
        #"{"job":"long","entry":"1970-01-01T00:00:10Z","outcome":"overlapped"}"#,
        #"{"job":"short","entry":"1970-01-01T00:00:10Z","start":"1970-01-01T00:00:10Z","end":"1970-01-01T00:00:11Z","outcome":"succeeded"}"#,
      ])
  }

  @Test func `an entry at the begin is included, one at the end is not, and runs continue to their end`() {
    var dryRun = DryRun(jobs: [job("a", every(10), lasts: 60)], from: t(10), until: t(20))
    var rows: [DryRunRow] = []
    dryRun.run { rows.append($0) }
    #expect(rows.map(\.entry) == [t(10)])
    guard case .entry(let row)? = rows.first else { return #expect(Bool(false), "not an entry") }
    #expect(row.end == t(70))
    #expect(dryRun.nextInstant == nil)
  }

  @Test func `many runs that end when entries fall due do not overlap these`() {
    let jobs = ["a", "b", "c"].map { job($0, every(60), lasts: 60) }
    var dryRun = DryRun(jobs: jobs, from: t(0), until: t(600))
    dryRun.run { _ in }
    #expect(dryRun.summary.jobs.map { $0.outcomes[.succeeded] } == [10, 10, 10])
    #expect(dryRun.summary.peak == 3)
  }

  @Test func `entries that wait for a run keep their place`() {
    let jobs = [job("a", every(10), lasts: 15) { $0.overlap = .bufferAll }, job("b", every(10, from: 5))]
    let order = rows(jobs, until: 30).map { $0.split(separator: "\"")[3] }
    #expect(order == ["a", "b", "a", "b", "a", "b"])
  }

  @Test func `fractions have as many digits as they need`() {
    let quarter = job("a", every(.milliseconds(250)))
    #expect(
      rows([quarter], until: 1, named: [name("a")]).last
        == #"{"job":"a","entry":"1970-01-01T00:00:00.75Z","start":"1970-01-01T00:00:00.75Z","end":"1970-01-01T00:00:00.75Z","outcome":"succeeded"}"#
    )
  }

  @Test func `a run longer than its timeout times out`() {
    #expect(
      rows([job("a", at(0), lasts: 60) { $0.timeout = .seconds(10) }], until: 5) == [
        #"{"job":"a","entry":"1970-01-01T00:00:00Z","start":"1970-01-01T00:00:00Z","end":"1970-01-01T00:00:10Z","outcome":"timed-out"}"#
      ])
  }

  @Test func `a job faster than once a second is counted by the minute`() {
    var fast = job("fast", every(.milliseconds(100)))
    fast.policies.expect = .milliseconds(150)
    #expect(
      rows([fast, job("tick", every(60))], from: 30, until: 150) == [
        #"{"job":"fast","entry":"1970-01-01T00:00:30Z","per":"minute","entries":300,"outcomes":{"succeeded":150,"overlapped":150}}"#,
        #"{"job":"fast","entry":"1970-01-01T00:01:00Z","per":"minute","entries":600,"outcomes":{"succeeded":300,"overlapped":300}}"#,
        #"{"job":"tick","entry":"1970-01-01T00:01:00Z","start":"1970-01-01T00:01:00Z","end":"1970-01-01T00:01:00Z","outcome":"succeeded"}"#,
        #"{"job":"fast","entry":"1970-01-01T00:02:00Z","per":"minute","entries":300,"outcomes":{"succeeded":150,"overlapped":150}}"#,
        #"{"job":"tick","entry":"1970-01-01T00:02:00Z","start":"1970-01-01T00:02:00Z","end":"1970-01-01T00:02:00Z","outcome":"succeeded"}"#,
      ])
    #expect(rows([fast], until: 60, named: [name("fast")]).count == 600)
  }

  @Test func `entries that windows exclude together are one row`() throws {
    var conditions = ComposedSchedule.Conditions()
    conditions.only = [try CivilWindow(parsing: "Mon..Fri")]
    let workdays = job(
      "a", .composed(try ComposedSchedule([every(86_400)], conditions: conditions, zone: .utc)))
    // 1970-01-01 was a Thursday.
    #expect(
      rows([workdays], from: 86_400, until: 5 * 86_400) == [
        #"{"job":"a","entry":"1970-01-02T00:00:00Z","start":"1970-01-02T00:00:00Z","end":"1970-01-02T00:00:00Z","outcome":"succeeded"}"#,
        #"{"job":"a","entry":"1970-01-04T00:00:00Z","outcome":"excluded","firstEntry":"1970-01-03T00:00:00Z","entries":2}"#,
        #"{"job":"a","entry":"1970-01-05T00:00:00Z","start":"1970-01-05T00:00:00Z","end":"1970-01-05T00:00:00Z","outcome":"succeeded"}"#,
      ])
    var writer = DryRunWriter(
      jobs: [workdays.name], as: .table(fitting: [workdays.name], hasFractions: false))
    var dryRun = DryRun(jobs: [workdays], from: t(2 * 86_400), until: t(5 * 86_400))
    dryRun.run { writer.write($0) }
    #expect(
      writer.takeLines().joined(separator: "\n") == """
        1970-01-04T00:00:00Z  a    -                     -                     excluded  2 entries since 1970-01-03T00:00:00Z
        1970-01-05T00:00:00Z  a    1970-01-05T00:00:00Z  1970-01-05T00:00:00Z  succeeded
        """)
  }

  @Test func `an animation is left out in low-frequency mode, in one row`() {
    let jobs = [job("l", loop(.milliseconds(16))), job("a", every(60))]
    #expect(
      rows(jobs, until: 60, mode: .lowFrequency) == [
        #"{"job":"a","entry":"1970-01-01T00:00:00Z","start":"1970-01-01T00:00:00Z","end":"1970-01-01T00:00:00Z","outcome":"succeeded"}"#,
        #"{"job":"l","entry":"1970-01-01T00:00:59.984Z","outcome":"low-frequency","firstEntry":"1970-01-01T00:00:00Z","entries":3750}"#,
      ])
    #expect(rows(jobs, until: 60).count == 2)
  }

  @Test func `the mode changes as configured, and rows stay in order`() {
    let jobs = [job("l", loop(.seconds(4))), job("a", every(5, from: 2))]
    let changes = [
      DryRunModeChange(at: t(18), mode: .normal), DryRunModeChange(at: t(7), mode: .lowFrequency),
    ]
    let words = rows(jobs, until: 24, changes: changes).map { row in
      row.split(separator: "\"").map(String.init).filter { ["l", "a", "low-frequency"].contains($0) }
    }
    // 0, 2, 4, 7, 8 to 16 in one, 12, 17, 18, 22, 22.
    #expect(
      words == [
        ["l"], ["a"], ["l"], ["a"], ["a"], ["l", "low-frequency"], ["a"], ["l"], ["l"], ["a"],
      ])
  }

  @Test func `naming jobs leaves out the others`() {
    let jobs = [job("a", every(10)), job("b", every(10))]
    #expect(rows(jobs, until: 30, named: [name("b")]).count == 3)
  }

  @Test func `jobs that are not named still share groups and trigger reactions`() {
    let jobs = [
      job("big", every(10), lasts: 4) { $0.groups = [group("g")] },
      job("small", every(10), lasts: 1) { $0.groups = [group("g")] },
      job("late", every(10), lasts: 20) { $0.reactions = Reactions(onMissed: name("tell")) },
      job("tell", at(), lasts: 1),
    ]
    func rows(_ text: String) -> (starts: [WallInstant?], summary: DryRunSummary) {
      var dryRun = DryRun(
        jobs: jobs, groups: [group("g"): 1], from: t(0), until: t(20), named: [name(text)])
      var starts: [WallInstant?] = []
      dryRun.run { row in
        #expect(row.job == 0)
        if case .entry(let entry) = row { starts.append(entry.start) }
      }
      return (starts, dryRun.summary)
    }
    #expect(rows("small").starts == [t(4), t(14)])
    #expect(rows("tell").starts == [t(10)])
    #expect(rows("tell").summary.jobs.map(\.name) == [name("tell")])
    #expect(rows("tell").summary.entries == 1)
    #expect(rows("small").summary.peak == 1)
  }

  @Test func `a reaction to the begin of runs starts when they begin`() {
    let jobs = [
      job("backup", every(10), lasts: 4) {
        ($0.reactions, $0.concurrency) = (Reactions(onStart: name("ping")), 2)
      },
      job("ping", at()) { $0.reactions = Reactions(onStart: name("backup")) },
    ]
    var dryRun = DryRun(jobs: jobs, from: t(0), until: t(25), named: [name("ping")])
    var starts: [WallInstant?] = []
    dryRun.run { if case .entry(let entry) = $0 { starts.append(entry.start) } }
    #expect(starts == [t(0), t(10), t(20)])
  }

  @Test func `rows keep their order when jitter delays starts`() {
    var spread = job("spread", every(60), lasts: 1)
    spread.timing.jitter = .seconds(50)
    let jobs = [spread, job("tick", every(7))]
    var dryRun = DryRun(jobs: jobs, from: t(0), until: t(600), seed: 3)
    var rows: [DryRunRow] = []
    dryRun.run { rows.append($0) }
    #expect(rows.map(\.entry) == rows.map(\.entry).sorted())
    let starts = rows.compactMap { row -> (entry: WallInstant, start: WallInstant?)? in
      guard case .entry(let entry) = row, entry.job == 0 else { return nil }
      return (entry.entry, entry.start)
    }
    #expect(starts.map(\.entry) == (0..<10).map { t($0 * 60) })
    for (entry, start) in starts {
      #expect(
        start
          == spread.timing.start(of: spread.name, seed: 3, nominal: entry, next: entry + .seconds(60)))
    }
    #expect(Set(starts.map { $0.start.map { start in start - t(0) }?.nanoseconds }).count == 10)
  }

  @Test func `single steps return the same rows, each as soon as it is complete`() {
    let jobs = [job("long", every(10), lasts: 3), job("short", every(4)), job("l", loop(.milliseconds(300)))]
    var dryRun = DryRun(jobs: jobs, from: t(0), until: t(90))
    var writer = DryRunWriter(jobs: jobs.map(\.name), as: .json)
    while let instant = dryRun.nextInstant {
      _ = dryRun.step { row in
        writer.write(row)
        #expect(row.entry <= instant)
      }
    }
    #expect(writer.takeLines() == rows(jobs, until: 90))
  }

  @Test func `rows of many different jobs are in order for any step size`() {
    let seed: UInt64 = 404
    var dice = SeededGenerator(seed: seed)
    let jobs = (0..<40).map { number in
      var job = job("job-\(number)", every(dice.seconds(1...30), from: dice.seconds(0...9))) {
        $0.overlap = OverlapPolicy.allCases.randomElement(using: &dice) ?? .skip
        $0.priority = Int.random(in: -2...2, using: &dice)
        $0.expect = .seconds(dice.happens(percent: 50) ? 0 : dice.seconds(0...40))
      }
      if dice.happens(percent: 30) { job.timing.jitter = .seconds(dice.seconds(1...20)) }
      return job
    }
    func rows(_ steps: (inout DryRun, (DryRunRow) -> Void) -> Bool) -> [DryRunRow] {
      var dryRun = DryRun(jobs: jobs, from: t(0), until: t(1_500), seed: seed)
      var rows: [DryRunRow] = []
      while steps(&dryRun, { rows.append($0) }) {}
      #expect(dryRun.summary.entries == rows.count, "seed \(seed)")
      return rows
    }
    let singly = rows { $0.step($1) }
    let batches = rows { $0.stepThroughBatch($1) }
    #expect(singly.count > 2_000, "there are several batches")
    #expect(singly == batches, "seed \(seed)")
    let keys = singly.map { ($0.entry, $0.job) }
    #expect(!zip(keys, keys.dropFirst()).contains { $0 >= $1 }, "seed \(seed)")
  }

  @Test func `the summary is the same without rows`() {
    let jobs = [job("long", every(10), lasts: 25), job("fast", every(.milliseconds(100)))]
    var (with, without) = (
      DryRun(jobs: jobs, from: t(0), until: t(90)),
      DryRun(jobs: jobs, from: t(0), until: t(90), keepsRows: false)
    )
    with.run { _ in }
    without.run { _ in #expect(Bool(false), "there is to be no row") }
    #expect(with.summary == without.summary)
    #expect(
      without.summary.jsonLines == """
        {"job":"long","entries":9,"peak":1,"outcomes":{"succeeded":3,"overlapped":6}}
        {"job":"fast","entries":900,"peak":1,"outcomes":{"succeeded":900}}
        {"from":"1970-01-01T00:00:00Z","until":"1970-01-01T00:01:30Z","entries":909,"peak":2,"outcomes":{"succeeded":903,"overlapped":6}}

        """)
  }

  @Test func `an error of the consumer of rows ends the dry run`() {
    struct Full: Error {}
    var dryRun = DryRun(jobs: [job("a", every(1))], from: t(0), until: t(100_000))
    var count = 0
    #expect(throws: Full.self) {
      try dryRun.run { _ throws(Full) in
        count += 1
        if count == 10 { throw Full() }
      }
    }
    #expect(count == 10)
    #expect(dryRun.nextInstant != nil)
  }

  @Test func `the summary counts entries, outcomes and concurrent runs`() {
    let jobs = [
      job("heartbeat", every(1)), job("report", every(600), lasts: 900), job("long", every(60), lasts: 59),
    ]
    var dryRun = DryRun(jobs: jobs, from: t(0), until: t(3_600))
    dryRun.run { _ in }
    #expect(
      dryRun.summary.text == """
        From 1970-01-01T00:00:00Z until 1970-01-01T01:00:00Z:
        JOB        ENTRIES  PEAK  OUTCOMES
        heartbeat    3,600     1  succeeded 3,600
        report           6     1  succeeded 3, overlapped 3
        long            60     1  succeeded 60
        all          3,666     3  succeeded 3,663, overlapped 3

        """)
  }

  @Test func `the table`() {
    let jobs = [job("report", every(10), lasts: 12), job("l", loop(.milliseconds(500)))]
    let names = jobs.map(\.name)
    var writer = DryRunWriter(jobs: names, as: .table(fitting: names, hasFractions: false))
    var dryRun = DryRun(jobs: jobs, from: t(0), until: t(20))
    writer.writeHeading()
    dryRun.run { writer.write($0) }
    #expect(
      writer.takeLines().joined(separator: "\n") == """
        ENTRY                 JOB     START                 END                   OUTCOME
        1970-01-01T00:00:00Z  report  1970-01-01T00:00:00Z  1970-01-01T00:00:12Z  succeeded
        1970-01-01T00:00:00Z  l       40 in this minute                           succeeded 40
        1970-01-01T00:00:10Z  report  -                     -                     overlapped
        """)
  }

  @Test func `the progress line`() {
    var dryRun = DryRun(jobs: [job("a", every(1), lasts: 1)], from: t(0), until: t(4_000))
    #expect(dryRun.progress.text == "1970-01-01T00:00:00Z  0 %  0 entries  0 running")
    while let instant = dryRun.nextInstant, instant <= t(3_000) { _ = dryRun.step { _ in } }
    #expect(dryRun.progress.text == "1970-01-01T00:50:00Z  75 %  3,000 entries  1 running")
    dryRun.run { _ in }
    #expect(dryRun.progress.text == "1970-01-01T01:06:40Z  100 %  4,000 entries  0 running")
  }
}
