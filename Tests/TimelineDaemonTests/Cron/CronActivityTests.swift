import Foundation
import Testing
import TimelineLoading
import TimelineTestSupport

/// Cron's process, as its file and the process of that number show it.
@Suite struct `Cron's process` {
  @Test(
    arguments: [
      ("run/crond.pid", "4711\n", "cron\n", true),
      ("run/cron.pid", "4711", "crond\n", true),
      // The number belongs to another process or to none, or the file has no valid number.
      ("run/crond.pid", "4711\n", "nginx\n", false),
      ("run/crond.pid", "4712\n", "cron\n", false),
      ("run/crond.pid", "1\n", "cron\n", false),
      ("run/crond.pid", "\n", "cron\n", false),
      ("run/other.pid", "4711\n", "cron\n", false),
    ])
  func `is recognized by its process number and its name`(
    _ file: String, _ number: String, _ name: String, _ isActive: Bool
  ) throws {
    let workshop = try Workshop()
    for directory in ["run", "proc/4711"] {
      try FileManager.default.createDirectory(
        atPath: "\(workshop.path)/\(directory)", withIntermediateDirectories: true)
    }
    try workshop.write(number, to: file)
    try workshop.write(name, to: "proc/4711/comm")
    #expect(CronActivity.ofProcess(below: workshop.path).isActive == isActive)
    #expect(try CronActivity.look(below: workshop.path, crontabs: []).isActive == isActive)
  }

  @Test func `is unknown where processes cannot be listed, unless cron was seen`() throws {
    let workshop = try Workshop()
    let error = #expect(throws: UnknownCronActivity.self) {
      try CronActivity.look(below: workshop.path, crontabs: [])
    }
    #expect(error?.reason == "processes cannot be listed: no such file or directory")
  }
}
