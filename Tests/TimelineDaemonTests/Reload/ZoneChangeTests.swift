import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `A new edition of the zone database` {
  private static func install(_ zone: String, as name: String, in directory: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + zone))
    let file = directory + "/" + name
    try bytes.write(to: URL(fileURLWithPath: file + ".new"))
    // Replaces the file as a package manager does: a reader finds the old file or the new one, never half of it.
    try #require(unsafe rename(file + ".new", file) == 0)
  }

  @Test func `moves the entries of a running daemon and names them`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let zones = workshop.path + "/zones"
    try FileManager.default.createDirectory(atPath: zones + "/Test", withIntermediateDirectories: true)
    try Self.install("Asia/Tokyo", as: "Test/Moving", in: zones)
    try Self.install("Asia/Tokyo", as: "Test/Staying", in: zones)
    try workshop.configure(
      """
      [job.moving]
      plugin = "steady"
      time-zone = "Test/Moving"
      schedule = { cron = "30 2 1 1 *" }
      [job.staying]
      plugin = "steady"
      time-zone = "Test/Staying"
      schedule = { cron = "30 2 1 1 *" }
      """)
    let daemon = try DaemonProcess(workshop, variables: ["TZDIR": zones])
    try daemon.begin()
    let before = try daemon.list()
    #expect(try daemon.status().zoneChange == nil)
    // The configuration that is in the file now must not take effect with the zone.
    try workshop.configure("[job.unfinished")
    try Self.install("Asia/Kathmandu", as: "Test/Moving", in: zones)
    try daemon.line(
      containing: "the zone database has changed (Test/Moving): the entry of moving at ",
      "T17:30:00Z moves to ",
      "T20:45:00Z")
    let after = try daemon.list()
    #expect(after.map(\.name) == ["moving", "staying"])
    let (earlier, later) = (try #require(before[0].next?.instant), try #require(after[0].next?.instant))
    #expect(later - earlier == .minutes(3 * 60 + 15))
    #expect(before[1].next == after[1].next)
    let change = try #require(try daemon.status().zoneChange)
    #expect(change.zones == ["Test/Moving"])
    #expect(change.moves == [ZoneChangeReport.Move(job: "moving", before: earlier, after: later)])
    #expect(change.movedCount == 1)
    let text = try daemon.control("status").output
    #expect(text.contains("zones"), "\(text)")
    #expect(text.contains("Test/Moving changed at "), "\(text)")
    #expect(text.contains("moving moves from "), "\(text)")
    try daemon.stop()
  }
}
