import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `A reaction to late entries` {
  private let a = name("a")
  private let told = name("told")
  private let well = name("well")

  /// `a` runs each 100 s and waits for the group that `blocker` holds from the start.
  private func jobs(_ policy: IncidentPolicy = IncidentPolicy(), late: Bool = true) -> [JobDefinition] {
    let blocker = job("blocker", at(0)) { $0.groups = [group("g")] }
    let watched = job("a", every(100)) {
      ($0.groups, $0.overlap) = ([group("g")], .bufferAll)
      $0.reactions = Reactions(
        onRecovery: well, onLate: late ? told : nil, lateIncidents: policy)
    }
    return [blocker, watched, job("told", at()), job("well", at())]
  }

  private func engine(_ jobs: [JobDefinition], at start: Int64 = 0, _ notes: [IncidentNote] = [])
    -> EngineState
  {
    EngineState(
      jobs: jobs, groups: [group("g"): 1], startedAt: t(start), incidents: notes, claims: .grant)
  }

  /// Wakes the engine each second, and ends reactions at once; returns all effects.
  private func follow(_ engine: inout EngineState, _ seconds: ClosedRange<Int64>) -> [EngineEffect] {
    seconds.flatMap { second in
      let effects = engine.handle(.wake, at: t(second))
      return effects
        + effects.starts.filter { $0.cause == .reaction }.flatMap {
          engine.handle(.attemptEnded($0.run, success), at: t(second))
        }
    }
  }

  private func reports(_ effects: [EngineEffect]) -> [String] {
    effects.starts.filter { $0.cause == .reaction }.map { attempt in
      let report = attempt.upstream?.incident
      let state = attempt.upstream?.stateText ?? "?"
      return "\(attempt.entry.job): \(report?.phase.rawValue ?? "?") \(report?.count ?? 0) \(state)"
    }
  }

  private func notes(_ effects: [EngineEffect]) -> [IncidentNote] {
    for case .noteIncidents(let notes) in effects.reversed() { return notes }
    return []
  }

  @Test func `comes when the entry becomes overdue, and not before`() {
    var engine = engine(jobs())
    let before = follow(&engine, 0...99)
    #expect(reports(before).isEmpty && engine.status(of: a, at: t(99))?.overdueEntry == nil)
    // The metric has the same instant.
    let late = follow(&engine, 100...100)
    #expect(reports(late) == ["told: opened 1 waiting"])
    #expect(engine.status(of: a, at: t(100))?.overdueEntry == t(0))
    #expect(late.starts.first?.upstream?.entry == EntryKey(job: a, nominal: t(0)))
  }

  @Test func `comes once for an incident, which the first entry in time ends`() throws {
    var engine = engine(jobs())
    let effects = follow(&engine, 0...250)
    #expect(reports(effects) == ["told: opened 1 waiting"], "the entry of 100 is late at 200")
    #expect(notes(effects).first?.incident?.count == 2)
    // Now the three waiting entries run one after the other, two of them late.
    var ended = engine.handle(.attemptEnded(.number(1), success), at: t(251))
    for second in [252, 253, 254] as [Int64] {
      let run = try #require(ended.starts.first { $0.entry.job == a })
      ended = engine.handle(.attemptEnded(run.run, success), at: t(second))
      let isInTime = run.entry.nominal == t(200)
      #expect(reports(ended) == (isInTime ? ["well: recovered 2 succeeded"] : []), "\(second)")
    }
  }

  @Test func `counts and reminds by its policy, and then reports how the late entry ended`() throws {
    var engine = engine(jobs(IncidentPolicy(after: 2, remind: .seconds(70))))
    #expect(reports(follow(&engine, 0...260)) == ["told: opened 2 waiting"])
    let first = engine.handle(.attemptEnded(.number(1), success), at: t(261)).starts.map(\.run)
    let second = engine.handle(.attemptEnded(first[0], success), at: t(262))
    let last = try #require(second.starts.first { $0.entry.job == a })
    #expect(last.entry.nominal == t(100))
    _ = engine.handle(.attemptEnded(last.run, failure), at: t(263))
    #expect(reports(engine.handle(.wake, at: t(270))) == ["told: reminder 2 failed"])
  }

  @Test func `goes on after a restart, and reports no entry twice`() {
    var first = engine(jobs())
    let notes = notes(follow(&first, 0...150))
    #expect(notes.map(\.incident?.last.entry.nominal) == [t(0)])
    let running = OpenRun(
      run: .number(1), entry: EntryKey(job: name("blocker"), nominal: t(0)), cause: .schedule, attempts: 1,
      startedAt: t(0), isAlive: true)
    var waiting = OpenRun(
      run: .number(0), entry: EntryKey(job: a, nominal: t(0)), cause: .schedule, attempts: 0,
      startedAt: t(0))
    waiting.hasWaited = true
    var second = EngineState(
      jobs: jobs(), groups: [group("g"): 1], startedAt: t(160),
      watermarks: [a: t(0), name("blocker"): t(0)], open: [running, waiting], incidents: notes,
      lastRun: .number(9), claims: .grant)
    #expect(reports(follow(&second, 160...199)).isEmpty)
    #expect(second.status(of: a, at: t(199))?.overdueEntry == t(0))
    let later = follow(&second, 200...200)
    #expect(reports(later).isEmpty && self.notes(later).first?.incident?.count == 2)
  }

  @Test func `does not come while the job is paused, and comes when it is resumed`() {
    var engine = engine(jobs())
    _ = engine.handle(.wake, at: t(0)) + engine.handle(.pause(a), at: t(50))
    #expect(reports(follow(&engine, 51...500)).isEmpty)
    let resumed = engine.handle(.resume(a, catchUp: .latest), at: t(560))
    #expect(reports(resumed).isEmpty, "the entry of 500 is 60 s old")
    #expect(reports(engine.handle(.wake, at: t(600))) == ["told: opened 1 waiting"])
  }

  @Test func `follows a reload that adds or removes it`() {
    for late in [true, false] {
      var engine = engine(jobs(late: !late))
      _ = engine.handle(.wake, at: t(0)) + engine.handle(.wake, at: t(70))
      let changed = engine.handle(.reload(jobs(late: late), groups: [group("g"): 1]), at: t(80))
      #expect(reports(changed + engine.handle(.wake, at: t(100))).count == (late ? 1 : 0))
    }
  }

  @Test func `comes for an entry that waits for a plugin host or for the ledger`() {
    let watched = job("a", at(0)) { $0.reactions = Reactions(onLate: told) }
    var hostless = EngineState(jobs: [watched, job("told", at())], startedAt: t(0), claims: .grant)
    _ = hostless.handle(.wake, at: t(0))
    #expect(hostless.handle(.attemptWaits(.number(1)), at: t(0)).contains(.arm(t(3_600))))
    #expect(reports(hostless.handle(.wake, at: t(3_599))).isEmpty)
    #expect(reports(hostless.handle(.wake, at: t(3_600))) == ["told: opened 1 waiting"])

    var asking = EngineState(jobs: [watched, job("told", at())], startedAt: t(0))
    _ = asking.handle(.wake, at: t(0)) + asking.handle(.wake, at: t(3_600))
    let reaction = EntryKey(job: told, nominal: t(3_600))
    #expect(asking.isAskingForItsOwn(reaction))
  }

  @Test func `does not come for a reaction, so that there are no loops`() {
    let watched = job("a", at(0)) { $0.reactions = Reactions(onSuccess: told) }
    let listener = job("told", at()) { $0.reactions = Reactions(onLate: a) }
    var engine = EngineState(jobs: [watched, listener], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    let reaction = engine.handle(.attemptEnded(.number(1), success), at: t(1)).starts.map(\.run)
    #expect(reaction == [.number(2)])
    let waits = engine.handle(.attemptWaits(.number(2)), at: t(1))
    #expect(!waits.contains { if case .arm(.some) = $0 { true } else { false } })
  }
}
