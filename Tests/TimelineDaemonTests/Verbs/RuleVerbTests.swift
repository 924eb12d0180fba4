import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `Rules and changes on the command line` {
  private func run(_ words: [String]) throws -> FinishedProgram {
    try StartedProgram.run([BuiltProgram.control] + words)
  }

  /// A rule, the zone, an instant, and the entry that follows it.
  @Test(arguments: [
    ("30 2 * * *", "Europe/Berlin", "2027-03-28T00:00:00Z", "2027-03-28T01:00:00Z"),
    ("Mon..Fri 10:00", "UTC", "2026-11-21T12:00:00Z", "2026-11-23T10:00:00Z"),
    ("daily", "Asia/Kathmandu", "2026-11-21T12:00:00Z", "2026-11-21T18:15:00Z"),
    ("*-*-* 10:00 America/New_York", "Europe/Berlin", "2026-11-21T12:00:00Z", "2026-11-21T15:00:00Z"),
  ])
  func `next reads a rule of either language`(_ rule: String, zone: String, from: String, next: String) throws
  {
    let result = try run(["next", rule, "--zone", zone, "--from", from, "-n", "1", "--json"])
    #expect(result.output == "{\"rule\":\"\(rule)\",\"entry\":\"\(next)\"}\n", "\(result)")
  }

  @Test func `a rule with tabs between its fields is escaped in JSON`() throws {
    let result = try run([
      "next", "30\t2 * * *", "--zone", "UTC", "--from", "2027-03-28T00:00:00Z", "-n", "1", "--json",
    ])
    #expect(
      result.output == "{\"rule\":\"30\\t2 * * *\",\"entry\":\"2027-03-28T02:30:00Z\"}\n", "\(result)")
  }

  @Test(arguments: [
    ("30 25 * * *", "     ^"), ("Mon..Fir 10:00", "       ^"), ("0 0 30 2 *", "      ^"),
  ])
  func `an invalid rule is shown with the place of the error`(_ rule: String, mark: String) throws {
    let result = try run(["explain", rule])
    #expect(result.end == .exited(64) && result.output.isEmpty)
    #expect(result.errors.contains("\n  \(rule)\n\(mark)\n"), "\(result)")
  }

  @Test(arguments: [("* * * *", 4), ("0 0 1 1 1 1 *", 7)])
  func `a cron rule with too few or too many fields is refused with their number`(_ rule: String, count: Int)
    throws
  {
    let result = try run(["next", rule])
    #expect(result.end == .exited(64) && result.output.isEmpty)
    #expect(
      result.errors.contains("a cron rule has 5 or 6 fields; this has \(count)\n  \(rule)\n"), "\(result)")
  }

  @Test(arguments: [["2m", "ago"], ["yesterday", "10:00"]])
  func `a time of several words without quotes is refused with the quoted form`(_ words: [String]) throws {
    let result = try run(["history", "--since"] + words)
    let quoted = "--since \"\(words.joined(separator: " "))\""
    #expect(result.end == .exited(64) && result.errors.contains(quoted), "\(result)")
  }

  @Test func `a policy option changes the effect of a clock change`() throws {
    let words = ["explain", "30 2 * * *", "--zone", "Europe/Berlin", "--from", "2027-01-01T00:00:00Z"]
    let usual = try run(words).output
    #expect(
      usual.hasPrefix("at 02:30 on every day, in Europe/Berlin\ncanonical form: 30 2 * * *\n"), "\(usual)")
    #expect(usual.contains("gap: 02:30 does not exist on 2027-03-28"), "\(usual)")
    #expect(usual.contains("it runs at 2027-03-28 03:00:00 CEST"), "\(usual)")
    let shifted = try run(words + ["--gap", "shift"]).output
    #expect(shifted.contains("it runs as long after midnight as on other days"), "\(shifted)")
    #expect(try run(words + ["--gap", "jump"]).errors.contains("run-at-end, shift, skip"))
  }

  @Test func `a job comes before a rule of its name`() throws {
    let workshop = try Workshop()
    let path = try workshop.configure(
      "[job.daily]\nplugin = \"exec\"\nschedule = { periodic = { by = \"1h\" } }\nwith = { command = [\"/bin/true\"] }"
    )
    let result = try run(["next", "daily", "-c", path, "--from", "2027-01-01T00:00:00Z", "-n", "1", "--json"])
    #expect(result.output == "{\"job\":\"daily\",\"entry\":\"2027-01-01T01:00:00Z\"}\n", "\(result)")
    let unknown = try run(["next", "dialy", "-c", path])
    #expect(
      unknown.end == .exited(64) && unknown.errors.contains("its jobs are daily: did you mean 'daily'?"),
      "\(unknown)")
    let row = try run(["dry-run", "dialy", "-c", path])
    #expect(
      row.end == .exited(64) && row.errors.contains("has daily: did you mean 'daily'?"), "\(row)")
  }

  @Test func `a plan shows the changes, and its exit status depends on them`() throws {
    func file(_ time: String) throws -> (workshop: Workshop, path: String) {
      let workshop = try Workshop()
      let text =
        "[job.report]\nplugin = \"exec\"\nschedule = { \(time) }\nwith = { command = [\"/bin/true\"] }"
      return (workshop, try workshop.configure(text))
    }
    let (old, new, wrong) = (
      try file("cron = \"0 2 * * *\""), try file("cron = \"30 2 * * *\""), try file("corn = 1")
    )
    let span = ["--from", "2027-01-01T00:00:00Z", "--for", "10d"]
    let same = try run(["plan", old.path, old.path] + span)
    #expect(same.end == .exited(0) && same.output.hasPrefix("Nothing changes in the 10d"), "\(same)")
    let changed = try run(["plan", old.path, new.path] + span)
    #expect(
      changed.end == .exited(1) && changed.output.hasPrefix("~ report  changes: 10 moved\n"), "\(changed)")
    let broken = try run(["plan", old.path, wrong.path] + span)
    #expect(broken.end == .exited(2) && broken.errors.contains("`corn`"), "\(broken)")
  }
}
