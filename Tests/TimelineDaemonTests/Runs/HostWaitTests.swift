import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `Runs that have to wait for a host, with a real daemon` {
  /// Seconds of the day that a line begins with.
  private func time(of line: String) throws -> Double {
    let parts = line.prefix { $0 != " " }.split(separator: ":").compactMap { Double($0) }
    try #require(parts.count == 3, "\(line)")
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }

  @Test func `a timeout starts when the plugin is called`() throws {
    let workshop = try Workshop()
    try workshop.compileGate(loadingFor: 2)
    let gate = try Gate(in: workshop)
    try workshop.configure(
      ["first", "late"].map { name in
        """
        [job.\(name)]
        plugin = "gate"
        schedule = \(never)
        timeout = "4s"
        with = { fifo = "\(gate.path)" }
        """
      }.joined(separator: "\n"))
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    // The first run has the existing host, and the other run waits until a second host has loaded.
    #expect(try daemon.control("trigger", "first").end == .exited(0))
    try daemon.line(containing: "first", "at the gate")
    #expect(try daemon.control("trigger", "late").end == .exited(0))
    let called = try time(of: daemon.line(containing: "late", "at the gate"))
    let stopped = try time(of: daemon.line(containing: "late", "asked to stop"))
    let elapsed = (stopped - called + 86_400).truncatingRemainder(dividingBy: 86_400)
    #expect(elapsed > 3, "it was asked to stop \(elapsed) s after its call")
    #expect(try daemon.stop() == .exited(0))
  }
}
