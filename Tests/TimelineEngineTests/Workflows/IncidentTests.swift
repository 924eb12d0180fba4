import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

@Suite struct `A reaction to incidents` {
  private let a = name("a")
  private let told = name("told")
  private let well = name("well")

  private func jobs(_ policy: IncidentPolicy?, missed: IncidentPolicy? = nil) -> [JobDefinition] {
    let watched = job("a", every(10)) {
      $0.reactions = Reactions(
        onFailure: told, onMissed: told, onRecovery: well, failureIncidents: policy, missedIncidents: missed)
    }
    return [watched, job("told", at()), job("well", at())]
  }

  /// Runs entries of `a` with the given results from a second on, and all reactions. Returns the reactions, each with its second.
  private func run(
    _ results: String, from start: Int64, _ engine: inout EngineState, _ notes: inout [IncidentNote]
  ) -> [String] {
    var reports: [String] = []
    func look(_ effects: [EngineEffect], _ second: Int64) {
      for case .noteIncidents(let changed) in effects {
        for note in changed {
          notes.removeAll { $0.job == note.job && $0.kind == note.kind }
          if note.incident != nil { notes.append(note) }
        }
      }
      for attempt in effects.starts where attempt.cause == .reaction {
        let report = attempt.upstream?.incident
        let words = report.map { "\($0.kind.rawValue) \($0.phase.rawValue) \($0.count)" } ?? "entry"
        reports.append("\(second) \(attempt.entry.job): \(words)")
        look(engine.handle(.attemptEnded(attempt.run, success), at: t(second)), second)
      }
    }
    for (index, result) in results.enumerated() {
      let second = start + Int64(index) * 10
      let effects = engine.handle(.wake, at: t(second))
      look(effects, second)
      guard let run = effects.starts.first(where: { $0.entry.job == a })?.run, result != "-" else { continue }
      look(
        engine.handle(.attemptEnded(run, result == "f" ? failure : success), at: t(second + 1)), second + 1)
    }
    return reports
  }

  private func engine(
    _ jobs: [JobDefinition], at start: Int64 = 0, _ notes: [IncidentNote] = [], failing: Set<JobName> = []
  ) -> EngineState {
    EngineState(
      jobs: jobs, startedAt: t(start), watermarks: [a: t(start - 10)], failing: failing, incidents: notes,
      claims: .grant)
  }

  @Test func `runs once when an incident opens, and once when it is over`() {
    var (engine, notes) = (engine(jobs(IncidentPolicy(after: 3))), [IncidentNote]())
    #expect(
      run("ffffsffsff", from: 0, &engine, &notes)
        == ["21 told: failure opened 3", "41 well: failure recovered 4"])
  }

  @Test func `runs for each failure and each recovery where there is no policy`() {
    var (engine, notes) = (engine(jobs(nil)), [IncidentNote]())
    #expect(run("ffs", from: 0, &engine, &notes) == ["1 told: entry", "11 told: entry", "21 well: entry"])
    #expect(notes.isEmpty)
  }

  @Test func `reminds at its time, without another failure`() {
    var engine = engine(jobs(IncidentPolicy(remind: .seconds(4))))
    let run = engine.handle(.wake, at: t(0)).starts[0].run
    let opened = engine.handle(.attemptEnded(run, failure), at: t(1))
    _ = engine.handle(.attemptEnded(opened.starts[0].run, success), at: t(1))
    #expect(opened.contains(.arm(t(5))))
    let reminder = engine.handle(.wake, at: t(5))
    #expect(reminder.starts.map(\.upstream?.incident?.phase) == [.reminder])
    #expect(reminder.starts.map(\.upstream?.entry) == [EntryKey(job: a, nominal: t(0))])
    // Reminders that are late are one reminder.
    _ = engine.handle(.attemptEnded(reminder.starts[0].run, success), at: t(5))
    _ = engine.handle(.pause(a), at: t(6))
    #expect(engine.handle(.wake, at: t(9)).starts.isEmpty, "a paused job has no reminders")
    _ = engine.handle(.resume(a, catchUp: .skip), at: t(10))
    #expect(engine.handle(.wake, at: t(13)).starts.map(\.upstream?.incident?.phase) == [.reminder])
  }

  @Test func `goes on after a restart, and begins anew when its policy changes`() {
    let policy = IncidentPolicy(after: 3, remind: .hours(1))
    var (first, notes) = (engine(jobs(policy)), [IncidentNote]())
    #expect(run("ff", from: 0, &first, &notes).isEmpty)
    var second = engine(jobs(policy), at: 20, notes, failing: [a])
    #expect(run("f", from: 20, &second, &notes) == ["21 told: failure opened 3"])
    // The reminder counts from the report, and the restart causes no second one.
    var third = engine(jobs(policy), at: 30, notes, failing: [a])
    #expect(third.handle(.wake, at: t(30)).starts.count == 1)
    #expect(third.nextDeadline.map { $0 <= t(3_621) } ?? false)
    var other = engine(jobs(IncidentPolicy(after: 2)), at: 30, notes, failing: [a])
    #expect(run("fsff", from: 30, &other, &notes) == ["61 told: failure opened 2"])
  }

  @Test func `outlives a reload that keeps the policy, and is dropped by one that changes it`() {
    for (changed, last) in [(false, ["21 told: failure opened 3"]), (true, [])] {
      let policy = IncidentPolicy(after: 3)
      var (engine, notes) = (engine(jobs(policy)), [IncidentNote]())
      _ = run("ff", from: 0, &engine, &notes)
      #expect(notes.count == 1)
      var next = jobs(changed ? IncidentPolicy(after: 3, remind: .hours(1)) : policy)
      next[0].policies.timeout = .hours(1)
      next.swapAt(0, 2)
      for case .noteIncidents(let dropped) in engine.handle(.reload(next), at: t(12)) {
        #expect(changed && dropped.map(\.incident) == [nil])
      }
      #expect(run("f", from: 20, &engine, &notes) == last)
    }
  }

  @Test func `has no reminders without a reaction to failures`() {
    let watched = job("a", at(0)) {
      $0.reactions = Reactions(onRecovery: well, failureIncidents: IncidentPolicy(remind: .seconds(1)))
    }
    var engine = EngineState(jobs: [watched, job("well", at())], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    #expect(!engine.handle(.attemptEnded(.number(1), failure), at: t(1)).contains(.arm(t(2))))
    #expect(engine.handle(.wake, at: t(100)).starts.isEmpty)
  }

  @Test func `counts missed entries separately`() {
    var notes: [IncidentNote] = []
    var engine = engine(jobs(IncidentPolicy(after: 2), missed: IncidentPolicy(after: 2)))
    #expect(run("f", from: 0, &engine, &notes).isEmpty)
    // Four entries have passed: the last is run.
    let effects = engine.handle(.wake, at: t(45))
    let reports = effects.starts.compactMap { $0.upstream?.incident }
    #expect(reports == [IncidentReport(kind: .missed, phase: .opened, count: 3, since: t(45))])
    let run = effects.starts.first { $0.entry.job == a }?.run ?? .number(0)
    let end = engine.handle(.attemptEnded(run, success), at: t(46))
    #expect(end.starts.map(\.entry.job) == [well])
    #expect(end.starts.map { $0.upstream?.incident?.kind } == [.missed])
  }

  @Test func `reminds after its time when the clock was set back, and not a day late`() {
    var engine = engine(jobs(IncidentPolicy(remind: .seconds(1_000))), at: 100_000)
    let run = engine.handle(.wake, at: t(100_000)).starts[0].run
    let opened = engine.handle(.attemptEnded(run, failure), at: t(100_001))
    _ = engine.handle(.attemptEnded(opened.starts[0].run, success), at: t(100_001))
    _ = engine.handle(.clockStepped(by: .seconds(-90_000), decided: [:]), at: t(10_002))
    let reported = engine.handle(.wake, at: t(11_002)).compactMap { effect in
      if case .noteIncidents(let notes) = effect { notes.first?.incident?.toldAt } else { nil }
    }
    #expect(reported == [t(11_002)])
  }
}
