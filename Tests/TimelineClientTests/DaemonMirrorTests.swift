import Synchronization
import Testing
import TimelineClient
import TimelineClientTestSupport
import TimelineControl
import TimelineCore
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineSystem

@Suite struct `A mirror of a daemon` {
  private let clock = ManualClock()
  private let daemon: FakeDaemon
  private let mirror: DaemonMirror
  private let name = TimelineEngineTestSupport.name("a")
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
    #expect(past().entries(of: name).first?.entry == t(600) && past().known.from == t(600))
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

  @Test func `keeps its state for a pause after dropped events, however many are dropped`() throws {
    _ = try parts(now)
    for _ in 0..<4 {
      mirror.takeLoss()
      clock.turn(by: 1)
      #expect(try parts(now) == [] && past().known.from == t(600))
    }
    #expect(mirror.dueAt(for: now) == clock.now + .seconds(1))
    clock.turn(by: 1)
    #expect(try parts(now) == [.jobs, .history, .history, .history, .history])
    // The pause is over.
    clock.turn(by: 5)
    #expect(try parts(now) == [])
    mirror.takeLoss()
    mirror.take(WatchReply(.watching, at: t(1_000)))
    #expect(try parts(now).first == .jobs)
    clock.turn(by: 5)
    #expect(try parts(now) == [])
  }

  @Test func `is due for an older stretch although it is full`() throws {
    _ = try parts(now)
    mirror.withState { state in
      for number in state.archive.entries(of: name).count..<EntryList.entriesMax {
        var entry = ViewEntry(t(2_000 + Int64(number)), outcome: .succeeded)
        entry.end = entry.entry
        state.archive.take(ReportedEntry(job: name, entry: entry))
      }
    }
    #expect(mirror.dueAt(for: PastStretch(from: t(300), until: t(700))) == clock.now)
  }

  @Test func `reads a page of other nodes at a step, and at most five in a pause`() throws {
    daemon.state.withLock { state in
      state.status.cluster = "prod: node one, of 2"
      state.cluster = cluster
      state.clusterEntries = (-500..<1_000).map(entry)
    }
    let stretch = PastStretch(from: t(-500), until: t(1_000))
    var count = 0
    for _ in 0..<40 {
      let before = daemon.state.withLock { $0.calls.count { $0 == "ClusterHistory" } }
      guard let part = try mirror.readNext(for: stretch) else { break }
      let after = daemon.state.withLock { $0.calls.count { $0 == "ClusterHistory" } }
      #expect(after - before == (part == .cluster ? 1 : 0))
      count = after
      if part == .cluster, after < 5 { #expect(mirror.dueAt(for: stretch) == clock.now) }
    }
    #expect(count == MirrorLimits.clusterPagesMax)
    #expect(mirror.dueAt(for: stretch) == clock.now + .seconds(5))
    clock.turn(by: 5)
    #expect(try parts(stretch).allSatisfy { $0 == .cluster })
    #expect(past().lanes[name]?.first?.entries.first?.entry == t(-500))
  }

  @Test func `reads entries of other nodes that are far back`() throws {
    daemon.state.withLock { state in
      state.status.cluster = "prod: node one, of 2"
      state.cluster = cluster
      state.clusterEntries = (-50_000..<1_000).map(entry)
    }
    func known() -> (first: WallInstant?, last: WallInstant?) {
      let entries = past().lanes[name]?.first?.entries ?? []
      return (entries.first?.entry, entries.last?.entry)
    }
    _ = try parts(now)
    #expect(known() == (t(800), t(999)))
    let before = daemon.state.withLock { $0.calls.count { $0 == "ClusterHistory" } }
    _ = try parts(PastStretch(from: t(-40_100), until: t(-40_000)))
    #expect(known() == (t(-40_100), t(-39_900)))
    #expect(past().nodesKnown == KnownStretch(from: t(-40_100), until: t(-39_900)))
    #expect(daemon.state.withLock { $0.calls.count { $0 == "ClusterHistory" } } == before + 2)
    // The store is not asked for new entries that are not shown.
    clock.turn(by: 5)
    #expect(try parts(PastStretch(from: t(-40_100), until: t(-40_000))) == [.cluster])
    #expect(daemon.state.withLock { $0.calls.count { $0 == "ClusterHistory" } } == before + 2)
    _ = try parts(now)
    clock.turn(by: 5)
    _ = try parts(now)
    #expect(known() == (t(800), t(999)) && past().nodesKnown?.until == nil)
  }

  @Test func `keeps the newest entries of other nodes if a window has too many`() throws {
    daemon.state.withLock { state in
      state.status.cluster = "prod: node one, of 2"
      state.cluster = cluster
      state.clusterEntries = (-50_000..<1_000).map(entry)
    }
    let stretch = PastStretch(from: t(-50_000), until: t(2_000))
    func count() -> Int { past().lanes[name]?.first?.entries.count ?? 0 }
    for _ in 0..<40 {
      _ = try parts(stretch)
      clock.turn(by: 5)
    }
    #expect(count() >= MirrorLimits.clusterEntriesMax)
    for second in 1_000..<Int64(1_003) {
      daemon.state.withLock { $0.clusterEntries.append(entry(second)) }
      _ = try parts(stretch)
      clock.turn(by: 5)
    }
    #expect(count() < MirrorLimits.clusterEntriesMax && count() > MirrorLimits.clusterEntriesMax / 2)
    #expect(past().lanes[name]?.first?.entries.last?.entry == t(1_002))
    #expect(past().nodesKnown?.from == past().lanes[name]?.first?.entries.first?.entry)
  }

  @Test func `keeps what it shows of other nodes if an old claim is open and many entries follow`() throws {
    var entries = (-500..<1_000).map(entry)
    entries[1_000].outcome = nil
    daemon.state.withLock { state in
      state.status.cluster = "prod: node one, of 2"
      state.cluster = cluster
      state.clusterEntries = entries
    }
    func shown() -> [ViewEntry] { past().lanes[name]?.first?.entries ?? [] }
    func calls() -> Int { daemon.state.withLock { $0.calls.count { $0 == "ClusterHistory" } } }
    let stretch = PastStretch(from: t(-500), until: t(1_000))
    for _ in 0..<5 {
      _ = try parts(stretch)
      clock.turn(by: 5)
    }
    #expect(shown().count == 1_500 && shown()[1_000].outcome == nil)
    // More than fit on a page, all later than the entries that may have changed.
    for count in 1...2 {
      entries += (0..<Int64(250)).map { number in
        var later = entry(950)
        later.entry = Timestamp(t(950) + .milliseconds(100 * number + 10 * Int64(count)))
        return later
      }
      daemon.state.withLock { $0.clusterEntries = entries.sorted { $0.entry.instant < $1.entry.instant } }
      let before = calls()
      _ = try parts(stretch)
      clock.turn(by: 5)
      #expect(shown().count == 1_500 + 250 * count)
      #expect(calls() - before <= MirrorLimits.clusterPagesMax)
    }
    entries[1_000].outcome = Outcome.succeeded.rawValue
    daemon.state.withLock { $0.clusterEntries = entries.sorted { $0.entry.instant < $1.entry.instant } }
    _ = try parts(stretch)
    #expect(shown()[1_000].outcome == .succeeded)
  }

  private var cluster: ClusterState {
    ClusterState(
      cluster: "prod", node: "one", epoch: "1", isMember: true, trust: nil, clockOffset: nil,
      storeFault: nil, nodes: [], jobs: [], counters: [:])
  }

  private func entry(_ instant: Int64) -> EntryReport {
    EntryReport(
      job: "a", entry: t(instant), outcome: .failed, node: "two", token: 1, startedAt: t(instant),
      endedAt: t(instant), attempts: 1)
  }

  @Test func `keeps the entries of other nodes while the store does not answer`() throws {
    daemon.state.withLock { state in
      state.status.cluster = "prod: node one, of 2"
      state.cluster = cluster
      state.clusterEntries = [entry(950)]
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
