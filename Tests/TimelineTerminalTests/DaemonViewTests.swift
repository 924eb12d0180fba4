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
      .snapshot(snapshot(at: now, paused: paused, active: active, isSimulated: isSimulated)), at: .epoch)
    let runs = running.flatMap { job, numbers in
      numbers.map { ReportedEntry(job: name(job), entry: open($0, entry: now - 100 + Int64($0))) }
    }
    view.show(runs)
    view.tick()
    return view
  }

  private func snapshot(
    at now: Int64, paused: Set<String> = [], active: [OpenRun] = [], isSimulated: Bool = true,
    speed: Speed = .normal
  ) -> DaemonSnapshot {
    let shown = jobs.map { definition in
      var job = ViewJob(name: definition.name, zone: .utc, schedule: "\(definition.schedule)")
      job.pause = paused.contains(job.name.text) ? "since 00:00" : nil
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

  /// An active run.
  private func open(_ run: UInt64, entry: Int64, start: Int64? = nil) -> ViewEntry {
    var open = ViewEntry(t(entry))
    (open.run, open.start) = (run, t(start ?? entry))
    return open
  }

  /// Entries of a job as `instant outcome`, up to an instant.
  private func entries(_ view: TerminalView, _ job: Int, until end: Int64 = 6_000) -> [String] {
    view.entries(of: job).filter { $0.entry < t(end) }.map { entry in
      "\(entry.entry.nanosecondsSinceEpoch / 1_000_000_000) \(entry.outcome?.rawValue ?? "-")"
    }
  }

  @Test func pastAndFutureAreOneRow() {
    var view = view(at: 3_000)
    view.show([
      ReportedEntry(job: name("backup"), entry: ended(600, 1_000, .failed)),
      ReportedEntry(job: name("import"), entry: ended(2_400, 300, .succeeded)),
      ReportedEntry(job: name("unknown"), entry: ended(2_400, 300, .succeeded)),
    ])
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
    var view = view(at: 4_300, active: [run])
    view.show([ReportedEntry(job: name("backup"), entry: open(7, entry: 4_200))])
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
    view.show([ReportedEntry(job: name("import"), entry: ended(2_400, 300, .failed))])
    view.type("/imp{enter}{left}")
    var changed = snapshot(at: 3_010)
    changed.jobs.reverse()
    changed.simulated.reverse()
    _ = view.handle(.snapshot(changed), at: t(10))
    #expect(view.selectedJob.map { view.jobs[$0].name.text } == "import")
    #expect(view.selectedEntry?.entry == t(2_400))
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
    var waits = open(9, entry: 2_900)
    waits.start = nil
    view.show([
      ReportedEntry(job: name("backup"), entry: waits),
      ReportedEntry(job: name("backup"), entry: ended(2_800, 10, .succeeded)),
      ReportedEntry(job: name("backup"), entry: open(7, entry: 2_950)),
    ])
    #expect(view.type("cy") == [.cancel(name("backup"), runs: [7, 9])])
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
