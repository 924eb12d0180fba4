import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `Runs that outlive the daemon` {
  /// A daemon with a run at the gate, which is then killed.
  private func orphan(_ workshop: Workshop, _ shelf: DescriptorShelf, policies: String = "") throws -> Gate {
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.configure(
      "[job.held]\nplugin = \"gate\"\nschedule = \(never)\nwith = { fifo = \"\(gate.path)\" }\n\(policies)")
    let daemon = try DaemonProcess(workshop, shelf: shelf)
    try daemon.begin()
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    try daemon.line(containing: "held", "at the gate")
    try daemon.wait(for: "the host on the shelf") { !shelf.descriptors.isEmpty }
    try daemon.child.signal(.kill)
    #expect(try daemon.finish() == .signalled(.kill))
    return gate
  }

  @Test func `after a kill the next daemon collects the run, once`() throws {
    let (workshop, shelf) = (try Workshop(), DescriptorShelf())
    let gate = try orphan(workshop, shelf)
    #expect(shelf.descriptors.count == 4)
    let second = try DaemonProcess(workshop, shelf: shelf)
    try second.begin()
    let running = try #require(try second.list().first?.running.first)
    #expect(running.run == 1 && running.attempt == 1)
    try gate.open()
    try second.line(containing: "held", "through")
    try second.wait(for: "its end") { !second.settled.isEmpty }
    try second.wait(for: "an empty shelf") { shelf.descriptors.isEmpty }
    #expect(second.settled.map(\.outcome) == ["succeeded"])
    #expect(try second.stop() == .exited(0))

    let third = try DaemonProcess(workshop, shelf: shelf)
    try third.begin()
    #expect(try third.status().lastFailure == nil)
    #expect(try third.stop() == .exited(0))
    #expect((second.settled + third.settled).map(\.outcome) == ["succeeded"])
  }

  @Test func `a run that ends while there is no daemon is settled at the next start`() throws {
    let (workshop, shelf) = (try Workshop(), DescriptorShelf())
    let gate = try orphan(workshop, shelf)
    try gate.open()
    for number in shelf.descriptors where DescriptorKind(of: number) == .socket { try waitForReading(number) }
    let second = try DaemonProcess(workshop, shelf: shelf)
    try second.begin()
    try second.wait(for: "its end") { !second.settled.isEmpty }
    #expect(second.settled.map(\.outcome) == ["succeeded"])
    #expect(try second.stop() == .exited(0))
  }

  @Test func `a run that ended without a daemon is not terminated for a later entry`() throws {
    let (workshop, shelf) = (try Workshop(), DescriptorShelf())
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.configure(
      "[job.held]\nplugin = \"gate\"\nschedule = \(everySecond)\noverlap = \"terminate-other\"\n"
        + "with = { fifo = \"\(gate.path)\" }")
    let path = try workshop.write("0s", to: "offset")
    let first = try DaemonProcess(workshop, arguments: ["--clock-offset-file", path], shelf: shelf)
    try first.line(containing: "held", "at the gate")
    try first.wait(for: "the host on the shelf") { !shelf.descriptors.isEmpty }
    try first.child.signal(.kill)
    #expect(try first.finish() == .signalled(.kill))
    try gate.open()
    for number in shelf.descriptors where DescriptorKind(of: number) == .socket { try waitForReading(number) }
    // Other entries have fallen due when the next daemon comes.
    _ = try workshop.write("10s", to: "offset")
    let second = try DaemonProcess(workshop, arguments: ["--clock-offset-file", path], shelf: shelf)
    var ends: [String] { second.settled.map(\.outcome).filter { $0 != "missed" } }
    try second.wait(for: "its end") { !ends.isEmpty }
    #expect(ends.first == "succeeded", "\(second.lines)")
    #expect(try second.stop() == .exited(0))
  }

  @Test func `a stop of the next daemon waits for the run, and a timeout still holds`() throws {
    for isStop in [true, false] {
      let (workshop, shelf) = (try Workshop(), DescriptorShelf())
      let gate = try orphan(workshop, shelf, policies: isStop ? "" : "timeout = \"6s\"\n")
      let second = try DaemonProcess(workshop, shelf: shelf)
      try second.begin()
      if isStop {
        try second.child.signal(.terminate)
        try second.line(containing: "stopping; waiting for 1 run")
        try gate.open()
      } else {
        try second.wait(for: "its end") { !second.settled.isEmpty }
        try second.child.signal(.terminate)
      }
      #expect(try second.finish() == .exited(0))
      #expect(second.settled.map(\.outcome) == [isStop ? "succeeded" : "timed-out"])
      #expect(shelf.descriptors.isEmpty)
    }
  }

  @Test func `without a passed descriptor the run is settled by its delivery policy`() throws {
    let (workshop, shelf) = (try Workshop(), DescriptorShelf())
    _ = try orphan(workshop, shelf)
    let second = try DaemonProcess(workshop, shelf: DescriptorShelf())
    try second.begin()
    try second.wait(for: "its end") { !second.settled.isEmpty }
    #expect(second.settled.map(\.outcome) == ["unknown"])
    #expect(try second.stop() == .exited(0))
  }

  @Test func `a rehearsal takes over no run and leaves none`() throws {
    let (workshop, shelf) = (try Workshop(), DescriptorShelf())
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.configure(
      "[job.held]\nplugin = \"gate\"\nschedule = { explicit = [2026-01-01T00:00:10Z] }\n"
        + "with = { fifo = \"\(gate.path)\" }")
    let daemon = try DaemonProcess(
      workshop, arguments: ["--clock", "scaled:1000", "--from", "2026-01-01T00:00:00Z"], shelf: shelf)
    try daemon.line(containing: "held", "at the gate")
    try gate.open()
    try daemon.wait(for: "its end") { !daemon.settled.isEmpty }
    #expect(!daemon.notes.contains { $0.contains("FDSTORE") }, "\(daemon.notes)")
    #expect(try daemon.stop() == .exited(0))
  }
}
