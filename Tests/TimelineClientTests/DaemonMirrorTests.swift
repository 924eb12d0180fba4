import Synchronization
import Testing
import TimelineClient
import TimelineClientTestSupport
import TimelineControl
import TimelineCore
import TimelineRehearsal
import TimelineSystem

@Suite struct `A mirror of a daemon` {
  private let clock = ManualClock()
  private let daemon: FakeDaemon
  private let mirror: DaemonMirror
  private let name = jobName("a")
  private let now = PastStretch(from: t(800), until: t(1_200))

  init() {
    daemon = FakeDaemon { state in
      state.jobs = [JobReport(name: "a", plugin: "exec", schedule: "every 10s", next: nil, running: [])]
      state.entries = (0..<95).map { number in
        EntryReport(
          job: "a", entry: t(number * 10), outcome: .succeeded, run: UInt64(number),
          startedAt: t(number * 10),
          endedAt: t(number * 10 + 1), attempts: 1)
      }
      state.pageLength = 10
    }
    mirror = DaemonMirror(of: daemon) { [clock] in clock.now }
  }

  /// The parts that are read until nothing is missing.
  private func parts(_ stretch: PastStretch) throws -> [DaemonMirror.Part] {
    var parts: [DaemonMirror.Part] = []
    while let part = try mirror.readNext(for: stretch), parts.count < 100 { parts.append(part) }
    return parts
  }

  private func past() -> ReportedPast { mirror.withState { $0.past } }

  @Test func `reads one page at a step, and no more than a view needs`() throws {
    #expect(try parts(now) == [.jobs, .history, .history, .history, .history])
    #expect(past().entries(of: name).first?.entry == t(600) && past().knownFrom == t(600))
    #expect(try parts(now) == [])
    #expect(try parts(PastStretch(from: t(600), until: t(1_000))) == Array(repeating: .history, count: 3))
    #expect(daemon.state.withLock { $0.questions.allSatisfy { $0.limit == ControlLimits.historyMax } })
  }

  @Test func `begins again when the daemon does`() throws {
    _ = try parts(now)
    daemon.state.withLock { $0.failure = FailedCall(message: "gone", isRefusal: false) }
    mirror.forget()
    #expect(throws: FailedCall(message: "gone", isRefusal: false)) { try parts(now) }
    daemon.state.withLock { $0.failure = nil }
    #expect(try parts(now) == [.jobs, .history, .history, .history, .history])
    #expect(past().entries(of: name).last?.entry == t(940))
  }

  @Test func `is due at once while something is missing, and then after a time`() throws {
    #expect(mirror.dueAt(for: now) == clock.now)
    _ = try parts(now)
    #expect(mirror.dueAt(for: now) == clock.now + .seconds(15))
    mirror.withState { [clock] in $0.refresh(within: .seconds(1), at: clock.now) }
    #expect(mirror.dueAt(for: now) == clock.now + .seconds(1))
    clock.turn(by: 1)
    #expect(try parts(now) == [.jobs])
  }

  @Test func `keeps the entries of other nodes while the store does not answer`() throws {
    daemon.state.withLock { state in
      state.status.cluster = "prod: node one, of 2"
      state.cluster = ClusterState(
        cluster: "prod", node: "one", epoch: "1", isMember: true, trust: nil, clockOffset: nil,
        storeFault: nil, nodes: [], jobs: [], counters: [:])
      state.clusterEntries = [
        EntryReport(
          job: "a", entry: t(950), node: "two", token: 1, outcome: Outcome.failed.rawValue,
          startedAt: t(950), endedAt: t(951), attempts: 1)
      ]
    }
    #expect(try parts(now).last == .cluster)
    let lanes = past().lanes[name]
    #expect(lanes?.map(\.node) == ["two"] && lanes?.first?.entries.map(\.entry) == [t(950)])
    #expect(past().storeFault == nil)
    daemon.state.withLock { $0.storeFailure = FailedCall(message: "no answer", isRefusal: false) }
    clock.turn(by: 5)
    #expect(try parts(now) == [.cluster])
    #expect(past().storeFault == "no answer" && past().lanes[name] == lanes)
    #expect(past().entries(of: name).last?.entry == t(940))
  }
}
