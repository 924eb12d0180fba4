import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `An incident of a real daemon` {
  @Test func `is reported once, has one reminder and recovers once, with a kill in between`() throws {
    let workshop = try Workshop()
    try workshop.compileGauge()
    try workshop.configure(
      """
      [job.tell]
      plugin = "gauge"
      schedule = "on-demand"
      overlap = "buffer-all"

      [job.backup]
      plugin = "gauge"
      schedule = "on-demand"
      with = { file = "\(workshop.path)/ok" }
      on-failure = { job = "tell", after = 2, remind = "1h" }
      on-recovery = "tell"
      """)
    let offset = try workshop.write("0s", to: "offset")
    let first = try DaemonProcess(workshop, arguments: ["--clock-offset-file", offset])
    try first.begin()
    try run(first, "failed", count: 3)
    try first.wait(for: "the report") { !first.settled("tell").isEmpty }
    // Outcomes are written a few milliseconds after they are logged, or before a call is answered.
    #expect(try first.control("history", "tell").end == .exited(0))
    try first.child.signal(.kill)
    #expect(try first.finish() == .signalled(.kill))

    // The reminder was due while there was no daemon.
    try workshop.write("90m", to: "offset")
    let second = try DaemonProcess(workshop, arguments: ["--clock-offset-file", offset])
    try second.begin()
    try second.wait(for: "the reminder") { !second.settled("tell").isEmpty }
    try run(second, "failed", count: 2)
    try workshop.write("", to: "ok")
    try run(second, "succeeded", count: 2)
    try second.wait(for: "the recovery") { second.settled("tell").count > 1 }
    let history = try second.control("history", "tell", "--json").output
    for text in ["opened 2", "reminder 3", "recovered 5"] { #expect(history.contains(text), "\(history)") }
    #expect(try second.stop() == .exited(0))
    #expect([first, second].map { $0.settled("tell").count } == [1, 2], "\(first.lines) \(second.lines)")
  }

  @Test func `is shown by why for its failures, with the run that reported it`() throws {
    let workshop = try Workshop()
    try workshop.compileGauge()
    try workshop.configure(
      """
      [job.tell]
      plugin = "gauge"
      schedule = "on-demand"

      [job.backup]
      plugin = "gauge"
      schedule = "on-demand"
      with = { file = "\(workshop.path)/ok" }
      on-failure = { job = "tell", after = 2, remind = "1h" }
      on-recovery = "tell"
      """)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try run(daemon, "failed", count: 1)
    func why(_ job: String) throws -> WhyReply {
      typealias Verbs = `The verbs that look back and hold on, on a real daemon`
      let entries = try Verbs.decode(EntryReport.self, daemon.control("history", job, "--json").output)
      let entry = try #require(entries.last).entry.instant.description
      return try #require(
        Verbs.decode(WhyReply.self, daemon.control("why", job, entry, "--json").output).first)
    }
    let first = try why("backup")
    #expect(first.incident?.failures == 1 && first.incident?.toldAt == nil && first.reactions == [])
    try run(daemon, "failed", count: 1)
    try daemon.wait(for: "the report") { !daemon.settled("tell").isEmpty }
    let second = try why("backup")
    #expect(second.incident?.nextReminder != nil && second.reactions?.map(\.outcome) == ["succeeded"])
    #expect(second.details.filter { ["told", "incident"].contains($0.name) }.count == 2, "\(second.details)")
    let told = try why("tell").details.first { $0.name == "told of" }
    #expect(told?.text.hasSuffix(", failed: no file") == true, "\(told as Any)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `of late entries is reported while they wait, and recovers after a kill`() throws {
    let workshop = try Workshop()
    try workshop.compileGauge()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.write("", to: "ok")
    try workshop.configure(
      """
      [group.disk]
      limit = 1

      [job.holder]
      plugin = "gate"
      schedule = "on-demand"
      with = { fifo = "\(gate.path)" }
      groups = ["disk"]

      [job.tell]
      plugin = "gauge"
      schedule = "on-demand"

      [job.backup]
      plugin = "gauge"
      schedule = "on-demand"
      with = { file = "\(workshop.path)/ok" }
      groups = ["disk"]
      on-late = "tell"
      on-recovery = "tell"
      """)
    let offset = try workshop.write("0s", to: "offset")
    let first = try DaemonProcess(workshop, arguments: ["--clock-offset-file", offset])
    try first.begin()
    #expect(try first.control("trigger", "holder").end == .exited(0))
    try first.line(containing: "holder", "at the gate")
    #expect(try first.control("trigger", "backup").end == .exited(0))
    #expect(first.settled("tell").isEmpty)
    try workshop.write("61m", to: "offset")
    try first.child.signal(.user2)
    try first.wait(for: "the report") { !first.settled("tell").isEmpty }
    #expect(try first.control("history", "tell", "--json").output.contains("opened 1 waiting"))
    try first.child.signal(.kill)
    #expect(try first.finish() == .signalled(.kill))

    // The holder is lost, and the entry that waited runs late.
    let second = try DaemonProcess(workshop, arguments: ["--clock-offset-file", offset])
    try second.begin()
    try second.wait(for: "the late run") { !second.settled("backup").isEmpty }
    try run(second, "succeeded", count: 1)
    try second.wait(for: "the recovery") { !second.settled("tell").isEmpty }
    #expect(try second.control("history", "tell", "--json").output.contains("recovered 1 succeeded"))
    #expect(try second.stop() == .exited(0))
    #expect([first, second].map { $0.settled("tell").count } == [1, 1], "\(first.lines) \(second.lines)")
  }

  /// Runs the backup `count` times, one after the other, and waits for the end of each.
  private func run(_ daemon: DaemonProcess, _ outcome: String, count: Int) throws {
    for _ in 0..<count {
      let before = daemon.settled("backup").count
      #expect(try daemon.control("trigger", "backup").end == .exited(0))
      try daemon.wait(for: "the end of the run") { daemon.settled("backup").count > before }
      #expect(daemon.settled("backup").last?.outcome == outcome)
    }
  }
}
