import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `What a stop keeps for the next start` {
  /// A way in which a daemon ends.
  enum End: CaseIterable { case stop, kill }

  private func end(_ daemon: DaemonProcess, _ end: End, _ beforeLast: () throws -> Void = {}) throws {
    switch end {
    case .kill:
      try daemon.child.signal(.kill)
      #expect(try daemon.finish() == .signalled(.kill))
    case .stop:
      try daemon.child.signal(.terminate)
      try daemon.line(containing: "stopping")
      try beforeLast()
      #expect(try daemon.finish() == .exited(0))
    }
  }

  /// Starts a client that triggers `asked` and waits for the run. Another trigger waits already, so this one is overlapped.
  private func triggerAgain(_ daemon: DaemonProcess) throws -> StartedProgram {
    let client = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "trigger", "asked", "--wait"], on: daemon.loop)
    try daemon.wait(for: "the second trigger") { !daemon.settled("asked").isEmpty }
    return client
  }

  @Test(arguments: End.allCases)
  func `entries, triggers and reactions that wait for a group are run by the next daemon`(_ end: End) throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let gate = try Gate(in: workshop)
    let (due, far) = (SystemTime.now() + .hours(1), try WallInstant(rfc3339: "2200-01-01T00:00:00Z"))
    let waiting = ["one", "two", "three", "four", "five"]
    try workshop.configure(
      """
      [group.turns]
      limit = 1
      [job.held]
      plugin = "gate"
      schedule = { explicit = [\(due), \(far)] }
      priority = 9
      groups = ["turns"]
      with = { fifo = "\(gate.path)" }
      [job.broken]
      plugin = "gate"
      schedule = \(never)
      on-failure = "told"
      with = { fifo = "\(workshop.path)/nowhere/fifo" }

      """
        + (waiting + ["asked", "told"]).map { name in
          """
          [job.\(name)]
          plugin = "steady"
          schedule = \(waiting.contains(name) ? "{ explicit = [\(due), \(far)] }" : never)
          groups = ["turns"]

          """
        }.joined())
    let clock = try SetClock(in: workshop)
    let first = try DaemonProcess(workshop, arguments: clock.arguments)
    try first.begin()
    try clock.set(to: due - .milliseconds(100), in: first)
    try first.line(containing: "held", "at the gate")
    #expect(try first.control("trigger", "asked").output == "asked: waits for its turn\n")
    let client = try triggerAgain(first)
    #expect(try first.control("trigger", "broken", "--wait").end == .exited(1))
    try self.end(first, end) {
      try first.line(containing: "kept for the next start: 7 waiting entries")
      try first.wait(for: "an answer to who waits") { client.result != nil }
      try gate.open()
    }
    let expected = end == .stop ? ["asked", "broken", "held"] : ["asked", "broken"]
    #expect(Set(first.settled.map(\.job)) == Set(expected), "\(first.lines)")
    #expect(client.result?.end == .exited(1) && client.result?.output.contains("overlapped") == true)
    let second = try DaemonProcess(workshop, arguments: clock.arguments)
    try second.begin()
    let names = waiting + ["asked", "told"]
    try second.wait(for: "the others") { names.allSatisfy { !second.settled($0).isEmpty } }
    for name in names { #expect(second.settled(name).map(\.outcome) == ["succeeded"], "\(name)") }
    #expect(try second.stop() == .exited(0))
    let third = try DaemonProcess(workshop, arguments: clock.arguments)
    try third.begin()
    #expect(try third.stop() == .exited(0))
    #expect(third.settled.isEmpty, "nothing is run twice")
  }

  /// Compiles `moody`, a plugin that fails for now until there is a file at `path`.
  private func compileMoody(_ workshop: Workshop, until path: String) throws {
    try workshop.compile(
      """
      #include <timelined_plugin.h>
      #include <unistd.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        if (access("\(path)", F_OK) != 0) return TIMELINED_FAIL_FOR_NOW(context, "the disk is away");
        TIMELINED_LOG(context, TIMELINED_NOTICE, "the disk is there");
        return TIMELINED_OK;
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "moody", .version = "1.0", .summary = "fails for now", .run = run};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "moody")
  }

  @Test(arguments: End.allCases, ["at-most-once", "at-least-once"])
  func `a run between two attempts goes on with the next one`(_ end: End, _ delivery: String) throws {
    let workshop = try Workshop()
    let path = workshop.path + "/there"
    try compileMoody(workshop, until: path)
    try workshop.configure(
      """
      [job.moody]
      plugin = "moody"
      schedule = \(never)
      delivery = "\(delivery)"
      retry = { attempts = 50, backoff = { from = "2s", to = "2s" } }
      """)
    let first = try DaemonProcess(workshop)
    try first.begin()
    #expect(try first.control("trigger", "moody").end == .exited(0))
    let ledger = workshop.path + "/state/ledger.sqlite-wal"
    // The status shows the end of the first attempt, and the ledger has it some milliseconds later.
    func isNoted() -> Bool {
      (try? Data(contentsOf: URL(fileURLWithPath: ledger)))?.range(of: Data("the disk is away".utf8)) != nil
    }
    // Each call lasts some milliseconds.
    while !isNoted(), first.settled.isEmpty { _ = try first.status() }
    try self.end(first, end)
    #expect(first.settled.isEmpty, "\(first.lines)")

    let second = try DaemonProcess(workshop)
    try second.begin()
    let running = try second.list().first?.running.first
    #expect(running.map { $0.run == 1 } ?? true)
    try workshop.write("", to: "there")
    try second.wait(for: "its end") { !second.settled.isEmpty }
    #expect(second.settled.map(\.outcome) == ["succeeded"], "\(second.lines)")
    let history = try second.control("history", "moody", "--json").output
    #expect(history.contains("\"run\":1") && !history.contains("\"attempts\":1,"), "\(history)")
    #expect(try second.stop() == .exited(0))
  }

  @Test func `a trigger between entries that were missed together is run after a step backward`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure(
      "[job.often]\nplugin = \"steady\"\nschedule = { periodic = { by = \"1m\" } }\nmissed = \"latest\"")
    let path = try workshop.write("0s\n", to: "offset")
    let daemon = try DaemonProcess(workshop, arguments: ["--clock-offset-file", path])
    try daemon.begin()
    for offset in ["40m", "20m"] {
      let start = daemon.lines.count
      try workshop.write(offset, to: "offset")
      try daemon.child.signal(.user2)
      try daemon.line(containing: "the system clock moved", after: start)
      try daemon.wait(for: "the entries") { daemon.settled("often").contains { $0.outcome == "missed" } }
    }
    let triggered = try daemon.control("trigger", "often", "--wait")
    #expect(triggered.end == .exited(0), "\(triggered)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `clients that have gone release their waits, even if there were many`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let gate = try Gate(in: workshop)
    try workshop.configure(
      """
      [job.held]
      plugin = "gate"
      schedule = \(never)
      overlap = "buffer-all"
      with = { fifo = "\(gate.path)" }
      """)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    for _ in 1...40 {
      let client = try StartedProgram(
        [BuiltProgram.control, "-s", daemon.socketPath, "trigger", "held", "--wait", "--json"],
        on: daemon.loop)
      try daemon.wait(for: "its first answer") { client.printed.contains("run") }
      try client.child.signal(.kill)
      try daemon.wait(for: "its end") { client.result != nil }
    }
  }
}
