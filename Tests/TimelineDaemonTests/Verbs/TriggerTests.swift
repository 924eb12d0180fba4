import Foundation
import Testing
import TimelineControl
import TimelineSystem
import TimelineTestSupport

@Suite struct `A client that triggers a job and waits` {
  private func daemon(_ workshop: Workshop, _ gate: Gate, _ more: String) throws -> DaemonProcess {
    try workshop.compileGate()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure(
      """
      [group.one]
      limit = 1
      [job.held]
      plugin = "gate"
      schedule = "on-demand"
      with = { fifo = "\(gate.path)", deaf = true }
      \(more)
      """)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    return daemon
  }

  private func trigger(_ job: String, of daemon: DaemonProcess) throws -> StartedProgram {
    try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "trigger", job, "--wait", "--json"], on: daemon.loop)
  }

  private func replies(of program: StartedProgram) throws -> [TriggerReply] {
    try program.printed.split(separator: "\n").map {
      try JSONDecoder().decode(TriggerReply.self, from: Data($0.utf8))
    }
  }

  @Test func `waits for a run that waits for its turn`() throws {
    let workshop = try Workshop()
    let gate = try Gate(in: workshop)
    let daemon = try daemon(
      workshop, gate,
      """
      groups = ["one"]
      [job.next]
      plugin = "steady"
      schedule = "on-demand"
      groups = ["one"]
      """)
    let held = try trigger("held", of: daemon)
    try daemon.wait(for: "its progress") { held.printed.contains("halfway") }
    let next = try trigger("next", of: daemon)
    try daemon.wait(for: "its place in the line") { !next.printed.isEmpty }
    #expect(try replies(of: next) == [TriggerReply(run: 0)] && next.result == nil)
    try gate.open()
    try daemon.wait(for: "the end of both") { held.result != nil && next.result != nil }
    #expect(held.result?.end == .exited(0) && next.result?.end == .exited(0))
    #expect(try replies(of: next).map { $0.end?.outcome } == [nil, nil, "succeeded"])
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `gets the outcome of its own entry, not of the one that was replaced`() throws {
    let workshop = try Workshop()
    let gate = try Gate(in: workshop)
    let daemon = try daemon(workshop, gate, "overlap = \"cancel-other\"\ngrace = \"1h\"")
    let first = try trigger("held", of: daemon)
    try daemon.wait(for: "its progress") { first.printed.contains("halfway") }
    let second = try trigger("held", of: daemon)
    try daemon.wait(for: "its place in the line") { !second.printed.isEmpty }
    let third = try trigger("held", of: daemon)
    try daemon.wait(for: "the end of the second") { second.result != nil && !third.printed.isEmpty }
    #expect(second.result?.end == .exited(1))
    #expect(try replies(of: second).map { $0.end?.outcome } == [nil, "superseded"])
    #expect(try replies(of: third) == [TriggerReply(run: 0)] && third.result == nil)
    try gate.open()
    try daemon.wait(for: "the third's progress") { third.printed.contains("halfway") }
    try gate.open()
    try daemon.wait(for: "its end") { third.result != nil }
    #expect(third.result?.end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }
}
