import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// A daemon that gets no processor time for a while, and then finds everything at once.
@Suite struct `A daemon that was held up` {
  /// End of the runs meanwhile: by themselves, or with their hosts.
  enum End: String, CaseIterable { case succeeded, failed }

  private static let periodSeconds: Int64 = 4

  /// Halts the daemon while each run is at the gate, half a period before the next entries at least; returns their instant.
  private func halt(_ daemon: DaemonProcess, _ jobs: [String], _ gate: Gate) throws -> WallInstant {
    var start = 0
    while true {
      for job in jobs { try daemon.line(containing: " \(job) ", "at the gate", after: start) }
      try daemon.halt()
      let now = SystemTime.now()
      let period = now.nanosecondsSinceEpoch / (Self.periodSeconds * 1_000_000_000)
      let next = WallInstant.epoch + .seconds((period + 1) * Self.periodSeconds)
      let isOverlapped = daemon.lines.dropFirst(start).contains { $0.contains("overlapped") }
      if next - now >= .seconds(Self.periodSeconds / 2), !isOverlapped { return next }
      // A machine that was too slow for these entries tries the next ones.
      try daemon.resume()
      start = daemon.lines.count
      try gate.open(jobs.count)
    }
  }

  @Test(arguments: End.allCases)
  func `does not overlap an entry with a run that ended before the entry was due`(_ end: End) throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    let jobs = ["a", "b", "c"]
    try workshop.configure(
      jobs.map {
        """
        [job.\($0)]
        plugin = "gate"
        schedule = { periodic = { by = "\(Self.periodSeconds)s" } }
        with = { fifo = "\(gate.path)" }

        """
      }.joined())
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let next = try halt(daemon, jobs, gate)
    let halted = daemon.lines.count
    switch end {
    case .succeeded: try gate.open(jobs.count)
    case .failed: ProcessTree.killDescendants(of: [daemon.child.pid])
    }
    // The hosts report the ends meanwhile, long before the next entries.
    var isDue = false
    daemon.loop.after(next - SystemTime.now() + .milliseconds(50)) { isDue = true }
    try daemon.wait(for: "the next entries") { isDue }
    try daemon.resume()
    for job in jobs {
      try daemon.line(containing: " \(job) ", "at the gate", after: halted)
      let ends = daemon.lines.dropFirst(halted).compactMap(SettledLine.init).filter { $0.job == job }
      #expect(ends.map(\.outcome) == [end.rawValue], "\(daemon.lines)")
    }
    try gate.open(jobs.count)
    #expect(try daemon.stop() == .exited(0))
  }
}
