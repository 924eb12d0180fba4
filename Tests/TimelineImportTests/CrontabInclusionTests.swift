import Testing
import TimelineConfiguration
import TimelineCore

@testable import TimelineImport

/// Crontabs as parts of a configuration.
@Suite struct CrontabInclusionTests {
  private static let main = """
    [include]
    crontabs = ["/etc/crontab"]
    [job.tidy]
    plugin = "exec"
    schedule = { cron = "0 3 * * *" }
    with = { command = "tidy" }
    """

  private static func read(
    _ crontab: String, user: String? = nil, path: String = "/etc/crontab", main: String = main
  ) throws -> Configuration {
    let source = CrontabSource(
      path: path, bytes: Array(crontab.utf8), format: user.map { .user($0) } ?? .system)
    var context = ConfigurationContext(zone: { $0 == "Etc/Other" ? Zone(standingInFor: $0) : nil })
    context.crontabs = { paths in
      #expect(paths == ["/etc/crontab"])
      return CrontabInclusion.crontabs([source], in: .village)
    }
    return try Configuration.read(
      [ConfigurationSource(path: "daemon.toml", bytes: Array(main.utf8))], in: context
    ).get()
  }

  @Test func `each line is a job, and the other jobs are as they are`() throws {
    let configuration = try Self.read(
      "MAILTO=\"\"\n*/5 * * * * root /bin/poll\n@daily ada report 100\\% %in\n")
    #expect(configuration.jobs.map(\.name.text) == ["tidy", "crontab-poll", "crontab-report"])
    #expect(configuration.warnings.isEmpty)
    #expect(configuration.jobs[2].user == "ada" && configuration.jobs[2].parameters.contains("stdin"))
    let commands = configuration.crontabs.lines.compactMap(\.command)
    #expect(
      commands == [
        CronCommand(user: "root", text: "/bin/poll"), CronCommand(user: "ada", text: "report 100% "),
      ])
    #expect(configuration.crontabs.cronJobs.map(\.text).sorted() == ["crontab-poll", "crontab-report"])
  }

  @Test(arguments: [
    ([3, 2], [3, 2]), ([4_999, 2], [4_998, 2]), ([9_000, 9_000], [2_500, 2_500]),
    ([9_000, 100, 3_000], [2_450, 100, 2_450]),
  ])
  func `crontabs with too many lines have equal shares`(lines: [Int], carried: [Int]) {
    let sources = lines.enumerated().map { index, count in
      CrontabSource(
        path: "/spool/crontabs/u\(index)",
        bytes: Array(String(repeating: "0 1 * * * :\n", count: count).utf8), format: .user("ada"))
    }
    let crontabs = CrontabInclusion.crontabs(sources, in: .village)
    let counts = sources.map { source in
      crontabs.lines.count { $0.place.path == source.path && $0.command != nil }
    }
    #expect(counts == carried)
    let cut = zip(sources, zip(lines, carried)).filter { $1.0 > $1.1 }.map { "\($0.path):\($1.1 + 1)" }
    let warned = crontabs.warnings.map { "\($0.place.path):\($0.place.line)" }
    #expect(warned == cut)
  }

  @Test func `a mail is a job that cron does not have`() throws {
    let configuration = try Self.read("0 1 * * * root /bin/poll\n")
    #expect(configuration.jobs.map(\.name.text) == ["tidy", "crontab-poll", "crontab-mail"])
    #expect(configuration.crontabs.cronJobs.map(\.text) == ["crontab-poll"])
  }

  @Test(
    arguments: [
      ("nonsense\n0 1 * * * root /bin/poll\n", "/etc/crontab:1:1", ["crontab-poll"]),
      ("0 1 * * * nobody1 /bin/poll\n0 2 * * * root /bin/b\n", "/etc/crontab:1:1", ["crontab-b"]),
      ("0 1 31 2 * root /bin/poll\n", "/etc/crontab:1:1", []),
    ] as [(String, String, [String])])
  func `a line that cannot be carried is a warning with its place`(
    _ crontab: String, _ place: String, _ jobs: [String]
  ) throws {
    let configuration = try Self.read(crontab)
    let names = configuration.jobs.map(\.name.text).filter { $0 != "tidy" && $0 != "crontab-mail" }
    #expect(names == jobs)
    #expect(configuration.warnings.contains { $0.place.description == place && $0.severity == .warning })
    #expect(configuration.crontabs.lines.allSatisfy { $0.job != nil || $0.refusal != nil })
  }

  @Test func `a job of a file takes precedence over one of its name`() throws {
    let main = Self.main.replacing("[job.tidy]", with: "[job.crontab-poll]")
    let configuration = try Self.read("MAILTO=\"\"\n0 1 * * * root /bin/poll\n", main: main)
    #expect(configuration.jobs.count == 1)
    let warning = try #require(configuration.warnings.first)
    #expect(warning.place.description == "/etc/crontab:2:1")
    #expect(warning.message.contains("there is a job `crontab-poll` already, at daemon.toml:3"))
  }

  @Test func `the work of timers, and files that cron does not read, are left out without a warning`() throws
  {
    let guarded = "0 1 * * * root test -d /run/systemd/system || /bin/poll\n"
    let configuration = try Self.read(guarded)
    #expect(configuration.jobs.count == 1 && configuration.warnings.isEmpty)
    #expect(configuration.crontabs.lines.map(\.command?.isLeftToTimer) == [true])
    let old = try Self.read("0 1 * * * root /bin/poll\n", path: "/etc/cron.d/poll.dpkg-old")
    #expect(old.jobs.count == 1 && old.warnings.isEmpty && old.crontabs.lines.isEmpty)
  }

  @Test func `jobs are in the machine's zone, as cron's are`() throws {
    let configuration = try Self.read(
      "MAILTO=\"\"\n0 1 * * * root /bin/poll\n", main: "[daemon]\ntime-zone = \"Etc/Other\"\n" + Self.main)
    #expect(configuration.jobs.map(\.zone.name) == ["Etc/Other", "UTC"])
  }
}
