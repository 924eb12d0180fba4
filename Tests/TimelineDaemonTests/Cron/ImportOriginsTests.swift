import Foundation
import Testing
import TimelineLoading
import TimelineTestSupport

/// Imported files whose sources still run their jobs.
@Suite struct ImportOriginsTests {
  private static let crontab = """
    #:schema /usr/share/timelined/timelined.schema.json
    # Imported from /etc/cron.d/a, <stdin> by timelinectl import crontab.

    # Backs up.
    # /etc/cron.d/a:7: 30 2 * * * root echo 1: 2
    [job.a-echo]
    # <stdin>:1: */5 * * * * true
    [job.true]
    # Mails the last lines that jobs of root wrote to root.
    [job.mail]

    """
  private static let timers = """
    # Imported from a.timer, b-c.timer by timelinectl import timers.
    # /etc/systemd/system/a.timer, /etc/systemd/system/a.service
    [job.a]
    # /run/b-c.timer
    [job.b]

    """

  @Test(
    arguments: [
      (crontab, ["30 2 * * * root echo 1: 2", "*/5 * * * * true"], []),
      (timers, [], ["a.timer", "b-c.timer"]),
      // By hand.
      ("# /etc/cron.d/a:7: 30 2 * * * root true\n[job.a]\n", [], []),
    ] as [(String, [String], [String])])
  func `are read from the comments of the import`(_ text: String, _ lines: [String], _ timers: [String]) {
    let origins = ImportOrigins(of: text)
    #expect(origins.lines == lines)
    #expect(origins.timers == timers)
  }

  @Test(
    arguments: [
      (
        "cron", "etc/cron.d/a", " 30 2 * * * root echo 1: 2 \n",
        "cron still runs 1 of these 2 lines (process 4711 is cron)"
      ),
      (
        "cron", "var/spool/cron/crontabs/ada", "30 2 * * * root echo 1: 2\n*/5 * * * * true",
        "cron still runs these 2 lines (process 4711 is cron)"
      ),
      ("cron", "etc/cron.d/a", "#30 2 * * * root echo 1: 2\n", nil),
      ("nginx", "etc/cron.d/a", "30 2 * * * root echo 1: 2\n", nil),
    ] as [(String, String, String, String?)])
  func `name the lines that an active cron still has`(
    _ name: String, _ path: String, _ line: String, _ fact: String?
  ) throws {
    let workshop = try Workshop()
    for directory in ["proc/4711", "etc/cron.d", "var/spool/cron/crontabs"] {
      try FileManager.default.createDirectory(
        atPath: "\(workshop.path)/\(directory)", withIntermediateDirectories: true)
    }
    try workshop.write("4711 (\(name)) S 1 4711 4711 0 -1\n", to: "proc/4711/stat")
    try workshop.write("/usr/sbin/\(name)\0", to: "proc/4711/cmdline")
    try workshop.write(line, to: path)
    #expect(ImportOrigins(of: Self.crontab).conflict(below: workshop.path)?.fact == fact)
  }

  @Test func `may still run in cron if it is unknown whether cron is active`() throws {
    let workshop = try Workshop()
    try FileManager.default.createDirectory(
      atPath: "\(workshop.path)/etc", withIntermediateDirectories: true)
    try workshop.write("*/5 * * * * true\n", to: "etc/crontab")
    #expect(
      ImportOrigins(of: Self.crontab).conflict(below: workshop.path)?.fact
        == "cron may still run 1 of these 2 lines (processes cannot be listed: no such file or directory)")
  }
}
