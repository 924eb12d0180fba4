import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `Messages to systemd` {
  @Test func `READY comes when the control socket answers, STATUS names what is next, WATCHDOG keeps coming`()
    throws
  {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure("[job.steady]\nplugin = \"steady\"\nschedule = \(never)")
    let daemon = try DaemonProcess(workshop, hasServiceManager: true, watchdog: 300_000)
    try daemon.wait(for: "READY=1") { daemon.notes.contains { $0.hasPrefix("READY=1\n") } }
    // The socket answers at this moment, without a retry.
    #expect(try daemon.status().jobCount == 1)

    let ready = try #require(daemon.notes.firstIndex { $0.hasPrefix("READY=1\n") })
    #expect(daemon.notes[ready] == "READY=1\nSTATUS=1 job, next steady at 2100-01-01 00:00:00 UTC")
    #expect(daemon.notes[..<ready].allSatisfy { $0.hasPrefix("STATUS=") }, "\(daemon.notes)")
    try daemon.wait(for: "five watchdog messages") { daemon.notes.count { $0 == "WATCHDOG=1" } >= 5 }

    #expect(try daemon.control("trigger", "steady", "--wait").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
    let stopping = try #require(daemon.notes.firstIndex { $0.hasPrefix("STOPPING=1\n") })
    #expect(daemon.notes.count { $0.hasPrefix("READY=1") } == 1)
    #expect(stopping > ready)
    #expect(!FileManager.default.fileExists(atPath: daemon.socketPath), "it takes its socket away")
  }

  @Test func `STATUS shows the active runs and the last failure`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.configure(
      """
      [job.held]
      plugin = "gate"
      schedule = \(never)
      with = { fifo = "\(gate.path)" }
      [job.lost]
      plugin = "gate"
      schedule = \(never)
      with = { fifo = "\(workshop.path)/nowhere/fifo" }
      """)
    let daemon = try DaemonProcess(workshop, hasServiceManager: true)
    try daemon.begin()
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    #expect(try daemon.control("trigger", "lost", "--wait").end == .exited(1))
    try daemon.wait(for: "a status with both") {
      daemon.notes.contains { $0.contains(", 1 running") && $0.contains(", last failure lost at ") }
    }
    try gate.open()
    try daemon.wait(for: "a status without the run") {
      daemon.notes.last.map { $0.hasPrefix("STATUS=2 jobs") && !$0.contains("running") } ?? false
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(arguments: [true, false])
  func `a reload sends RELOADING before it and READY after it`(bySignal: Bool) throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure("[job.steady]\nplugin = \"steady\"\nschedule = \(never)")
    let daemon = try DaemonProcess(workshop, hasServiceManager: true)
    try daemon.wait(for: "READY=1") { daemon.notes.contains { $0.hasPrefix("READY=1\n") } }
    let before = daemon.notes.count
    let asked = SystemTime.monotonic()
    if bySignal {
      try daemon.child.signal(.hangUp)
    } else {
      let reply = try daemon.control("reload")
      #expect(reply.end == .exited(0) && reply.output == "1 unchanged\n", "\(reply)")
    }
    try daemon.wait(for: "READY=1 again") { daemon.notes.count { $0.hasPrefix("READY=1\n") } == 2 }
    let notes = daemon.notes[before...]
    let reloading = try #require(notes.first { $0.hasPrefix("RELOADING=1\n") })
    let parts = reloading.split(separator: "\n")
    try #require(parts.count == 2 && parts[1].hasPrefix("MONOTONIC_USEC="))
    let microseconds = try #require(Int64(parts[1].dropFirst("MONOTONIC_USEC=".count)))
    #expect(microseconds >= asked.nanosecondsSinceBoot / 1_000)
    #expect(microseconds <= SystemTime.monotonic().nanosecondsSinceBoot / 1_000)
    let first = try #require(notes.firstIndex { $0.hasPrefix("RELOADING=1") })
    let last = try #require(notes.firstIndex { $0.hasPrefix("READY=1") })
    #expect(first < last)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a refused reload ends with READY too, because the old configuration stays in force`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure("[job.steady]\nplugin = \"steady\"\nschedule = \(never)")
    let daemon = try DaemonProcess(workshop, hasServiceManager: true)
    try daemon.begin()
    try workshop.configure("[job.steady]\nplugin = ")
    try daemon.child.signal(.hangUp)
    try daemon.wait(for: "READY=1 again") { daemon.notes.count { $0.hasPrefix("READY=1\n") } == 2 }
    #expect(try daemon.status().jobCount == 1)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a stop that waits for a run asks for more time, shows the wait, and exits with 0`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.configure(
      "[job.held]\nplugin = \"gate\"\nschedule = \(never)\nwith = { fifo = \"\(gate.path)\" }")
    let daemon = try DaemonProcess(workshop, hasServiceManager: true, watchdog: 300_000)
    try daemon.begin()
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    try daemon.line(containing: "at the gate")
    try daemon.child.signal(.terminate)
    try daemon.wait(for: "EXTEND_TIMEOUT_USEC") {
      daemon.notes.contains { $0.hasPrefix("EXTEND_TIMEOUT_USEC=") }
    }
    #expect(daemon.notes.contains("STOPPING=1\nSTATUS=waiting for 1 run"), "\(daemon.notes)")
    // While it waits, the daemon still sends watchdog messages, and it starts no reload.
    try daemon.child.signal(.hangUp)
    let alive = daemon.notes.count { $0 == "WATCHDOG=1" }
    try daemon.wait(for: "signs of life") { daemon.notes.count { $0 == "WATCHDOG=1" } >= alive + 2 }
    #expect(daemon.end == nil)
    try gate.open()
    #expect(try daemon.finish() == .exited(0))
    #expect(!daemon.notes.contains { $0.hasPrefix("RELOADING=1") }, "\(daemon.notes)")
    #expect(daemon.settled("held").map(\.outcome) == ["succeeded"])
  }
}
