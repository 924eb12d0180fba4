import Testing
import TimelineCore

@testable import TimelineConfiguration

/// A thing that the machine lacks costs the jobs that need it, where such jobs are kept, and the configuration where they are not.
@Suite struct MissingFileTests {
  private static func context(keeping: Bool, machineZone: Zone = .utc, lacksMachineZone: Bool = false)
    -> ConfigurationContext
  {
    var context = ConfigurationContext(
      zoneNames: ["Europe/Berlin", "UTC"], machineZone: machineZone, pluginNames: ["log"], now: .epoch
    ) { $0 == "UTC" ? .utc : nil }
    context.keepsJobsThatLackFiles = keeping
    context.zoneProblem = { name in
      FileRefusal(reason: "/zones/\(name): no such file or directory", isMissing: true)
    }
    if lacksMachineZone {
      context.machineZoneProblem = FileRefusal(reason: "/zones/X: no such file or directory", isMissing: true)
    }
    context.file = { path in
      switch path {
      case "/good": .success(Array("2026-12-25 Christmas\n".utf8))
      case "/damaged": .success(Array("not a date\n".utf8))
      default: .failure(FileRefusal(reason: "\(path): no such file or directory", isMissing: true))
      }
    }
    return context
  }

  private static func read(_ text: String, _ context: ConfigurationContext) -> Result<
    Configuration, ConfigurationRefusal
  > {
    Configuration.read([ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))], in: context)
  }

  private static let fine =
    "\n[job.fine]\nplugin = 'log'\nschedule = { cron = '5 4 * * *' }\ntime-zone = 'UTC'\n"

  static let lacking: [(job: String, words: String)] = [
    (
      "schedule = { cron = '5 4 * * *' }\ntime-zone = 'Europe/Berlin'",
      "the time zone \"Europe/Berlin\" cannot be read"
    ),
    ("schedule = { cron = '5 4 * * *' }\ntime-zone = 'US/Eastern'", "there is no time zone \"US/Eastern\""),
    ("schedule = { calendar = 'Mon 08:00 US/Eastern' }", "/zones/US/Eastern: no such file or directory"),
    ("schedule = { cron = '5 4 * * *', except = ['holidays gone'] }", "/gone: no such file or directory"),
    ("schedule = { cron = '5 4 * * *', except = ['holidays broken'] }", "the file is not a list of holidays"),
    ("schedule = 'every-minute'\ntime-zone = 'US/Eastern'", "US/Eastern"),
  ]
  private static let lists =
    "[holidays.gone]\nfile = '/gone'\n[holidays.broken]\nfile = '/damaged'\n"

  @Test(arguments: lacking) func `what a job lacks costs that job alone`(job: String, words: String) throws {
    let text = Self.lists + "[job.bad]\nplugin = 'log'\n\(job)\n" + Self.fine
    let configuration = try Self.read(text, Self.context(keeping: true)).get()
    #expect(configuration.faults.map(\.job.text) == ["bad"])
    #expect(configuration.faults[0].diagnostic.text().contains(words), "\(configuration.faults)")
    let jobs = configuration.jobs
    #expect(jobs.map(\.name.text) == ["bad", "fine"])
    #expect(jobs[0].schedule.next(after: .epoch) == nil && jobs[1].schedule.next(after: .epoch) != nil)
    // A later job with the same fault has it too.
    let twice = text + "[job.worse]\nplugin = 'log'\n\(job)\n"
    #expect(
      try Self.read(twice, Self.context(keeping: true)).get().faults.map(\.job.text) == ["bad", "worse"])
    guard case .failure(let refusal) = Self.read(text, Self.context(keeping: false)) else {
      Issue.record("it was taken where somebody is there to correct it")
      return
    }
    #expect(refusal.diagnostics.contains { $0.severity == .error && $0.text().contains(words) })
  }

  @Test func `errors in the files are refused all the same`() {
    let text =
      "[job.bad]\nplugin = 'log'\nschedule = { cron = '5 4 * * * * * *' }\ntime-zone = 'US/Eastern'\n"
    guard case .failure(let refusal) = Self.read(text, Self.context(keeping: true)) else {
      Issue.record("it was taken")
      return
    }
    #expect(refusal.diagnostics.contains { $0.message.contains("not a cron rule") })
  }

  @Test func `a zone that no entry of a job depends on costs a warning`() throws {
    let text = "[job.a]\nplugin = 'log'\nschedule = { periodic = { by = '30s' } }\ntime-zone = 'US/Eastern'\n"
    let configuration = try Self.read(text, Self.context(keeping: true)).get()
    #expect(
      configuration.faults.isEmpty && configuration.warnings.contains { $0.message.contains("US/Eastern") })
    #expect(configuration.jobs[0].schedule.next(after: .epoch) != nil)
  }

  @Test(arguments: [true, false])
  func `the zone of jobs that name none costs those that depend on it`(isMachines: Bool) throws {
    let jobs = """
      [job.daily]
      plugin = 'log'
      schedule = { cron = '5 4 * * *' }
      [job.often]
      plugin = 'log'
      schedule = { periodic = { by = '30s' } }
      [job.elsewhere]
      plugin = 'log'
      schedule = { calendar = '08:00 UTC' }
      """
    let context = Self.context(
      keeping: true, machineZone: Zone(standingInFor: "Europe/Berlin"), lacksMachineZone: isMachines)
    let text = (isMachines ? "" : "[daemon]\ntime-zone = 'Europe/Berlin'\n") + jobs + Self.fine
    let configuration = try Self.read(text, context).get()
    #expect(configuration.faults.map(\.job.text) == ["daily"])
    #expect(configuration.jobs.map { $0.schedule.next(after: .epoch) == nil } == [true, false, false, false])
    #expect(configuration.jobs[0].zone.name == "Europe/Berlin")
    #expect(configuration.warnings.count { $0.message.contains("Europe/Berlin") } == 1)
  }

  @Test func `what was missing is found by the next reading`() throws {
    let main = ConfigurationSource(path: "a.toml", bytes: Array(Self.fine.utf8))
    let other = ConfigurationSource(
      path: "b.toml",
      bytes: Array("[job.bad]\nplugin = 'log'\nschedule = 'every-minute'\ntime-zone = 'US/Eastern'\n".utf8))
    let former = try Configuration.read([main, other], in: Self.context(keeping: true)).get()
    #expect(former.faults.count == 1)
    var context = Self.context(keeping: true)
    context.zone = { _ in .utc }
    let read = try Configuration.read([main, other], in: context).get()
    #expect(read.faults.isEmpty && read.jobs[1].schedule.next(after: .epoch) != nil)
  }

  @Test func `the name that is missing is never suggested in its own place`() {
    guard
      case .failure(let refusal) = Self.read(
        "[job.a]\nplugin = 'log'\nschedule = 'every-minute'\ntime-zone = 'Europe/Berlin'\n",
        Self.context(keeping: false))
    else {
      Issue.record("it was taken")
      return
    }
    let text = refusal.diagnostics.map { $0.text() }.joined()
    #expect(!text.contains("did you mean") && text.contains("tzdata"), "\(text)")
  }
}
