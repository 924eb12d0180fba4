import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// Rules on the command line, without a configuration and without a daemon.
@Suite struct `Rules of other schedulers on the command line` {
  static func run(_ words: [String]) throws -> FinishedProgram {
    try StartedProgram.run([BuiltProgram.control] + words)
  }

  /// Arguments that are refused, and a part of the message.
  static let refused: [(words: [String], said: String)] = [
    (["next", "0 0 12 ? * 2#1"], "help: did you mean \"0 0 12 * * MON#1\"?"),
    (["next", "0 0 12 1 1 ? 2027"], "a cron rule has no year"),
    (["next", "0 0 12 * * 5 *"], "a year stands in a calendar rule"),
    (["next", "@reboot"], "runs once after each start of the machine"),
    (["explain", "@reboot"], "runs once after each start of the machine"),
    (["next", "@every 1h30m"], "{ periodic = { by = \"1h30m\" } }"),
    (["next", "TZ=Europe/Berlin 0 5 * * *"], "RULE --zone Europe/Berlin`"),
    (["next", "0 5 * * * Europe/Berlin"], "RULE --zone Europe/Berlin`"),
    (["next", "8:00 PM"], "did you mean \"20:00\"?"),
    (["next", "-*/5 * * * *"], "`timelinectl next \"*/5 * * * *\"`"),
    (["next", "--", "-*/5 * * * *"], "did you mean \"*/5 * * * *\"?"),
    (["next", "0 5 * * *", "--zone", "europe/berlin"], "did you mean \"Europe/Berlin\"?"),
    (["next", "0 5 * * *", "--zone", "UTC+3"], "did you mean \"Etc/GMT-3\"?"),
    (["next", "daily Europe/Nowhere"], "`timedatectl list-timezones`"),
    (["next", "daily", "--from", "noon"], "`yesterday 02:30`"),
    (["explain", "H 2 * * *"], "offset = \"hash\""),
    (["explain", "0 0 */29 2 1L"], "never fall on one day"),
    (["next", "0 0 31 2 *"], "February never has a day 31"),
  ]

  @Test(arguments: refused) func `the refusal of a rule names the feature that exists`(
    row: (words: [String], said: String)
  ) throws {
    let result = try Self.run(row.words)
    #expect(result.end == .exited(64) && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains(row.said), "\(result)")
  }

  @Test func `spans of centuries are shown correctly`() throws {
    let result = try Self.run([
      "next", "0 0 29 2 *", "-n", "3", "--from", "1677-09-22T00:00:00Z", "--zone", "UTC",
    ])
    #expect(result.end == .exited(0), "\(result)")
    let spans = result.output.split(separator: "\n").dropFirst().compactMap { line in
      // From 00:00 to 01:00 UTC the span has no hours: "126722d12m ago".
      line.split(separator: " ").lazy.filter { $0.contains("d") }.compactMap { Int($0.prefix { $0 != "d" }) }
        .first
    }
    #expect(spans.count == 3 && result.output.contains(" ago"), "\(result)")
    // Three leap days from 1680 on lie four years apart, or eight over a century, and each is centuries ago.
    #expect(spans.allSatisfy { $0 > 106_751 && $0 < 140_000 })
    #expect(
      zip(spans, spans.dropFirst()).allSatisfy { [1_461, 2_921, 2_920, 1_460].contains($0 - $1) }, "\(spans)")
  }

  @Test(arguments: ["next", "explain"]) func `a step past the end of its field causes a warning`(verb: String)
    throws
  {
    let result = try Self.run([verb, "*/90 * * * *", "--zone", "UTC"])
    #expect(
      result.end == .exited(0) && result.output.contains("every hour") == (verb == "explain"), "\(result)")
    #expect(result.errors.hasPrefix("timelinectl: warning: \"*/90\" means only minute 0"), "\(result)")
    #expect(result.errors.contains("by = \"90m\""), "\(result)")
  }

  @Test(arguments: [
    ["next", "daily Factory"], ["next", "daily", "--zone", "Factory"], ["explain", "daily Factory"],
    ["explain", "daily", "--zone", "Factory"],
  ]) func `a legacy zone is warned of once`(words: [String]) throws {
    let result = try Self.run(words)
    #expect(result.end == .exited(0), "\(result)")
    #expect(
      result.errors == """
        timelinectl: warning: the time zone "Factory" stands for a machine without a zone, and is UTC
          help: write the zone that is meant, such as "UTC"

        """, "\(result)")
  }

  @Test(arguments: ["dry-run", "rehearse"]) func `a legacy zone in which times are shown is warned of once`(
    verb: String
  ) throws {
    let workshop = try Workshop()
    let path = try workshop.configure(
      "[job.a]\nplugin = \"log\"\nschedule = \"on-demand\"\nwith = { message = \"x\" }")
    let result = try Self.run([verb, "-c", path, "--zone", "Factory"])
    #expect(result.errors.components(separatedBy: "\"Factory\"").count == 2, "\(result)")
  }

  @Test func `a job's windows and calendars are explained and checked`() throws {
    let workshop = try Workshop()
    try workshop.write(
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20201224\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Eve\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
      to: "company.ICS")
    let path = try workshop.write(
      """
      [holidays.company]
      file = "\(workshop.path)/company.ICS"
      [job.night]
      plugin = "exec"
      time-zone = "Europe/Berlin"
      schedule = { cron = "30 2 * * *", only = ["02:00-03:00"], except = ["holidays company"] }
      with = { command = ["/bin/true"] }
      """, to: "timelined.toml")
    let explained = try Self.run([
      "explain", "night", "-c", path, "--years", "1", "--from", "2027-01-01T00:00:00Z",
    ])
    #expect(explained.end == .exited(0), "\(explained)")
    #expect(
      explained.output.contains("02:30 does not exist on 2027-03-28")
        && explained.output.contains("is left out")
        && explained.output.contains("except the holidays company (the last known day is 20"),
      "\(explained)")
    let next = try Self.run(["next", "night", "-c", path, "-n", "2", "--from", "2027-12-23T12:00:00Z"])
    #expect(next.output.contains("2027-12-25 02:30:00") && !next.output.contains("2027-12-24"), "\(next)")
    let checked = try Self.run(["check", path, "--skip-plugins"])
    #expect(checked.end == .exited(0), "\(checked)")
    #expect(checked.errors.contains("nothing runs on a day on which clocks are changed"), "\(checked)")
  }
}
