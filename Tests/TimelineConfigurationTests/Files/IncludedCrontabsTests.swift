import Testing
import TimelineConfiguration
import TimelineCore
import TimelineEngine

/// Jobs of crontabs in a configuration, and whether cron or the daemon runs them.
@Suite struct IncludedCrontabsTests {
  private static let main = """
    [include]
    crontabs = ["/etc/crontab"]
    [job.tidy]
    plugin = "exec"
    schedule = { cron = "0 3 * * *" }
    """

  /// Reads the main file with one line of a crontab, which became a job of this text.
  private static func read(_ text: String, isCrons: Bool = true) throws -> Configuration {
    let place = SourcePlace(path: "/etc/crontab", line: 7, column: 1, length: 1, lineText: "7 * * * * root x")
    var context = ConfigurationContext.golden
    context.crontabs = { _ in
      var crontabs = IncludedCrontabs()
      crontabs.lines = [
        IncludedCrontabs.Line(
          place: place,
          source: ConfigurationSource(path: place.path, bytes: Array(text.utf8), origin: place),
          command: isCrons ? CronCommand(user: "root", text: "x") : nil)
      ]
      return crontabs
    }
    return try Configuration.read(
      [ConfigurationSource(path: "daemon.toml", bytes: Array(main.utf8))], in: context
    ).get()
  }

  @Test func `are left to cron and taken from it, and other jobs never`() throws {
    var configuration = try Self.read("[job.x]\nplugin = \"exec\"\nschedule = { cron = \"7 * * * *\" }")
    #expect(configuration.definitions.map(\.isLeftToCron) == [false, false])
    configuration.leaveJobsToCron(true)
    #expect(configuration.definitions.map(\.isLeftToCron) == [false, true])
    configuration.leaveJobsToCron(false)
    #expect(configuration.definitions.map(\.isLeftToCron) == [false, false])
  }

  @Test func `are never left to cron if cron does not have them`() throws {
    var configuration = try Self.read("[job.x]\nplugin = \"exec\"\nschedule = \"on-demand\"", isCrons: false)
    configuration.leaveJobsToCron(true)
    #expect(configuration.definitions.map(\.isLeftToCron) == [false, false])
  }

  @Test(arguments: [
    "[job.x]\nplugin = 1", "[job.x", "", "[job.tidy]\nplugin = \"exec\"\nschedule = \"on-demand\"",
  ])
  func `name their line when they cannot be read, and leave the other jobs alone`(_ text: String) throws {
    let configuration = try Self.read(text)
    #expect(configuration.jobs.map(\.name.text) == ["tidy"])
    let warning = try #require(configuration.warnings.first)
    #expect(warning.severity == .warning && warning.place.description == "/etc/crontab:7:1")
    #expect(configuration.crontabs.lines[0].refusal != nil && configuration.crontabs.cronJobs.isEmpty)
  }
}
