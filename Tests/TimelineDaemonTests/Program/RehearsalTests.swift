import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `A rehearsal of the daemon` {
  @Test func `begins at the given time, runs at its own pace, and leaves a real daemon's state alone`() throws
  {
    let workshop = try Workshop()
    try workshop.compileGate()
    try workshop.configure("[job.hourly]\nplugin = \"gate\"\nschedule = \(never)")
    let path = try workshop.write(
      "[job.hourly]\nplugin = \"gate\"\nschedule = { periodic = { by = \"1h\" } }\n[daemon]\ntime-zone = \"UTC\"",
      to: "rehearsal.toml")
    // State of a real daemon. The rehearsal is passed its path and must not change it.
    let real = try DaemonProcess(workshop)
    try real.begin()
    _ = try real.status()
    // The real daemon may still tidy its new ledger. Once it is halted, only the rehearsal could change the state.
    try real.halt()
    let state = workshop.path + "/state"
    let before = try Self.contents(of: state)

    let began = SystemTime.monotonic()
    let daemon = try DaemonProcess(
      workshop, arguments: ["--clock", "scaled:3600", "--from", "2027-03-28T00:00:00Z", "--state", state],
      configurationPath: path)
    try daemon.begin()
    let greeting = try daemon.line(containing: "rehearsal at speed 3600 from 2027-03-28T00:00:00Z")
    try daemon.wait(for: "four hours") { daemon.settled("hourly").count >= 4 || daemon.end != nil }
    let took = SystemTime.monotonic() - began
    let socket = try #require(greeting.components(separatedBy: "control socket ").last)
    #expect(socket != real.socketPath && socket.contains("rehearsal"), "\(socket)")
    let asked = try StartedProgram([BuiltProgram.control, "-s", socket, "status", "--json"], on: daemon.loop)
    try daemon.wait(for: "its status") { asked.result != nil }
    let status = try JSONDecoder().decode(StatusReply.self, from: Data((asked.result?.output ?? "").utf8))
    #expect(status.clock == "scaled:3600")
    #expect(status.startedAt.instant == (try WallInstant(rfc3339: "2027-03-28T00:00:00Z")))
    // An hour passes in a second and no faster: three hours lie between the first and the fourth entry.
    #expect(took >= .seconds(3), "\(took)")
    #expect(try daemon.stop() == .exited(0))

    // A run that takes an hour of the rehearsal overlaps the next entries, which are reported first.
    let ran = daemon.settled("hourly").first { $0.outcome == "succeeded" }
    #expect(ran?.entry == "entry 00:00:00", "\(daemon.lines)")
    #expect(daemon.lines.contains { $0.contains("at the gate") && $0.contains("rehearsal=yes") })
    #expect(!daemon.lines.contains { $0.contains("rehearsal=no") })
    #expect(try Self.contents(of: state) == before)
    try real.resume()
    #expect(try real.control("trigger", "hourly", "--wait").end == .exited(0))
    try real.line(containing: "hourly", "rehearsal=no")
    #expect(try real.stop() == .exited(0))
  }

  @Test func `begins at full speed, paused, or at a pace, as its status shows`() throws {
    for (clock, shown) in [
      ("scaled:max", "scaled:max, a rehearsal"), ("scaled:0", "scaled:1, paused, a rehearsal"),
      ("scaled:1/2", "scaled:1/2, a rehearsal"),
    ] {
      let workshop = try Workshop()
      try workshop.configure(
        "[job.never]\nplugin = \"log\"\nschedule = { explicit = [2100-01-01T00:00:00Z] }")
      let daemon = try DaemonProcess(
        workshop, arguments: ["--clock", clock, "--control", workshop.path + "/control.sock"])
      try daemon.begin()
      let status = try daemon.control("status").output
      #expect(status.contains(shown), "\(status)")
      #expect(try daemon.stop() == .exited(0))
    }
  }

  /// Names and bytes of all files in a directory.
  static func contents(of directory: String) throws -> [String: Data?] {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(directory)/\($0)")) })
  }
}
