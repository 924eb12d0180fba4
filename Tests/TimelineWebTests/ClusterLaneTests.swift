import Synchronization
import Testing
import TimelineClient
import TimelineClientTestSupport
import TimelineControl
import TimelineCore
import TimelineEngineTestSupport
import TimelineJSON
import TimelineSystem
import TimelineWeb

@Suite struct `Nodes of a cluster on the web page` {
  private let clock = ManualClock()
  private let daemon: FakeDaemon
  private let application: WebApplication

  init() {
    let read: @Sendable () -> MonotonicInstant = { [clock] in clock.now }
    daemon = FakeDaemon { state in
      state.status.cluster = "prod: node one, of 2"
      state.jobs = [JobReport(name: "a", plugin: "exec", schedule: "every 10s", next: nil, running: [])]
      state.cluster = ClusterState(
        cluster: "prod", node: "one", epoch: "1", isMember: true, trust: nil, clockOffset: nil,
        storeFault: nil,
        nodes: [("one", "member"), ("two", "member"), ("three", "dead"), ("four", "left")]
          .map {
            ClusterNodeReport(
              node: $0.0, epoch: $0.0, state: $0.1, lease: .zero, clockOffset: nil, labels: [:], jobCount: 0,
              version: "0.1.0")
          }, jobs: [], counters: [:])
    }
    application = WebApplication(
      gate: WebGate(hosts: ["localhost:8463"], isReadOnly: false, needsToken: false), token: nil,
      cookieName: "t", page: DaemonPage(of: daemon, machine: "test", clock: read, zone: { _ in .utc }),
      clock: read)
  }

  private func window(
    _ target: String = "/api/window?from=0&length=2000000&columns=1000"
  ) throws -> JSONValue {
    var request = WebRequest("GET", target)
    request.host = "localhost:8463"
    guard case .admitted(let route) = application.admit(request) else { return .null }
    let body = application.reply(to: route, request, body: []).body
    return try JSONValue(parsing: String(decoding: body, as: UTF8.self))
  }

  /// Nodes of the lanes, and nodes and instants of the marks.
  private func picture() throws -> (lanes: [String], marks: [String]) {
    let window = try window()
    func list(_ path: String) -> [JSONValue] {
      guard case .array(let values)? = window.value(at: path) else { return [] }
      return values
    }
    return (
      list("/rows/0/lanes").compactMap { $0.value(at: "/node").map { "\($0)" } },
      list("/rows/0/marks").map { mark in
        "\(mark.value(at: "/11") ?? .null) \(mark.value(at: "/6") ?? .null) \(mark.value(at: "/5") ?? .null)"
      }
    )
  }

  private func entry(_ seconds: Int64, on node: String, _ outcome: Outcome? = .succeeded)
    -> EntryReport
  {
    EntryReport(
      job: "a", entry: t(seconds), outcome: outcome, node: node, token: 1,
      claimedAt: outcome == nil ? t(seconds) : nil, startedAt: outcome == nil ? nil : t(seconds),
      endedAt: outcome == nil ? nil : t(seconds + 1), attempts: 1)
  }

  private func questions() -> Int { daemon.state.withLock { $0.calls.count { $0 == "ClusterHistory" } } }

  @Test func `have lanes, beside the daemon's own entries`() throws {
    daemon.state.withLock { state in
      state.entries = [
        EntryReport(
          job: "a", entry: t(100), outcome: .succeeded, run: 1, startedAt: t(100), endedAt: t(101),
          attempts: 1)
      ]
      state.clusterEntries = [
        entry(50, on: "two"), entry(100, on: "one"), entry(200, on: "three", .failed),
        entry(300, on: "two", nil),
      ]
    }
    let (lanes, marks) = try picture()
    #expect(lanes == ["\"three\"", "\"two\""])
    #expect(
      marks == [
        "\"two\" 50000 \"succeeded\"", "null 100000 \"succeeded\"", "\"three\" 200000 \"failed\"",
        "\"two\" null null",
      ])
  }

  @Test func `are named, and lost nodes are listed`() throws {
    let window = try window()
    #expect(window.value(at: "/daemon/node") == .string("one"))
    #expect(window.value(at: "/daemon/lostNodes") == .array([.string("three")]))
    #expect(window.value(at: "/daemon/storeFault") == .null)
  }

  @Test func `are queried once in five seconds, and then for possible changes`() throws {
    daemon.state.withLock { $0.clusterEntries = [entry(50, on: "two"), entry(960, on: "two", nil)] }
    for _ in 0..<3 { _ = try window() }
    #expect(questions() == 1)
    daemon.state.withLock {
      $0.clusterEntries = [entry(960, on: "two", .failed), entry(970, on: "three", nil)]
    }
    clock.turn(by: 5)
    #expect(
      try picture().marks == [
        "\"two\" 50000 \"succeeded\"", "\"two\" 960000 \"failed\"", "\"three\" null null",
      ])
    // The claim was given back.
    daemon.state.withLock { $0.clusterEntries = [entry(960, on: "two", .failed)] }
    clock.turn(by: 5)
    #expect(try picture().marks == ["\"two\" 50000 \"succeeded\"", "\"two\" 960000 \"failed\""])
    #expect(questions() == 3)
  }

  @Test(arguments: [(150, 1, 150), (900, 5, 900), (1_500, 5, 996)])
  func `are read page by page, up to a limit of pages`(count: Int, questions: Int, shown: Int) throws {
    daemon.state.withLock { state in
      state.clusterEntries = (0..<count).map { entry(Int64($0), on: $0.isMultiple(of: 2) ? "two" : "three") }
    }
    let window = try window()
    guard case .array(let marks)? = window.value(at: "/rows/0/marks") else { return }
    let entries = marks.reduce(0) { sum, mark in
      if case .integer(let number)? = mark.value(at: "/3") { sum + Int(number) } else { sum }
    }
    #expect(entries == shown)
    #expect(self.questions() == questions)
  }

  @Test func `have explanations that begin with the node of the entry`() throws {
    daemon.state.withLock { state in
      state.clusterEntries = [entry(50, on: "two", .failed)]
      state.why = (.unrecorded, "one")
    }
    let story = try window("/api/story?job=a&at=1970-01-01T00:00:50Z")
    #expect(
      story.value(at: "/headline")
        == .string("a at 1970-01-01 00:00:50 UTC, on node two: failed. \(Outcome.failed.meaning)"))
    #expect(story.value(at: "/outcome") == .string("failed"))
    #expect(story.value(at: "/details/0/text") == .string("two, token 1"))
  }

  @Test func `are left out if the store does not answer, and the rest is shown`() throws {
    daemon.state.withLock { $0.cluster = nil }
    let window = try window()
    #expect(window.value(at: "/rows/0/name") == .string("a"))
    #expect(window.value(at: "/daemon/storeFault") != .null)
  }

  @Test func `are not queried by a daemon without a cluster`() throws {
    daemon.state.withLock { $0.status.cluster = nil }
    _ = try window()
    #expect(daemon.state.withLock { $0.calls.contains("Cluster") } == false)
  }
}
