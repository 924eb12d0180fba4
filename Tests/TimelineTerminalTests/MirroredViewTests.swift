import Synchronization
import Testing
import TimelineClient
import TimelineClientTestSupport
import TimelineClocks
import TimelineControl
import TimelineCore
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineSystem
import TimelineTerminal

/// A view with the mirror from which it is drawn, as `timelinectl watch` connects them.
private struct MirroredView {
  let clock = ManualClock()
  let daemon: FakeDaemon
  let mirror: DaemonMirror
  var view: TerminalView

  /// A daemon with an entry of `often` every 100 s and one of `rare`, and a view of an hour around 100,000 s.
  init(_ change: (inout FakeDaemon.State) -> Void = { _ in }) {
    daemon = FakeDaemon { state in
      state.status.now = Timestamp(t(100_000))
      state.jobs = ["often", "rare"].map {
        JobReport(name: $0, plugin: "exec", schedule: "", next: nil, running: [])
      }
      state.entries =
        [Self.entry(500, of: "rare")] + (10..<1_000).map { Self.entry($0 * 100, of: "often") }
      state.pageLength = 50
      change(&state)
    }
    mirror = DaemonMirror(of: daemon) { [clock] in clock.now }
    view = TerminalView(
      title: "control.sock", zone: .utc, now: t(100_000), base: .epoch,
      size: ScreenSize(width: 100, height: 14))
  }

  static func entry(_ instant: Int64, of job: String) -> EntryReport {
    EntryReport(
      job: job, entry: t(instant), outcome: .succeeded, run: UInt64(instant), startedAt: t(instant),
      endedAt: t(instant + 10), attempts: 1)
  }

  /// Reads until the view lacks nothing, at most `limit` parts. Returns the parts.
  @discardableResult
  mutating func read(limit: Int = 200) throws -> [DaemonMirror.Part] {
    var parts: [DaemonMirror.Part] = []
    while parts.count < limit, let part = try mirror.readNext(for: view.neededPast) {
      parts.append(part)
      if part == .jobs { show(mirror.withState { $0.jobs }) }
      let past = mirror.withState { $0.archive.knownFrom == nil ? nil : $0.past }
      if let past { _ = view.handle(.past(past), at: .epoch) }
    }
    return parts
  }

  private mutating func show(_ jobs: [JobReport]) {
    let shown = jobs.map { report in
      var job = ViewJob(name: name(report.name), zone: .utc, schedule: report.schedule)
      job.next = report.next?.instant
      return job
    }
    _ = view.handle(
      .snapshot(
        DaemonSnapshot(
          jobs: shown, now: t(100_000), speed: .normal, zone: .utc, future: nil,
          simulated: shown.map { _ in nil }, futureSource: "future: for a test")), at: .epoch)
  }

  /// Instants of the known entries of a job.
  func known(_ job: String) -> [Int64] {
    mirror.withState { $0.past }.entries(of: name(job)).map { $0.entry.nanosecondsSinceEpoch / 1_000_000_000 }
  }
}

@Suite struct `A view of a mirrored daemon` {
  /// Rows: keys, and the number of pages of 50 entries that are read after them.
  @Test(arguments: [
    ("", 0), ("<", 1), ("<<", 1), ("<<<<", 2), (">", 0), ("i", 0), ("o", 2), ("{left}", 0),
    ("{left}{left}", 0),
    ("<<0", 0), ("g1970-01-01 10:00{enter}", 2), ("g1970-01-01 10:00{enter}<", 2),
  ])
  func `reads the pages of the window, and half a window more`(keys: String, pages: Int) throws {
    var view = MirroredView()
    #expect(try view.read() == [.jobs, .history])
    view.view.type(keys)
    #expect(try view.read() == Array(repeating: .history, count: pages))
    let needed = view.view.neededPast
    let known = view.known("often")
    #expect(known.contains { $0 < needed.from.nanosecondsSinceEpoch / 1_000_000_000 })
    #expect(!view.view.screen().joined().contains("╱"))
  }

  @Test func `returns from a distant window to the present`() throws {
    var view = MirroredView()
    try view.read()
    view.view.type("g1970-01-01 10:00{enter}")
    try view.read()
    #expect(view.known("often").last.map { $0 < 50_000 } == true)
    view.view.type("0")
    #expect(try view.read() == [.history])
    #expect(view.known("often").last == 99_900)
  }

  @Test func `shows where knowledge ends`() throws {
    var view = MirroredView()
    try view.read()
    view.view.type("ooo")
    #expect(view.view.screen().contains { $0.contains("often ╱╱╱") })
    try view.read()
    #expect(!view.view.screen().joined().contains("╱"))
  }

  @Test func `looks for an earlier entry, page by page, until it is found`() throws {
    var view = MirroredView()
    try view.read()
    view.view.type("{down}{left}")
    #expect(view.view.screen().joined().contains("looking for an earlier entry: read back to 1970-01-02"))
    let parts = try view.read()
    #expect(parts.count == 20 && Set(parts) == [.history])
    #expect(view.view.selectedEntry?.entry == t(500) && view.view.neededPast.until > t(500))
    view.view.type("{left}")
    try view.read()
    #expect(view.view.message == "rare: no earlier entry is known")
  }

  /// Rows: keys in a window far back, the entry that is selected then, and whether its panel is open.
  @Test(arguments: [
    // The entries between the known ones and now are read, and not skipped.
    ("g1970-01-01 10:00{enter}{right}", 50_050, false),
    ("g1970-01-01 10:00{enter}{right}{right}", 99_950, false),
    ("g1970-01-01 10:00{enter}{right}{right}{right}", 100_300, false),
    // Keys select from what is visible.
    ("{left}{left}g1970-01-01 10:00{enter}{right}", 50_050, false),
    ("g1970-01-01 10:00{enter}{left}", 500, false),
    ("g1970-01-01 10:00{enter}{up}{down}{right}", 50_050, false),
    ("g1970-01-01 10:00{enter}{enter}", 50_050, true),
    // An entry at the moment itself.
    ("g1970-01-01 13:54:10{enter}{right}", 50_050, false),
    ("g1970-01-01 13:54:10{enter}{left}", 50_050, false),
  ])
  func `goes on to a later entry over entries that are not known yet`(
    keys: String, selected: Int64, hasPanel: Bool
  ) throws {
    var view = MirroredView { state in
      state.entries += [Self.sparse(50_050), Self.sparse(99_950)]
      state.entries.sort { $0.entry.instant < $1.entry.instant }
      state.jobs[1].next = Timestamp(t(100_300))
    }
    try view.read()
    view.view.type("{down}")
    for key in TimelineTerminalTests.keys(keys) {
      _ = view.view.handle(.key(key), at: .epoch)
      try view.read()
    }
    #expect(view.view.selectedEntry?.entry == t(selected) && view.view.destination == nil)
    #expect((view.view.panel == .entry) == hasPanel)
  }

  private static func sparse(_ instant: Int64) -> EntryReport { MirroredView.entry(instant, of: "rare") }

  @Test func `Enter looks for an entry, and explains it`() throws {
    var view = MirroredView()
    try view.read()
    view.view.type("{down}{enter}")
    #expect(view.view.screen().joined().contains("looking for an earlier entry: read back to 1970-01-02"))
    // While no entry is found, keys have their usual meanings.
    var copy = view.view
    #expect(copy.type("q") == [.quit])
    try view.read()
    #expect(view.view.selectedEntry?.entry == t(500) && view.view.panel == .entry)
  }

  @Test func `stops to look for an earlier entry at any key`() throws {
    var view = MirroredView()
    try view.read()
    view.view.type("{down}{left}")
    #expect(try view.read(limit: 3).count == 3)
    view.view.type("{up}")
    #expect(try view.read() == [])
    #expect(view.view.selectedEntry == nil)
  }

  @Test func `keeps the past while the daemon restarts, and reads on from the next daemon`() throws {
    var view = MirroredView()
    try view.read()
    view.view.type("<<")
    try view.read()
    let before = view.view.screen()
    view.daemon.state.withLock { $0.failure = FailedCall(message: "connection refused", isRefusal: false) }
    view.mirror.forget()
    #expect(throws: FailedCall.self) { try view.read() }
    _ = view.view.handle(.disconnected("connection refused"), at: .epoch)
    #expect(view.view.screen().dropLast(2) == before.dropLast(2))
    view.daemon.state.withLock { $0.failure = nil }
    #expect(try view.read() == [.jobs, .history, .history])
    #expect(view.view.screen() == before)
  }

  private func cluster(_ state: inout FakeDaemon.State) {
    state.status.cluster = "prod: node one, of 2"
    state.cluster = ClusterState(
      cluster: "prod", node: "one", epoch: "1", isMember: true, trust: nil, clockOffset: nil,
      storeFault: nil,
      nodes: [("one", "member"), ("two", "member"), ("three", "dead")].map {
        ClusterNodeReport(
          node: $0.0, epoch: $0.0, state: $0.1, lease: .zero, clockOffset: nil, labels: [:], jobCount: 0,
          version: "0.1.0")
      }, jobs: [], counters: [:])
    state.clusterEntries = [
      EntryReport(
        job: "rare", entry: t(99_500), outcome: .failed, reason: "no route", node: "two", token: 1,
        startedAt: t(99_500), endedAt: t(99_600), attempts: 1),
      EntryReport(
        job: "rare", entry: t(99_800), outcome: nil, node: "three", token: 2, claimedAt: t(99_800),
        attempts: 0),
    ]
  }

  @Test func `has a line for each other node, and names the node of an entry`() throws {
    var view = MirroredView(cluster)
    #expect(try view.read() == [.jobs, .history, .cluster])
    let lines = view.view.screen()
    let names = lines.dropFirst(3).prefix(4).map { $0.prefix(9).trimmed }
    #expect(names == ["▸ often", "rare", "three", "two"])
    #expect(lines[5].contains("▎") && lines[6].contains("▲"))
    #expect(lines.last?.hasPrefix("lost nodes: three") == true)
    view.view.type("{down}{left}")
    #expect(
      view.view.screen()[12]
        == "rare at 1970-01-02 03:43:20 UTC, on node three: claimed. It has no outcome yet.")
    view.view.type("{left}{enter}")
    let panel = view.view.screen().joined(separator: "\n")
    #expect(panel.contains("on node two: failed.") && panel.contains("no route"))
    #expect(view.view.type("{esc}w") == [.why(name("rare"), at: t(99_500))])
  }

  @Test func `shows that the store does not answer, and loses nothing`() throws {
    var view = MirroredView(cluster)
    try view.read()
    let before = view.view.screen()
    view.daemon.state.withLock { $0.storeFailure = FailedCall(message: "no answer", isRefusal: false) }
    view.clock.turn(by: 5)
    #expect(try view.read() == [.cluster])
    #expect(view.view.screen().dropLast() == before.dropLast())
    #expect(
      view.view.screen().last?.hasPrefix("other nodes are not shown as they are now: no answer") == true)
    view.view.type("<")
    #expect(try view.read() == [.history])
  }

  @Test func `reads entries of other nodes far back, and looks for earlier ones`() throws {
    var view = MirroredView { state in
      cluster(&state)
      state.cluster?.nodes = []
      state.entries.removeFirst()
      let old = (0..<3_000).map { number in
        EntryReport(
          job: "often", entry: t(number * 30), outcome: .failed, node: "two", token: 1,
          startedAt: t(number * 30), endedAt: t(number * 30 + 1), attempts: 1)
      }
      let older = EntryReport(
        job: "rare", entry: t(700), outcome: .failed, node: "two", token: 1,
        startedAt: t(700), endedAt: t(701), attempts: 1)
      state.clusterEntries = (old + [older] + state.clusterEntries).sorted {
        $0.entry.instant < $1.entry.instant
      }
    }
    try view.read()
    view.view.type("g1970-01-01 10:00{enter}")
    #expect(view.view.screen().last?.hasPrefix("entries of other nodes: read back to 1970-01-02 ") == true)
    _ = try view.read()
    let lanes = view.mirror.withState { $0.past.lanes[name("often")] }
    #expect(lanes?.first?.entries.contains { $0.entry == t(35_400) } == true)
    #expect(view.view.screen().last?.hasPrefix("? help") == true)
    view.view.type("0")
    try view.read()
    view.clock.turn(by: 5)
    try view.read()
    view.view.type("{down}{left}{left}{left}")
    // The store is asked for five pages in 5 s.
    for _ in 0..<10 {
      try view.read()
      view.clock.turn(by: 5)
    }
    #expect(view.view.selectedEntry?.entry == t(700) && view.view.selectedEntry?.node == "two")
  }

  @Test func `scrolls by jobs whose lines fit on the screen`() throws {
    var view = MirroredView { state in
      cluster(&state)
      state.jobs = (0..<9).map {
        JobReport(name: $0 == 8 ? "rare" : "job-\($0)", plugin: "exec", schedule: "", next: nil, running: [])
      }
    }
    try view.read()
    view.view.type("{end}")
    let names = view.view.screen().dropFirst(3).prefix(9).map { $0.prefix(9).trimmed }
    #expect(names.suffix(3) == ["▸ rare", "three", "two"] && names.first == "job-2")
  }
}

extension Substring {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
