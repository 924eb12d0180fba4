import Testing
import TimelineConfiguration
import TimelineCore

@Suite struct ZoneAliasesTests {
  static let legacy: [(name: String, reason: String)] = [
    ("EST", "\"EST\" is 5 hours behind UTC all year"), ("MST", "\"MST\" is 7 hours behind UTC all year"),
    ("HST", "\"HST\" is 10 hours behind UTC all year"),
    ("Factory", "\"Factory\" stands for a machine without a zone, and is UTC"),
    ("posixrules", "\"posixrules\" is no place: it holds rules for other zones"),
  ]

  /// The warnings of a job in a zone of that name, which the machine has.
  private func warnings(zone name: String, in rule: String = "0 2 * * *") throws -> [Diagnostic] {
    var context = ConfigurationContext.golden
    let zones = context.zone
    context.zone = { $0 == name ? .utc : zones($0) }
    let text = "[job.a]\nplugin = \"exec\"\ntime-zone = \"\(name)\"\nschedule = { cron = \"\(rule)\" }\n"
    return try Configuration.read([ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))], in: context)
      .get().warnings
  }

  @Test(arguments: legacy) func `a legacy name of a zone is warned about`(row: (name: String, reason: String))
    throws
  {
    let warning = try #require(try warnings(zone: row.name).first)
    #expect(warning.message == "the time zone \(row.reason)" && warning.place.line == 3)
    #expect(warning.help.count == 1)
  }

  @Test(arguments: ["UTC", "EST5EDT", "Europe/Berlin"]) func `another zone is not`(name: String) throws {
    #expect(try warnings(zone: name).isEmpty)
  }

  static let others: [(name: String, help: String)] = [
    ("PST", "did you mean \"America/Los_Angeles\"?"), ("CEST", "did you mean \"Europe/Berlin\"?"),
    ("Eastern Standard Time", "did you mean \"America/New_York\"?"),
    ("IST", "did you mean \"Europe/Dublin\" or \"Asia/Kolkata\" or \"Asia/Jerusalem\"?"),
  ]

  @Test(arguments: others) func `a name that is no place gets the places that it stands for`(
    row: (name: String, help: String)
  ) {
    let places = [
      "America/Los_Angeles", "America/New_York", "Asia/Jerusalem", "Asia/Kolkata", "Europe/Berlin",
      "Europe/Dublin",
    ]
    #expect(
      Spelling.zoneHelp(for: row.name, among: places)
        == ["\"\(row.name)\" is no place of the zone database: \(row.help)"])
  }
}
