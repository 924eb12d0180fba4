import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `A plan in Markdown` {
  private func markdown(
    _ old: [JobDefinition], _ new: [JobDefinition], until: Int64 = 100, files: (String, String) = ("a", "b")
  ) -> String {
    var plan = Plan(
      from: old, DryRun(jobs: old, from: t(0), until: t(until)), to: new,
      DryRun(jobs: new, from: t(0), until: t(until)), examplesMax: PlanReport.markdownExamplesMax)
    let report = PlanReport(jobs: plan.run(), from: t(0), until: t(until), zones: [:], zone: .utc)
    return report.markdown(old: files.0, new: files.1)
  }

  @Test func `has a table of jobs, and one of entries`() {
    #expect(
      markdown(
        [job("kept", every(10)), job("gone", at(5)), job("slow", every(50), lasts: 10)],
        [job("kept", every(10)), job("slow", every(50), lasts: 60), job("new", at(7))]) == """
          ### Plan: `a` → `b`

          3 of 4 jobs change in the 100s from 1970-01-01 00:00:00 UTC; entries: 1 added, 1 removed, 1 newly overlapping.

          | job | change | added | removed | moved | newly overlapping | ending otherwise | starts moved |
          |---|---|--:|--:|--:|--:|--:|--:|
          | `slow` | changed | – | – | – | 1 | – | – |
          | `new` | added | 1 | – | – | – | – | – |
          | `gone` | removed | – | 1 | – | – | – | – |

          | job | entry | before | after |
          |---|---|---|---|
          | `slow` | overlaps a run | – | 1970-01-01 00:00:50 UTC |
          | `new` | added | – | 1970-01-01 00:00:07 UTC |
          | `gone` | removed | 1970-01-01 00:00:05 UTC | – |

          """)
  }

  @Test func `states that nothing changes, without a table`() {
    #expect(
      markdown([job("a", every(10))], [job("a", every(10))])
        == "### Plan: `a` → `b`\n\nNothing changes in the 100s from 1970-01-01 00:00:00 UTC.\n")
  }

  @Test(arguments: [
    ("a.toml", "`a.toml`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("a\n# b", "`a # b`"),
    ("<b>|x", "`<b>|x`"),
  ])
  func `has the names of files as code`(file: String, code: String) {
    #expect(markdown([], [], files: (file, "b")).hasPrefix("### Plan: \(code) → `b`\n"))
  }

  @Test func `has at most ten examples of a job, and fits a comment`() {
    let text = markdown([job("a", every(10))], [job("a", every(5))], until: 1_000)
    #expect(text.contains("| `a` | 90 more | … | … |\n"))
    let many = (0..<300).map { job("job-\($0)", every(1)) }
    let long = markdown([], many)
    #expect(long.contains("\n200 more jobs change.\n") && long.contains("more lines are left out"))
    #expect(long.count < 65_536)
  }

  /// Timings of a job with entries at 5, 17 and 70 s, and the words about it.
  static let timings: [(old: ScheduleTiming, new: ScheduleTiming, words: String)] = [
    (
      ScheduleTiming(), ScheduleTiming(accuracy: .seconds(10)),
      "changes: every entry stays, 2 starts moved by up to 5.00s"
    ),
    (
      ScheduleTiming(accuracy: .seconds(10)), ScheduleTiming(), "changes: every entry stays, 2 starts moved"
    ),
    (ScheduleTiming(), ScheduleTiming(jitter: .seconds(20)), "changes: every entry stays, 3 starts moved"),
    (
      ScheduleTiming(jitter: .seconds(8)), ScheduleTiming(jitter: .seconds(20)),
      "changes: every entry stays, 3 starts moved"
    ),
    (
      ScheduleTiming(jitter: .seconds(8)), ScheduleTiming(jitter: .seconds(8), hasFixedOffset: true),
      "changes: every entry stays, 3 starts moved"
    ),
    (
      ScheduleTiming(), ScheduleTiming(accuracy: .seconds(1)),
      "changes in jitter or accuracy; its entries in these 100s stay"
    ),
  ]

  @Test(arguments: timings) func `names the starts that another jitter or accuracy moves`(
    row: (old: ScheduleTiming, new: ScheduleTiming, words: String)
  ) {
    var (old, new) = (job("a", at(5, 17, 70)), job("a", at(5, 17, 70)))
    (old.timing, new.timing) = (row.old, row.new)
    let report = report([old], [new])
    #expect(report.text.hasPrefix("~ a  \(row.words)"), "\(report.text)")
    let starts = [(5, 17), (17, 70), (70, nil)].map { (entry: Int64, next: Int64?) in
      [row.old, row.new].map { $0.start(of: old.name, seed: 0, nominal: t(entry), next: next.map(t)) }
    }
    let moved = starts.filter { $0[0] != $0[1] }
    #expect(report.jobs[0].otherStartCount == moved.count)
    #expect(report.jobs[0].startShift == moved.map { max($0[0], $0[1]) - min($0[0], $0[1]) }.max() ?? .zero)
    guard let first = moved.first else { return #expect(report.text.contains("; every entry stays.")) }
    let texts = first.map { $0.wholeMilliseconds.text(in: .utc) }
    #expect(report.text.contains("\n      starts   \(texts[0]) -> \(texts[1])\n"), "\(report.text)")
    let markdown = report.markdown(old: "a", new: "b")
    #expect(markdown.contains("| `a` | changed | – | – | – | – | – | \(moved.count) |"), "\(markdown)")
    #expect(markdown.contains("| `a` | starts | \(texts[0]) | \(texts[1]) |"), "\(markdown)")
  }

  private func report(
    _ old: [JobDefinition], _ new: [JobDefinition], from: WallInstant = t(0), until: WallInstant = t(100)
  ) -> PlanReport {
    var plan = Plan(
      from: old, DryRun(jobs: old, from: from, until: until), to: new,
      DryRun(jobs: new, from: from, until: until))
    return PlanReport(jobs: plan.run(), from: from, until: until, zones: [:], zone: .utc)
  }

  @Test func `a wait for another job moves starts too`() {
    func jobs(lasting length: Int64) -> [JobDefinition] {
      [
        job("first", at(10), lasts: length) { $0.groups = [group("one")] },
        job("second", at(10)) { $0.groups = [group("one")] },
      ]
    }
    var plan = Plan(
      from: jobs(lasting: 5),
      DryRun(jobs: jobs(lasting: 5), groups: [group("one"): 1], from: t(0), until: t(100)),
      to: jobs(lasting: 8),
      DryRun(jobs: jobs(lasting: 8), groups: [group("one"): 1], from: t(0), until: t(100)))
    let jobs = plan.run()
    #expect(jobs.map(\.change) == [.changed, .kept] && jobs.map(\.otherStartCount) == [0, 1])
    #expect(jobs[1].startShift == .seconds(3) && jobs[1].isChanged)
  }

  /// Windows of a job before and after, the days compared from 2027-01-02 on, and the lines about it.
  static let leftOut: [(old: [String], new: [String], days: Int64, lines: String, cells: String)] = [
    (
      [], ["2027-12-24"], 365,
      "changes: 1 ending otherwise\n      ends     2027-12-24 09:00:00 UTC: succeeded -> excluded",
      "ends | 2027-12-24 09:00:00 UTC: succeeded | excluded"
    ),
    (
      [], ["2027-12-24"], 30,
      "changes; its entries in these 30d stay, a later one differs:\n      ends     2027-12-24 09:00:00 UTC: run -> excluded",
      "later: ends | 2027-12-24 09:00:00 UTC: run | excluded"
    ),
    (
      ["2027-12-24"], [], 365,
      "changes: 1 ending otherwise\n      ends     2027-12-24 09:00:00 UTC: excluded -> succeeded",
      "ends | 2027-12-24 09:00:00 UTC: excluded | succeeded"
    ),
    (
      ["2027-12-24"], [], 30,
      "changes; its entries in these 30d stay, a later one differs:\n      ends     2027-12-24 09:00:00 UTC: excluded -> run",
      "later: ends | 2027-12-24 09:00:00 UTC: excluded | run"
    ),
    (
      [], ["2027-01-03..2027-01-07"], 30,
      """
      changes: 5 ending otherwise
            ends     2027-01-03 09:00:00 UTC: succeeded -> excluded
            ends     2027-01-04 09:00:00 UTC: succeeded -> excluded
            ends     2027-01-05 09:00:00 UTC: succeeded -> excluded
            and 2 more
      """, "ends | 2027-01-03 09:00:00 UTC: succeeded | excluded"
    ),
    (
      ["2027-01-03..2027-01-07"], [], 30,
      """
      changes: 5 ending otherwise
            ends     2027-01-03 09:00:00 UTC: excluded -> succeeded
            ends     2027-01-04 09:00:00 UTC: excluded -> succeeded
            ends     2027-01-05 09:00:00 UTC: excluded -> succeeded
            and 2 more
      """, "ends | 2027-01-03 09:00:00 UTC: excluded | succeeded"
    ),
  ]

  @Test(arguments: leftOut) func `names an entry that a window leaves out`(
    row: (old: [String], new: [String], days: Int64, lines: String, cells: String)
  ) throws {
    func job(_ windows: [String]) throws -> JobDefinition {
      let rule = ScheduleRule.cron(
        CronSchedule(expression: try CronExpression(parsing: "0 9 * 1,12 *"), zone: .utc))
      var conditions = ComposedSchedule.Conditions()
      conditions.except = try windows.map { try CivilWindow(parsing: $0) }
      return TimelineEngineTestSupport.job(
        "a", .composed(try ComposedSchedule([rule], conditions: conditions, zone: .utc)))
    }
    let from = try WallInstant(rfc3339: "2027-01-02T00:00:00Z")
    let report = report([try job(row.old)], [try job(row.new)], from: from, until: from + .days(row.days))
    #expect(report.text.hasPrefix("~ a  \(row.lines)\n1 of 1 jobs change"), "\(report.text)")
    #expect(report.markdown(old: "a", new: "b").contains("| `a` | \(row.cells) |\n"))
  }

  /// Rules of a job, the words about it, and the first entry that differs after 30 days of January 2027.
  static let later: [(old: String, new: String, words: String, line: String?)] = [
    (
      "0 9 25 12 *", "0 9 26 12 *", "changes; its entries in these 30d stay, a later one differs:",
      "moved    2027-12-25 09:00:00 UTC -> 2027-12-26 09:00:00 UTC"
    ),
    (
      "0 9 28 2 *", "0 9 28,29 2 *", "changes; its entries in these 30d stay, a later one differs:",
      "added    2028-02-29 09:00:00 UTC"
    ),
    (
      "0 9 1 3,4 *", "0 9 1 4 *", "changes; its entries in these 30d stay, a later one differs:",
      "removed  2027-03-01 09:00:00 UTC"
    ),
    ("0 9 1 * *", "00 9 1 1-12 *", "", nil), ("0 9 * * *", "0,0 9 */1 * *", "", nil),
  ]

  @Test(arguments: later) func `names the first entry that differs after the compared time`(
    row: (old: String, new: String, words: String, line: String?)
  ) throws {
    func job(_ rule: String) throws -> JobDefinition {
      TimelineEngineTestSupport.job(
        "a", .cron(CronSchedule(expression: try CronExpression(parsing: rule), zone: .utc)))
    }
    let from = try WallInstant(rfc3339: "2027-01-02T00:00:00Z")
    let until = from + .days(30)
    let (old, new) = ([try job(row.old)], [try job(row.new)])
    var plan = Plan(
      from: old, DryRun(jobs: old, from: from, until: until), to: new,
      DryRun(jobs: new, from: from, until: until))
    let report = PlanReport(jobs: plan.run(), from: from, until: until, zones: [:], zone: .utc)
    guard let line = row.line else { return #expect(!report.text.contains("differs")) }
    #expect(report.text.hasPrefix("~ a  \(row.words)\n      \(line)\n1 of 1 jobs change"))
    #expect(report.markdown(old: "a", new: "b").contains("| `a` | later: \(line.prefix { $0 != " " }) | "))
  }
}
