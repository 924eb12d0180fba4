import Testing
import TimelineConfiguration
import TimelineCore

@Suite struct `The start of the machine` {
  private func read(_ text: String, startedAt: WallInstant?) throws -> Configuration {
    var context = ConfigurationContext.golden
    context.startOfMachine = startedAt
    return try Configuration.read([ConfigurationSource(path: "t.toml", bytes: Array(text.utf8))], in: context)
      .get()
  }

  private let job = "[job.boot]\nplugin = \"exec\"\nschedule = { cron = \"@reboot\" }\n"

  @Test func `is one entry where it is known, and the same rule at every start`() throws {
    let early = WallInstant(secondsSinceEpoch: 1_000)
    let known = try read(job, startedAt: early)
    #expect(known.warnings.isEmpty)
    let rule = known.jobs[0].schedule
    #expect(rule.next(after: .min) == early)
    #expect(rule.next(after: early) == nil)
    #expect(rule.description == "at the start of the machine")
    var unknown = try read(job, startedAt: nil)
    #expect(unknown.warnings.isEmpty)
    #expect(unknown.jobs[0].schedule.next(after: .min) == nil)
    #expect(unknown.jobs[0].schedule.description == rule.description)
    #expect(unknown.jobs[0].schedule.undescribedParts == rule.undescribedParts)
    unknown.resolve(startOfMachine: early)
    #expect(unknown.jobs[0].schedule == rule)
  }

  @Test func `cannot be one of several, nor behind windows`() throws {
    let rest = [
      "any = [{ cron = \"@reboot\" }, { cron = \"@daily\" }]",
      "cron = \"@reboot\", limit = 1, starts = 2026-01-01T00:00:00Z",
    ]
    for rest in rest {
      let text = "[job.boot]\nplugin = \"exec\"\nschedule = { \(rest) }\n"
      #expect(throws: ConfigurationRefusal.self) { try read(text, startedAt: .epoch) }
    }
  }
}
