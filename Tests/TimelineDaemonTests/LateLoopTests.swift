import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// A daemon that gets no processor time for a while, and then finds everything at once.
@Suite struct `A daemon that was held up` {
  /// End of the runs meanwhile: by themselves, or with their hosts.
  enum End: String, CaseIterable { case succeeded, failed }

  @Test(arguments: End.allCases)
  func `finds no run in the way that had ended before the entry was due`(_ end: End) throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    let jobs = ["a", "b", "c"]
    try workshop.configure(
      jobs.map {
        """
        [job.\($0)]
        plugin = "gate"
        schedule = { periodic = { by = "4s" } }
        with = { fifo = "\(gate.path)" }

        """
      }.joined())
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    for job in jobs { try daemon.line(containing: " \(job) ", "at the gate") }
    try daemon.halt()
    let halted = daemon.lines.count
    let first = SystemTime.now().nanosecondsSinceEpoch / 4_000_000_000
    switch end {
    case .succeeded: try gate.open(jobs.count)
    case .failed: ProcessTree.killDescendants(of: daemon.child.pid)
    }
    // The hosts tell of the ends meanwhile, long before the next entries.
    var isDue = false
    daemon.loop.after(.epoch + .seconds(first * 4 + 4) - SystemTime.now() + .milliseconds(50)) {
      isDue = true
    }
    try daemon.wait(for: "the next entries") { isDue }
    try daemon.resume()
    for job in jobs {
      try daemon.line(containing: " \(job) ", "at the gate", after: halted)
      #expect(daemon.settled(job).map(\.outcome) == [end.rawValue], "\(daemon.lines)")
    }
    try gate.open(jobs.count)
    #expect(try daemon.stop() == .exited(0))
  }
}
