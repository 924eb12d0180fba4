import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `How the daemon is stopped` {
  static func daemon(_ workshop: Workshop, deaf: Bool = false, drain: String = "1h") throws -> (
    DaemonProcess, Gate
  ) {
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.configure(
      """
      [job.held]
      plugin = "gate"
      schedule = \(never)
      grace = "200ms"
      with = { fifo = "\(gate.path)", deaf = \(deaf) }
      """, daemon: "drain-timeout = \"\(drain)\"")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try daemon.control("trigger", "held").output == "held: run 1 started\n")
    try daemon.line(containing: "held", "at the gate")
    return (daemon, gate)
  }

  @Test(arguments: [Signal.terminate, .interrupt])
  func `a stop waits for the active run, logs its end, and exits with 0`(signal: Signal) throws {
    let workshop = try Workshop()
    let (daemon, gate) = try Self.daemon(workshop)
    try daemon.child.signal(signal)
    try daemon.line(containing: "stopping; waiting for 1 run")
    let refused = try daemon.control("trigger", "held")
    #expect(refused.end == .exited(69) && refused.errors.contains("timelined is stopping"), "\(refused)")
    #expect(try daemon.status().isDraining)
    #expect(daemon.end == nil)
    try gate.open()
    #expect(try daemon.finish() == .exited(0))
    #expect(daemon.settled("held").map(\.outcome) == ["succeeded"])
    #expect(daemon.lines.last?.hasSuffix("stopped") == true, "\(daemon.lines)")
    #expect(daemon.errors.isEmpty, "\(daemon.errors)")
  }

  @Test(arguments: [Signal.terminate, .interrupt])
  func `a second request still waits for the run, and stop --now asks it to stop`(signal: Signal) throws {
    let workshop = try Workshop()
    let (daemon, gate) = try Self.daemon(workshop)
    try daemon.child.signal(.terminate)
    try daemon.line(containing: "stopping; waiting for 1 run")
    try daemon.child.signal(signal)
    try daemon.line(
      containing: "already stopping; waiting for 1 run; `timelinectl stop --now` asks them to stop")
    #expect(try daemon.control("stop").output == "stopping, 1 to wait for\n")
    #expect(
      daemon.end == nil && !daemon.lines.contains { $0.contains("asked to stop") && $0.contains("held") })
    if signal == .terminate {
      try gate.open()
    } else {
      #expect(try daemon.control("stop", "--now").output == "stopping now, 1 asked to stop\n")
      try daemon.line(containing: "held", "asked to stop")
    }
    #expect(try daemon.finish() == .exited(0))
    #expect(daemon.settled("held").map(\.outcome) == [signal == .terminate ? "succeeded" : "cancelled"])
  }

  @Test func `a run that ignores the stop request is killed after its grace`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop, deaf: true)
    #expect(try daemon.control("stop", "--now").end == .exited(0))
    #expect(try daemon.finish() == .exited(0))
    let held = daemon.settled("held")
    #expect(held.map(\.outcome) == ["cancelled"], "\(daemon.lines)")
    #expect(held.first?.line.contains("gate.so") == true, "\(held)")
  }

  @Test func `a stop waits no longer than the configured drain time`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop, drain: "300ms")
    #expect(try daemon.stop() == .exited(0))
    #expect(daemon.settled("held").map(\.outcome) == ["cancelled"])
  }

  @Test func `timelinectl stop waits for the active run too`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try Self.daemon(workshop)
    #expect(try daemon.control("stop").output == "stopping, 1 to wait for\n")
    try gate.open()
    #expect(try daemon.finish() == .exited(0))
    #expect(daemon.settled("held").map(\.outcome) == ["succeeded"])
  }

  @Test func `a stop during the start ends the daemon and leaves nothing behind`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/slow-load")
    try workshop.configure("[job.slow]\nplugin = \"slow-load\"\nschedule = \(never)")
    let daemon = try DaemonProcess(workshop, hasServiceManager: true)
    try daemon.wait(for: "the questions to plugins") { !daemon.notes.isEmpty }
    #expect(try daemon.stop() == .exited(0))
    #expect(!daemon.notes.contains { $0.hasPrefix("READY=1") }, "\(daemon.notes)")
    #expect(!FileManager.default.fileExists(atPath: daemon.socketPath))
  }
}
