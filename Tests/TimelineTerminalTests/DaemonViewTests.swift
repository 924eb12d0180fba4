import Testing
import TimelineClocks
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTerminal

@Suite struct `A view of the daemon` {
  private let jobs = [
    job("backup", every(3_600, from: 600), lasts: 1_500), job("import", every(1_200), lasts: 300),
  ]

  /// A view that stands at `now`, with the future simulated from there.
  private func view(
    at now: Int64, paused: Set<String> = [], running: [String: [UInt64]] = [:], active: [OpenRun] = [],
    isSimulated: Bool = true
  ) -> TerminalView {
    var view = TerminalView(
      title: "control.sock", zone: .utc, now: t(now), base: .epoch, size: ScreenSize(width: 80, height: 12))
    _ = view.handle(
      .snapshot(
        snapshot(at: now, paused: paused, running: running, active: active, isSimulated: isSimulated)),
      at: .epoch)
    view.tick()
    return view
  }

  private func snapshot(
    at now: Int64, paused: Set<String> = [], running: [String: [UInt64]] = [:], active: [OpenRun] = [],
    isSimulated: Bool = true, speed: Speed = .normal
  ) -> DaemonSnapshot {
    let shown = jobs.map { definition in
      var job = ViewJob(name: definition.name, zone: .utc, schedule: "\(definition.schedule)")
      job.pause = paused.contains(job.name.text) ? "since 00:00" : nil
      job.running = running[job.name.text] ?? []
      job.next = definition.schedule.next(after: t(now))
      return job
    }
    let held = Dictionary(uniqueKeysWithValues: paused.map { (name($0), t(now)) })
    return DaemonSnapshot(
      jobs: shown, now: t(now), speed: speed, zone: .utc,
      simulation: isSimulated
        ? SimulationPlan(jobs: jobs).simulation(from: t(now), paused: held, active: active) : nil,
      simulated: isSimulated ? [0, 1] : [nil, nil], futureSource: "future: for a test")
  }

  private func ended(_ entry: Int64, _ length: Int64, _ outcome: Outcome) -> ViewEntry {
    var ended = ViewEntry(t(entry), outcome: outcome)
    ended.start = t(entry)
    ended.end = t(entry + length)
    return ended
  }

  /// Entries of a job as `instant outcome`, up to an instant.
  private func entries(_ view: TerminalView, _ job: Int, until end: Int64 = 6_000) -> [String] {
    view.entries(of: job).filter { $0.entry < t(end) }.map { entry in
      "\(entry.entry.nanosecondsSinceEpoch / 1_000_000_000) \(entry.outcome?.rawValue ?? "-")"
    }
  }

  @Test func pastAndFutureAreOneRow() {
    var view = view(at: 3_000)
    _ = view.handle(
      .entries([
        ReportedEntry(job: name("backup"), entry: ended(600, 1_000, .failed)),
        ReportedEntry(job: name("import"), entry: ended(2_400, 300, .succeeded)),
        ReportedEntry(job: name("unknown"), entry: ended(2_400, 300, .succeeded)),
      ]), at: .epoch)
    view.type("oo")
    view.tick()
    #expect(entries(view, 0) == ["600 failed", "4200 succeeded"])
    #expect(entries(view, 1) == ["2400 succeeded", "3600 succeeded", "4800 succeeded"])
  }

  @Test func whatASimulationExpectedIsOverOnlyWhenTheDaemonSaysSo() {
    var view = view(at: 3_000)
    // Twenty minutes later the entry of 3600 was not reported, and that of 4200 neither.
    view.tick(to: 1_300)
    #expect(view.now == t(4_300))
    #expect(entries(view, 0) == [])
    #expect(entries(view, 1) == ["4800 succeeded"])
  }

  @Test func anActiveRunLastsAsLongAsExpectedAndThenUntilNow() {
    let run = OpenRun(
      run: RunID(number: 7), entry: EntryKey(job: name("backup"), nominal: t(4_200)), cause: .schedule,
      attempts: 1, startedAt: t(4_200), isAlive: true)
    var view = view(at: 4_300, running: ["backup": [7]], active: [run])
    var active = ViewEntry(t(4_200))
    active.start = t(4_200)
    active.run = 7
    _ = view.handle(.entries([ReportedEntry(job: name("backup"), entry: active)]), at: .epoch)
    let shown = view.entries(of: 0).first
    #expect(shown?.outcome == nil)
    #expect(shown?.end == t(5_700))
    view.type("{left}{enter}")
    #expect(
      view.screen().joined(separator: "\n").contains("running. Its plugin was called"))
  }

  /// A view that is not busy waits for keys: one that is would take all of a processor.
  @Test func aCompletePictureIsNotBusy() {
    var view = view(at: 3_000)
    #expect(!view.isBusy)
    view.type("ooooiiii")
    view.tick()
    #expect(!view.isBusy)
  }

  @Test func aPausedJobHasNoFuture() {
    let view = view(at: 3_000, paused: ["import"])
    #expect(entries(view, 1) == [])
    #expect(view.screen().contains { $0.contains("import") && $0.contains("‖") })
  }

  @Test func withoutTheConfigurationTheNextEntryIsShown() {
    let view = view(at: 3_000, isSimulated: false)
    #expect(entries(view, 0) == ["4200 -"])
    #expect(entries(view, 1) == ["3600 -"])
  }

  /// Keys, and what is asked of the daemon.
  @Test(
    arguments: [
      ("t", []), ("ty", [.trigger(name("backup"))]), ("tn", []), ("t{enter}", []),
      ("{down}ty", [.trigger(name("import"))]),
      ("sy", [.pause(name("backup"))]), ("{down}sy", [.resume(name("import"))]),
      ("cy", [.cancel(name("backup"), runs: [7, 8])]), ("{down}cy", []),
      ("l", [.logs(name("backup"))]), ("w", [.why(name("backup"), at: t(3_000))]),
      ("{right}w", [.why(name("backup"), at: t(4_200))]),
      (" ", []), ("+", []), ("n", []), ("q", [.quit]),
    ] as [(String, [ViewRequest])])
  func asks(_ keys: String, _ requests: [ViewRequest]) {
    var view = view(at: 3_000, paused: ["import"], running: ["backup": [7, 8]])
    #expect(view.type(keys) == requests)
  }

  @Test func aSnapshotKeepsSelectionFilterAndPast() {
    var view = view(at: 3_000)
    _ = view.handle(
      .entries([ReportedEntry(job: name("import"), entry: ended(2_400, 300, .failed))]), at: .epoch)
    view.type("/imp{enter}{left}")
    var changed = snapshot(at: 3_010)
    changed.jobs.reverse()
    changed.simulated.reverse()
    _ = view.handle(.snapshot(changed), at: t(10))
    #expect(view.selectedJob.map { view.jobs[$0].name.text } == "import")
    #expect(view.selectedEntry == t(2_400))
    #expect(view.shownJobs.count == 1)
    #expect(entries(view, 0).first == "2400 failed")
  }

  @Test func theSelectedEntryIsOfTheSelectedJob() {
    var view = view(at: 3_000)
    #expect(view.type("{right}/imp{enter}w") == [.why(name("import"), at: t(3_000))])
    view.type("{right}")
    var changed = snapshot(at: 3_010)
    changed.jobs.removeLast()
    changed.simulated.removeLast()
    _ = view.handle(.snapshot(changed), at: t(10))
    #expect(view.selectedEntry == nil)
  }

  @Test func cancelAsksRunsThatWaitToo() {
    var view = view(at: 3_000)
    var changed = snapshot(at: 3_000, running: ["backup": [7]])
    changed.jobs[0].waiting = [8, 9]
    _ = view.handle(.snapshot(changed), at: .epoch)
    _ = view.handle(
      .entries([ReportedEntry(job: name("backup"), entry: run(8, ended(600, 10, .succeeded)))]), at: .epoch)
    #expect(view.type("cy") == [.cancel(name("backup"), runs: [7, 9])])
  }

  private func run(_ number: UInt64, _ entry: ViewEntry) -> ViewEntry {
    var entry = entry
    entry.run = number
    return entry
  }

  /// A list of active runs has the latest attempt and no cause. The end of a run has both.
  @Test func aSnapshotKeepsCauseAndFirstStartOfARun() {
    var view = view(at: 3_000)
    var started = run(7, ViewEntry(t(2_400)))
    started.start = t(2_410)
    started.cause = .trigger
    var listed = run(7, ViewEntry(t(2_400)))
    listed.start = t(2_900)
    listed.attempts = 2
    _ = view.handle(.entries([ReportedEntry(job: name("import"), entry: started)]), at: .epoch)
    for _ in 0..<2 {
      _ = view.handle(.snapshot(snapshot(at: 3_000)), at: .epoch)
      _ = view.handle(.entries([ReportedEntry(job: name("import"), entry: listed)]), at: .epoch)
    }
    let shown = view.entries(of: 1).first
    #expect(shown?.start == t(2_410) && shown?.cause == .trigger && shown?.attempts == 2)
    let end = run(7, ended(2_400, 300, .failed))
    _ = view.handle(.entries([ReportedEntry(job: name("import"), entry: end)]), at: .epoch)
    #expect(view.entries(of: 1).first == end)
  }

  /// New entries are shown, and active runs stay.
  @Test func aFullBookDropsItsOlderHalf() {
    var view = view(at: 3_000)
    var active = run(7, ViewEntry(t(-300_000)))
    active.start = t(-300_000)
    let older = (1..<EntryList.entriesMax).map { number in
      ReportedEntry(job: name("import"), entry: ended(Int64(number) - 200_000, 0, .succeeded))
    }
    _ = view.handle(.entries([ReportedEntry(job: name("backup"), entry: active)] + older), at: .epoch)
    #expect(view.entries(of: 1).first?.entry == t(-199_999))
    _ = view.handle(
      .entries([ReportedEntry(job: name("import"), entry: ended(2_400, 300, .failed))]), at: .epoch)
    let past = view.entries(of: 1).filter { $0.entry < t(3_000) }
    #expect(past.count == EntryList.entriesMax / 2)
    #expect(past.last?.outcome == .failed)
    #expect(view.entries(of: 0).first?.entry == t(-300_000))
  }

  @Test func theClockIsThatOfTheDaemon() {
    var view = view(at: 3_000)
    view.tick(to: 10)
    #expect(view.now == t(3_010))
    _ = view.handle(.snapshot(snapshot(at: 3_100, speed: 60)), at: t(20))
    view.tick(to: 21)
    #expect(view.now == t(3_160))
    _ = view.handle(.snapshot(snapshot(at: 3_200, speed: .paused)), at: t(30))
    view.tick(to: 40)
    #expect(view.now == t(3_200))
    #expect(!view.isMoving)
  }

  @Test func aLongAnswerIsReadPageByPage() {
    var view = view(at: 3_000)
    _ = view.handle(.answer(title: "output of backup", lines: (1...30).map { "line \($0)" }), at: .epoch)
    #expect(view.screen().contains("  line 1"))
    view.type(" ")
    #expect(!view.screen().contains("  line 1"))
    view.type(String(repeating: "{down}", count: 50))
    #expect(view.screen().contains("  line 30"))
    view.type("{esc}")
    #expect(view.panel == nil)
  }

  @Test func aDaemonThatIsGoneIsSaidUntilItIsBack() {
    var view = view(at: 3_000)
    _ = view.handle(.disconnected("control.sock: connection refused"), at: .epoch)
    #expect(view.screen().contains("control.sock: connection refused"))
    _ = view.handle(.snapshot(snapshot(at: 3_000)), at: .epoch)
    #expect(!view.screen().contains("control.sock: connection refused"))
  }
}
