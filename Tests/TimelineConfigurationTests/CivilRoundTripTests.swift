import Testing
import TimelineConfiguration
import TimelineCore
import TimelineTestSupport

@Suite struct `Civil rules in a configuration` {
  /// The schedules of jobs that have the rules, in their order.
  private func read(_ rules: [String]) throws -> [ScheduleRule] {
    let jobs = rules.enumerated().map { index, rule in
      "[job.j\(index)]\nplugin = \"exec\"\ntime-zone = \"Europe/Berlin\"\nschedule = { civil = \(rule) }\n"
    }
    let source = ConfigurationSource(path: "t.toml", bytes: Array(jobs.joined().utf8))
    return try Configuration.read([source], in: .golden).get().jobs.map(\.schedule)
  }

  static let seed: UInt64 = 0x5EED_C1F1

  static let rules = [
    #"{ every = "2 weeks", from = 2026-01-05, on = ["mon", "thu"], at = ["09:00", "17:30"] }"#,
    #"{ every = "1 week", from = 2026-01-07, on = ["sun", "wed", "tue"], at = ["00:00:01"] }"#,
    #"{ every = "3 weeks", from = 2026-01-07, week-starts = "sun", at = ["23:59:59"] }"#,
    #"{ every = "1 weeks", from = 2026-01-07, week-starts = "sun", at = ["23:59"] }"#,
    #"{ every = "1000 days", from = 1970-01-01, at = ["09:00:00"] }"#,
    #"{ at = ["09:00"], from = 2026-01-31, short-month = "last", every = "1 month" }"#,
    #"{ every = "5 months", from = 2026-01-29, short-month = "skip", at = ["09:00"] }"#,
    #"{ every = "12 months", from = 2026-01-28, at = ["09:00"] }"#,
    #"{ every = "4 years", from = 2024-02-29, short-month = "skip", at = ["09:00"] }"#,
    #"{ every = "1 year", from = 2024-02-29, short-month = "last", at = ["09:00"] }"#,
    #"{ every = "02 years", from = 2026-12-31, at = ["09:00"] }"#,
  ]

  @Test func `reading the canonical form gives the same rule`() throws {
    let schedules = try read(Self.rules)
    let forms = try schedules.map { try #require($0.explanation(from: .epoch, years: 1).canonicalForm) }
    #expect(try read(forms) == schedules)
    let again = try read(forms).map { $0.explanation(from: .epoch, years: 1).canonicalForm }
    #expect(again == forms)
  }

  @Test func `random rules are read as they were printed`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    var forms: [String] = []
    for _ in 0..<300 {
      let day = try #require(CivilDate(daysSinceEpoch: Int.random(in: 15_000...25_000, using: &generator)))
      let unit = try #require(CivilRecurrence.Unit.allCases.randomElement(using: &generator))
      let seconds = Set(
        (0..<Int.random(in: 1...64, using: &generator)).map { _ in
          Int.random(in: 0..<86_400, using: &generator)
        })
      let recurrence = try CivilRecurrence(
        every: Int.random(in: 1...(unit == .years ? 50 : 1_000), using: &generator), unit, from: day,
        at: seconds.sorted().compactMap {
          CivilTime(hour: $0 / 3_600, minute: $0 / 60 % 60, second: $0 % 60)
        },
        on: unit == .weeks ? Set(Weekday.allCases.filter { _ in Bool.random(using: &generator) }) : [],
        weekStart: Weekday.allCases.randomElement(using: &generator) ?? .monday,
        shortMonth: CivilRecurrence.ShortMonth.allCases.randomElement(using: &generator))
      forms.append(recurrence.description)
    }
    let schedules = try read(forms)
    #expect(schedules.map { $0.explanation(from: .epoch, years: 1).canonicalForm } == forms)
  }

  @Test func `a civil rule stands in unions, windows and bounds`() throws {
    let text = """
      [job.a]
      plugin = "exec"
      time-zone = "Europe/Berlin"
      [job.a.schedule]
      any = [{ civil = { every = "2 weeks", from = 2026-06-01, at = ["09:00"] } }, { cron = "0 9 1 * *" }]
      except = ["2026-06-15"]
      starts = 2026-06-01T00:00:00
      limit = 3
      """
    let source = ConfigurationSource(path: "t.toml", bytes: Array(text.utf8))
    let rule = try Configuration.read([source], in: .golden).get().jobs[0].schedule
    let entries = Array(rule.entries(from: .epoch, mode: .normal).prefix(9)).map(\.description)
    #expect(entries == ["2026-06-01T07:00:00Z", "2026-06-29T07:00:00Z", "2026-07-01T07:00:00Z"])
  }
}
