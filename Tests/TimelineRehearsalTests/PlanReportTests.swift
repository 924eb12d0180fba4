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

          | job | change | added | removed | moved | newly overlapping | ending otherwise |
          |---|---|--:|--:|--:|--:|--:|
          | `slow` | changed | – | – | – | 1 | – |
          | `new` | added | 1 | – | – | – | – |
          | `gone` | removed | – | 1 | – | – | – |

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
