import Foundation
import Testing
import TimelineControl
import TimelineSystem
import TimelineTestSupport

@Suite struct `The start of a run of a real daemon` {
  @Test func `is reported when its plugin is called, and not again after a kill`() throws {
    let workshop = try Workshop()
    try workshop.compileGauge()
    try workshop.compileGate()
    let gates = try ["first", "second", "backup"].map { try Gate(in: workshop, name: $0) }
    let jobs = gates.map { gate in
      let name = gate.path.split(separator: "/").last ?? ""
      return """
        [job.\(name)]
        plugin = "gate"
        schedule = "on-demand"
        with = { fifo = "\(gate.path)" }

        """
    }
    // The last one is `backup`.
    let reactions = """
      on-start = "tell"
      on-failure = "tell"

      [job.tell]
      plugin = "gauge"
      schedule = "on-demand"
      overlap = "buffer-all"
      """
    try workshop.configure(jobs.joined(separator: "\n") + reactions, daemon: "plugin-hosts-max = 2")
    let first = try DaemonProcess(workshop)
    try first.begin()
    for job in ["first", "second"] {
      #expect(try first.control("trigger", job).end == .exited(0))
      try first.line(containing: job, "at the gate")
    }
    // No plugin host is free for the run, and then for a moment none for the reaction.
    #expect(try first.control("trigger", "backup").output == "backup: waits for its turn\n")
    #expect(try first.list().first { $0.name == "tell" }?.waitingCount == 0)
    try gates[0].open()
    try first.line(containing: "backup", "at the gate")
    try gates[1].open()
    try first.wait(for: "the report") { !first.settled("tell").isEmpty }
    #expect(first.settled("backup").isEmpty)
    #expect(try first.control("history", "tell", "--json").output.contains("entry 0 running"))
    try first.child.signal(.kill)
    #expect(try first.finish() == .signalled(.kill))

    let second = try DaemonProcess(workshop)
    try second.begin()
    try second.wait(for: "the report of the end") { !second.settled("tell").isEmpty }
    #expect(second.settled("backup").map(\.outcome) == ["unknown"])
    #expect(try second.control("history", "tell", "--json").output.contains("entry 0 unknown"))
    #expect(try second.stop() == .exited(0))
    #expect([first, second].map { $0.settled("tell").count } == [1, 1], "\(first.lines) \(second.lines)")
  }
}
