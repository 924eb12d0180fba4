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
    speed: Speed = .normal, of jobs: [JobDefinition]? = nil
  ) -> DaemonSnapshot {
    let jobs = jobs ?? self.jobs
    let shown = jobs.map { definition in
      var job = ViewJob(name: definition.name, zone: .utc, schedule: "\(definition.schedule)")
      job.pause = paused.contains(job.name.text) ? "since 00:00" : nil
      job.next = definition.schedule.next(after: t(now))
      return job
    }
    let held = Dictionary(uniqueKeysWithValues: paused.map { (name($0), t(now)) })
    let plan = SimulationPlan(jobs: jobs)
    let future = DaemonSnapshot.Future(
      plan: plan, paused: held, simulation: plan.simulation(from: t(now), paused: held, active: active))
    return DaemonSnapshot(
      jobs: shown, now: t(now), speed: speed, zone: .utc, future: isSimulated ? future : nil,
      simulated: jobs.indices.map { isSimulated ? $0 : nil }, futureSource: "future: for a test")
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

  /// A view of `jobs` at 3,000 s that is 80 columns wide.
  private func view(of jobs: [JobDefinition]) -> TerminalView {
    var view = TerminalView(
      title: "control.sock", zone: .utc, now: t(3_000), base: .epoch, size: ScreenSize(width: 80, height: 12))
    _ = view.handle(.snapshot(snapshot(at: 3_000, of: jobs)), at: .epoch)
    view.show([])
    return view
  }

  /// Jobs with so many entries that the simulation does not get from the present to a distant window.
  private let dense = [
    job("daily", every(86_400, from: 600), lasts: 60), job("often", every(1), lasts: 1),
    job("counted", every(.milliseconds(500))),
  ]

  /// Rows: keys, and the window in which entries of all jobs are shown then.
  @Test(arguments: [
    ("g1970-02-01 00:10{enter}", 31), ("g1970-02-01 00:10{enter}<<>", 31), ("g1971-01-01 00:10{enter}", 365),
    ("g1971-01-01 00:10{enter}g1970-02-01 00:10{enter}", 31),
    ("g1970-02-01 00:10{enter}0g1970-01-02 00:10{enter}", 1),
  ])
  func `simulates the future of a distant window`(keys: String, day: Int64) {
    var view = view(of: dense)
    view.type(keys)
    view.tick()
    for _ in 0..<2 {
      let entry = day * 86_400 + 600
      #expect(view.entries(of: 0).contains { $0.entry == t(entry) && $0.outcome == .succeeded })
      #expect(view.entries(of: 1).contains { $0.entry == t(entry) })
      #expect(view.minutes(of: 2).contains { $0.minute == t(entry) })
      // The next report of the daemon does not empty the window.
      _ = view.handle(.snapshot(snapshot(at: 3_000, of: dense)), at: .epoch)
      view.tick()
    }
    view.type("0")
    view.tick()
    #expect(view.entries(of: 1).contains { $0.entry == t(3_001) })
  }

  /// Rows: keys, and the day in whose 600th second the selected entry is.
  @Test(arguments: [
    ("{right}", 1), ("{right}{right}", 2), ("{right}{right}{right}{left}", 2),
    ("{right}{right}{left}{left}", 1),
    ("g1970-03-01 12:00{enter}{right}", 60), ("g1970-03-01 12:00{enter}{left}", 59),
    ("g1970-03-01 12:00{enter}{left}{left}", 58), ("g1970-03-01 12:00{enter}{down}{up}{right}", 60),
    ("{right}g1970-03-01 12:00{enter}{right}", 60), (">>>>>>{right}", 1),
  ])
  func `selects entries that are not simulated yet by their schedule`(keys: String, day: Int64) {
    var view = view(of: dense)
    for key in TimelineTerminalTests.keys(keys) {
      _ = view.handle(.key(key), at: .epoch)
      view.tick()
    }
    #expect(view.selectedEntry?.entry == t(day * 86_400 + 600))
    #expect(view.selection?.entry == view.selectedEntry?.entry)
    view.type("{enter}")
    #expect(view.screen().joined().contains("daily at") && view.panel == .entry)
  }

  @Test func `names the next entry while a distant window is shown`() {
    var view = view(of: dense)
    view.type("g1970-03-01 12:00{enter}")
    view.tick()
    #expect(view.screen().joined().contains("next 1970-01-02 00:10"))
  }

  @Test func `shows the rest of the present minute of a counted job`() {
    var view = view(of: dense)
    view.type("iiiiii")
    view.tick(to: 30)
    let minute = view.minutes(of: 2).first
    #expect(minute?.minute == t(3_000) && minute?.entry == t(3_030))
    view.tick(to: 60)
    #expect(view.minutes(of: 2).first?.entry == t(3_060))
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
