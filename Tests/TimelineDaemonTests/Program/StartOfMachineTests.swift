import Testing
import TimelineControl
import TimelineTestSupport

@Suite struct `A job at the start of the machine` {
  @Test func `begins every rehearsal`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure("[job.boot]\nplugin = \"steady\"\nschedule = { cron = \"@reboot\" }\n")
    for _ in 0..<2 {
      let daemon = try DaemonProcess(
        workshop, arguments: ["--clock", "scaled:60", "--from", "2027-03-28T00:00:00Z"])
      try daemon.begin()
      try daemon.wait(for: "its run") { !daemon.settled("boot").isEmpty || daemon.end != nil }
      #expect(daemon.settled("boot").map(\.outcome) == ["succeeded"])
      try daemon.stop()
    }
  }

  @Test func `comes after its delay, alone and in a union`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure(
      """
      [defaults]
      plugin = "steady"
      [job.boot]
      schedule = { cron = "@reboot", delay = "15m" }
      [job.union]
      schedule = { any = [{ cron = "@reboot", delay = "20m" }, { cron = "30 * * * *" }] }
      """)
    let daemon = try DaemonProcess(
      workshop, arguments: ["--clock", "scaled:3600", "--from", "2027-03-28T00:00:00Z"])
    try daemon.begin()
    // An entry that is due before the first host has started is overlapped, and settled before the first one.
    let entries = { daemon.settled("union").map(\.entry).sorted().prefix(2) }
    try daemon.wait(for: "its runs") { entries().first == "entry 00:20:00" && entries().count == 2 }
    #expect(daemon.settled("boot").map(\.entry) == ["entry 00:15:00"])
    #expect(entries() == ["entry 00:20:00", "entry 00:30:00"])
    try daemon.stop()
  }

  @Test func `runs once, however often the daemon starts and reloads`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    func job(_ name: String) -> String {
      "[job.\(name)]\nplugin = \"steady\"\nschedule = { cron = \"@reboot\" }\n"
    }
    try workshop.configure(job("boot"))
    let first = try DaemonProcess(workshop)
    try first.begin()
    try first.wait(for: "its run") { !first.settled("boot").isEmpty }
    #expect(first.settled("boot").map(\.outcome) == ["succeeded"])
    try first.stop()

    let second = try DaemonProcess(workshop)
    try second.begin()
    try workshop.configure(job("boot") + job("new"))
    _ = try second.control("reload")
    let jobs = try second.list()
    #expect(jobs.map(\.name) == ["boot", "new"])
    for job in jobs {
      #expect(job.next == nil && job.running.isEmpty && job.outcomes.isEmpty, "\(job)")
      #expect(job.schedule == "at the start of the machine")
    }
    try second.stop()
  }
}
