import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `A job that lacks a file of the machine` {
  private static func install(_ name: String, in directory: String) throws {
    let file = directory + "/" + name
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: file).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/" + name, toPath: file)
  }

  private static let jobs = """
    [job.eastern]
    plugin = "steady"
    time-zone = "America/New_York"
    schedule = { cron = "30 2 * * *" }
    [job.steady]
    plugin = "steady"
    schedule = \(everySecond)
    """

  /// A daemon with the zones of a directory of its own.
  private static func daemon(_ workshop: Workshop, _ text: String = jobs) throws -> DaemonProcess {
    try workshop.configure(text)
    let daemon = try DaemonProcess(workshop, variables: ["TZDIR": workshop.path + "/zones"])
    try daemon.begin()
    return daemon
  }

  private static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try FileManager.default.createDirectory(
      atPath: workshop.path + "/zones", withIntermediateDirectories: true)
    return workshop
  }

  @Test func `is disabled alone at the start, is reported everywhere, and runs when the file is back`() throws
  {
    let workshop = try Self.workshop()
    let daemon = try Self.daemon(workshop)
    let words = "/zones/America/New_York: no such file or directory"
    try daemon.line(containing: "eastern", "error: ", words)
    try daemon.line(containing: "steady", "succeeded")
    let before = try daemon.list()
    #expect(before.map(\.name) == ["eastern", "steady"])
    #expect(before[0].next == nil && before[0].fault?.contains(words) == true && before[1].fault == nil)
    #expect(before[0].zone == "America/New_York")
    #expect(try daemon.control("list").output.contains("cannot run"))
    let status = try daemon.status()
    #expect(
      status.faultCount == 1 && status.faults.first?.job == "eastern"
        && status.faults.first?.isSuspended == true)
    #expect(try daemon.control("status").output.contains("eastern does not run: "))
    let why = try daemon.control("why", "eastern", "now")
    #expect(why.output.contains(words), "\(why)")
    let triggered = try daemon.control("trigger", "eastern", "--wait")
    #expect(triggered.end == .exited(1) && triggered.output.contains(words), "\(triggered)")
    let reloaded = try daemon.control("reload")
    #expect(reloaded.end == .exited(0) && reloaded.errors.contains("warning: eastern: "), "\(reloaded)")
    #expect(reloaded.errors.contains(words), "\(reloaded)")

    try Self.install("America/New_York", in: workshop.path + "/zones")
    try daemon.line(containing: "eastern has an entry at ")
    let after = try daemon.list()
    #expect(after[0].next != nil && after[0].fault == nil)
    #expect(try daemon.status().faultCount == 0)
    #expect(try daemon.control("trigger", "eastern", "--wait").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `keeps its former rules when the file vanishes, and a reload warns of it`() throws {
    let workshop = try Self.workshop()
    try Self.install("America/New_York", in: workshop.path + "/zones")
    let daemon = try Self.daemon(workshop)
    let next = try daemon.list()[0].next
    try FileManager.default.removeItem(atPath: workshop.path + "/zones/America/New_York")
    let reloaded = try daemon.control("reload")
    #expect(reloaded.end == .exited(0) && reloaded.output == "2 unchanged\n", "\(reloaded)")
    #expect(
      reloaded.errors.contains("warning: eastern: the time zone \"America/New_York\" cannot be read"),
      "\(reloaded)")
    let job = try daemon.list()[0]
    #expect(job.next == next && job.fault != nil)
    #expect(try daemon.status().faults.first?.isSuspended == false)
    // A new job with a missing zone refuses the reload, because the operator is there to correct it.
    try workshop.configure(
      Self.jobs + "\n[job.new]\nplugin = \"steady\"\ntime-zone = \"Asia/Tokyo\"\nschedule = \"every-minute\"")
    let refused = try daemon.control("reload")
    #expect(refused.end == .exited(1) && refused.errors.contains("Asia/Tokyo"), "\(refused)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `keeps its state in the ledger while it cannot be scheduled`() throws {
    let workshop = try Self.workshop()
    try Self.install("America/New_York", in: workshop.path + "/zones")
    var daemon = try Self.daemon(workshop, Self.jobs)
    #expect(try daemon.control("pause", "eastern").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
    try FileManager.default.removeItem(atPath: workshop.path + "/zones/America")
    daemon = try Self.daemon(workshop, Self.jobs)
    #expect(try daemon.list()[0].pausedSince != nil)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `is disabled alone for a missing list of holidays too`() throws {
    let workshop = try Self.workshop()
    let file = try workshop.write("2026-12-25\n", to: "days.txt")
    let text = """
      [holidays.days]
      file = "\(file)"
      [job.workdays]
      plugin = "steady"
      schedule = { cron = "30 2 * * *", except = ["holidays days"] }
      [job.steady]
      plugin = "steady"
      schedule = \(everySecond)
      """
    try FileManager.default.removeItem(atPath: file)
    let daemon = try Self.daemon(workshop, text)
    try daemon.line(containing: "steady", "succeeded")
    #expect(try daemon.list()[0].fault?.contains("\(file): no such file or directory") == true)
    try workshop.write("2026-12-25\n", to: "days.txt")
    #expect(try daemon.control("reload").output.contains("changed workdays"))
    #expect(try daemon.list()[0].next != nil)

    // A daemon that has read the days keeps them, and applies the other changes.
    try FileManager.default.removeItem(atPath: file)
    try workshop.configure(text.replacing("30 2 * * *", with: "40 2 * * *"))
    for changes in ["changed workdays", "2 unchanged"] {
      let reloaded = try daemon.control("reload")
      #expect(reloaded.end == .exited(0) && reloaded.output.contains(changes), "\(reloaded)")
      #expect(
        reloaded.errors.contains("warning: workdays: the holidays `days` cannot be read"), "\(reloaded)")
    }
    let job = try daemon.list()[0]
    #expect(job.next != nil && job.fault?.contains("no such file or directory") == true)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a TZ that names no zone causes a warning`() throws {
    let workshop = try Self.workshop()
    try workshop.configure(Self.jobs.replacing("America/New_York", with: "UTC"))
    let daemon = try DaemonProcess(workshop, variables: ["TZ": "Nonsense/Zone"])
    try daemon.begin()
    try daemon.line(containing: "warning: ", "TZ=Nonsense/Zone: there is no such time zone: ")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `is run when its plugin can be loaded again, although it could not be loaded at the start`()
    throws
  {
    let workshop = try Workshop()
    let library = try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try FileManager.default.moveItem(atPath: library, toPath: library + ".aside")
    try "no library".write(toFile: library, atomically: false, encoding: .utf8)
    // In a plugin host the job would wait for a while first.
    try workshop.configure(
      "[job.steady]\nplugin = \"steady\"\nisolation = \"in-process\"\nschedule = { cron = \"30 2 29 2 *\" }")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let fault = try daemon.status().faults.first
    #expect(fault?.job == "steady" && fault?.isSuspended == false)
    #expect(try daemon.control("trigger", "steady", "--wait").end == .exited(1))
    try FileManager.default.removeItem(atPath: library)
    try FileManager.default.moveItem(atPath: library + ".aside", toPath: library)
    let triggered = try daemon.control("trigger", "steady", "--wait")
    #expect(triggered.end == .exited(0), "\(triggered)")
    #expect(try daemon.stop() == .exited(0))
  }

}
