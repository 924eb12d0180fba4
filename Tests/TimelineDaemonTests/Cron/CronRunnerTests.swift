import Foundation
import Testing
import TimelineLoading
import TimelineSystem
import TimelineSystemd
import TimelineTestSupport

/// Programs that run crontabs, as /proc and systemd show them.
@Suite struct CronRunnerTests {
  private static let container = "NSpid:\t4711\t1\n"

  @Test(
    arguments: [
      // (thread, words, control group, status, unit; "" for none, nil for a process that is no cron)
      ("cron", "/usr/sbin/cron\0-f", "/system.slice/cron.service", "", "cron.service"),
      (
        "crond", "/usr/sbin/crond\0-n", "/system.slice/system-a.slice/crond@1.service/b", "",
        "crond@1.service"
      ),
      (
        "bcron-sched", "/usr/sbin/bcron-sched", "/system.slice/bcron-sched.service", "NSpid:\t4711\n",
        "bcron-sched.service"
      ),
      ("bcron-update", "bcron-update: /usr/sbin/bcron-update", "/", "", ""),
      ("busybox", "busybox\0crond\0-f", "/user.slice/user-0.slice/session-1.scope", "", ""),
      ("crond", "crond", "/", "", ""),
      // A child of cron that waits for a command, crontab(1), anacron, other applets and programs, a script.
      ("cron", "/usr/sbin/CRON\0-f", "/system.slice/cron.service", "", nil),
      ("crond", "/usr/sbin/CROND\0-n", "/system.slice/cronie.service", "", nil),
      ("crontab", "crontab\0-e", "/", "", nil),
      ("anacron", "/usr/sbin/anacron\0-s", "/system.slice/anacron.service", "", nil),
      ("busybox", "busybox\0crontab\0-l", "/", "", nil),
      ("busybox", "busybox", "/", "", nil),
      ("cronolog", "cronolog", "/", "", nil),
      ("acronis", "/opt/acronis", "/", "", nil),
      ("cron", "", "/", "", nil),
      // Of a container, and a job.
      ("crond", "crond\0-f", "/system.slice/docker-1.scope", container, nil),
      ("my-cron", "my-cron", "/system.slice/timelined.service/run-1", "", nil),
      ("mycron", "mycron", "/system.slice/timelined.service/run-1", "", nil),
    ] as [(String, String, String, String, String?)])
  func `a process is noticed by its name, except for children, containers and jobs`(
    _ thread: String, _ words: String, _ group: String, _ status: String, _ unit: String?
  ) throws {
    let workshop = try Workshop()
    try FileManager.default.createDirectory(
      atPath: "\(workshop.path)/proc/4711", withIntermediateDirectories: true)
    try workshop.write("4711 (\(thread)) S 1 4711 4711 0 -1\n", to: "proc/4711/stat")
    try workshop.write("\(words)\0", to: "proc/4711/cmdline")
    try workshop.write("9:name=systemd:/\n0::\(group)\n", to: "proc/4711/cgroup")
    try workshop.write("Name:\t\(thread)\n\(status)", to: "proc/4711/status")
    let runners = try CronActivity.runners(below: workshop.path, crontabs: [])
    #expect(runners.count == (unit == nil ? 0 : 1))
    #expect(runners.first?.unit == (unit == "" ? nil : unit))
    #expect(runners.first.map { $0.process?.process == 4711 } ?? true)
    #expect(
      try CronActivity.look(below: workshop.path, crontabs: [])
        == (runners.first.map { .active($0.clause) } ?? .inactive))
  }

  @Test func `a process that has ended is no cron`() throws {
    let workshop = try Workshop()
    try FileManager.default.createDirectory(
      atPath: "\(workshop.path)/proc/4711", withIntermediateDirectories: true)
    try workshop.write("4711 (cron) Z 1 4711 4711 0 -1\n", to: "proc/4711/stat")
    try workshop.write("/usr/sbin/cron\0", to: "proc/4711/cmdline")
    #expect(try CronActivity.runners(below: workshop.path, crontabs: []).isEmpty)
  }

  @Test(
    arguments: [
      ("/etc/crontab", ["cron.target"], ["/etc/crontab"], ["cron.target"]),
      ("/var/spool/cron/crontabs/ada", ["cron.target"], [], ["cron.target"]),
      ("/srv/tabs/a", ["cron.target"], ["/srv/tabs"], ["cron.target"]),
      // No unit stops it, or one of several.
      ("/etc/cron.d/a", [], ["/etc/cron.d"], [nil]),
      ("/etc/cron.d/a", ["a.target", "b.target"], ["/etc/cron.d"], [nil]),
      ("/srv/tabs-old/a", ["cron.target"], ["/srv/tabs"], []),
      ("/etc/fstab", [], ["/etc/crontab"], []),
    ] as [(String, [String], [String], [String?])])
  func `active timers made of a crontab are noticed by their source`(
    _ source: String, _ partOf: [String], _ crontabs: [String], _ units: [String?]
  ) {
    let timers = ["cron-a-root-0.timer", "cron-a-root-1.timer"].map {
      SystemdTimer(name: $0, sourcePath: source, partOf: partOf)
    }
    #expect(CronRunner.ofTimers(timers, crontabs: crontabs).map(\.unit) == units)
  }
}
