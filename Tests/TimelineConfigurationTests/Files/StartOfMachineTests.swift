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

  @Test func `may be delayed, and be one of several`() throws {
    let early = WallInstant(secondsSinceEpoch: 1_000)
    let text = """
      [job.boot]
      plugin = "exec"
      schedule = { cron = "@reboot", delay = "15m" }
      [job.union]
      plugin = "exec"
      schedule = { any = [{ cron = "@reboot", delay = "15m" }, { periodic = { by = "1h" } }] }
      [job.alone]
      plugin = "exec"
      schedule = { any = [{ cron = "@reboot" }] }
      [job.close]
      plugin = "exec"
      schedule = { any = [{ cron = "@reboot", delay = "1m" }, { periodic = { by = "1500ms" } }] }
      """
    let known = try read(text, startedAt: early)
    var unknown = try read(text, startedAt: nil)
    #expect(known.warnings.isEmpty && unknown.warnings.isEmpty, "\(unknown.warnings.text())")
    let union = known.jobs[1].schedule
    #expect(known.jobs[0].schedule.next(after: .min) == early + .minutes(15))
    #expect(known.jobs[0].schedule.description == "15m after the start of the machine")
    #expect(known.jobs[0].schedule.wordsWithoutNext == "15m after the next start of the machine")
    #expect(union.next(after: early) == early + .minutes(15))
    #expect(union.next(after: early + .minutes(15)) == WallInstant(secondsSinceEpoch: 3_600))
    #expect(unknown.jobs[1].schedule.next(after: early) == WallInstant(secondsSinceEpoch: 3_600))
    #expect(unknown.jobs[2].schedule.next(after: .min) == nil)
    #expect(unknown.jobs[2].schedule.wordsWithoutNext == "at the next start of the machine")
    #expect(!known.jobs[3].schedule.hasMoreThanOneEntryPerSecond)
    for (job, other) in zip(known.jobs, unknown.jobs) {
      #expect(job.schedule.description == other.schedule.description)
      #expect(job.schedule.undescribedParts == other.schedule.undescribedParts)
    }
    unknown.resolve(startOfMachine: early)
    #expect(unknown.jobs.map(\.schedule) == known.jobs.map(\.schedule))
  }

  @Test func `has neither windows nor bounds, and alone a delay`() throws {
    let rest = [
      "cron = \"@reboot\", limit = 1, starts = 2026-01-01T00:00:00Z",
      "any = [{ cron = \"@reboot\" }, { cron = \"@daily\" }], only = [\"Mon\"]",
      "cron = \"@daily\", delay = \"1m\"", "calendar = \"daily\", delay = \"1m\"",
      "any = [{ cron = \"@reboot\" }], delay = \"1m\"", "cron = \"@reboot\", delay = \"-1m\"",
      "cron = \"@reboot\", delay = 5",
    ]
    for rest in rest {
      let text = "[job.boot]\nplugin = \"exec\"\nschedule = { \(rest) }\n"
      #expect(throws: ConfigurationRefusal.self) { try read(text, startedAt: .epoch) }
    }
  }
}
