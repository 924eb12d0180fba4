import Testing
import TimelineConfiguration
import TimelineCore
import TimelineTestSupport

@Suite struct `Recurrence rules in a configuration` {
  /// The schedules of jobs that have the rules, in their order.
  private func read(_ rules: [String]) throws -> [ScheduleRule] {
    let jobs = rules.enumerated().map { index, rule in
      "[job.j\(index)]\nplugin = \"exec\"\ntime-zone = \"Europe/Berlin\"\nschedule = \(rule)\n"
    }
    let source = ConfigurationSource(path: "t.toml", bytes: Array(jobs.joined().utf8))
    return try Configuration.read([source], in: .golden).get().jobs.map(\.schedule)
  }

  static let rules = [
    "FREQ=YEARLY", "FREQ=YEARLY;UNTIL=20301231;BYWEEKNO=-1,1,20;BYDAY=SU,MO;WKST=SU",
    "FREQ=YEARLY;BYYEARDAY=-366,-1,1,366;BYMONTH=1,12;BYHOUR=0,23;BYMINUTE=59;BYSECOND=60",
    "FREQ=MONTHLY;COUNT=100;INTERVAL=2;BYDAY=-1FR,+1MO,WE;BYSETPOS=-1,2", "FREQ=MONTHLY;BYMONTHDAY=31,-31,1",
    "freq=weekly;until=20301231t235959;interval=0003;byday=tu", "FREQ=DAILY;UNTIL=20301231T235959Z",
    "FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,30", "FREQ=MINUTELY;BYHOUR=9,10;BYDAY=MO",
    "FREQ=SECONDLY;INTERVAL=86399",
  ]

  @Test func `reading the canonical form gives the same rule`() throws {
    let texts =
      Self.rules.map { "{ rrule = \"\($0)\", from = 2026-01-30T17:00:30 }" } + [
        "{ rrule = \"FREQ=DAILY\", from = 2026-01-30T17:00:00, rdate = [2026-02-06T18:00:00, 2026-02-05T18:00:00], exdate = [2026-02-06T17:00:00] }"
      ]
    let schedules = try read(texts)
    let forms = try schedules.map { try #require($0.explanation(from: .epoch, years: 1).canonicalForm) }
    #expect(try read(forms) == schedules)
    #expect(try read(forms).map { $0.explanation(from: .epoch, years: 1).canonicalForm } == forms)
  }

  @Test func `a recurrence rule stands in unions, windows and bounds`() throws {
    let rule = try read([
      """
      { any = [{ rrule = "FREQ=WEEKLY;INTERVAL=2", from = 2026-06-01T09:00:00 }, { cron = "0 9 1 * *" }], \
      except = ["2026-06-15"], starts = 2026-06-01T00:00:00, limit = 3 }
      """
    ])[0]
    let entries = Array(rule.entries(from: .epoch, mode: .normal).prefix(9)).map(\.description)
    #expect(entries == ["2026-06-01T07:00:00Z", "2026-06-29T07:00:00Z", "2026-07-01T07:00:00Z"])
  }
}
