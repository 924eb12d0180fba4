import Testing
import TimelineControl
import TimelineTestSupport

@Suite struct `A job at the start of the machine` {
  @Test func `runs once, however often the daemon starts and reloads`() throws {
    let workshop = try Workshop()
    try workshop.compile(folder: "Tests/BrokenPlugins/steady")
    func job(_ name: String) -> String {
      "[job.\(name)]\nplugin = \"steady\"\nschedule = { cron = \"@reboot\" }\n"
    }
    try workshop.configure(job("boot"))
    let first = try DaemonProcess(workshop)
    try first.begin()
    try first.wait(for: "its run") { !first.settled("boot").isEmpty }
    #expect(first.settled("boot").map(\.disposition) == ["succeeded"])
    try first.stop()

    let second = try DaemonProcess(workshop)
    try second.begin()
    try workshop.configure(job("boot") + job("new"))
    _ = try second.control("reload")
    let jobs = try second.list()
    #expect(jobs.map(\.name) == ["boot", "new"])
    for job in jobs {
      #expect(job.next == nil && job.running.isEmpty && job.dispositions.isEmpty, "\(job)")
      #expect(job.schedule == "at the start of the machine")
    }
    try second.stop()
  }
}
