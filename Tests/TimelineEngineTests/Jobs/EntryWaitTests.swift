import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// Waits of due entries, as a status shows them.
@Suite struct `What an entry waits for` {
  private func reasons(_ text: String, _ engine: EngineState, at second: Int64) -> [EntryWait.Reason] {
    engine.status(of: name(text), at: t(second))?.waits.map(\.reason) ?? []
  }

  @Test func `a group, and the runs that fill it`() {
    let jobs = [job("a", at(0)) { $0.groups = [group("g")] }, job("b", at(0)) { $0.groups = [group("g")] }]
    var engine = EngineState(jobs: jobs, groups: [group("g"): 1], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    let place = EntryWait.GroupPlace(name: group("g"), limit: 1, holders: [.number(1)])
    #expect(reasons("b", engine, at: 1) == [.groups([place])])
    #expect(engine.status(of: name("b"), at: t(1))?.waits.first?.since == t(0))
    #expect(reasons("a", engine, at: 1) == [])
  }

  @Test func `the previous run, which may itself wait for a plugin host`() {
    var engine = EngineState(
      jobs: [job("a", every(10)) { $0.overlap = .bufferAll }], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0)) + engine.handle(.attemptWaits(.number(1)), at: t(0))
    _ = engine.handle(.wake, at: t(10))
    #expect(reasons("a", engine, at: 11) == [.pluginHost, .previousRuns([.number(1)])])
    #expect(engine.status(of: name("a"), at: t(11))?.idleRuns == [.number(1)])
  }

  @Test func `its jitter, a pause, or the ledger`() {
    var late = job("late", at(0))
    late.timing.jitter = .hours(1)
    let jobs = [late, job("a", every(10)) { $0.overlap = .bufferAll }]
    var engine = EngineState(jobs: jobs, startedAt: t(0), seed: 7, claims: .grant)
    _ = engine.handle(.wake, at: t(0)) + engine.handle(.wake, at: t(10))
    let due = late.timing.start(of: late.name, seed: 7, nominal: t(0), next: nil)
    #expect(reasons("late", engine, at: 10) == [.jitter(until: due)])
    _ = engine.handle(.pause(name("a")), at: t(11))
    #expect(reasons("a", engine, at: 12) == [.pause(since: t(11))])

    var asking = EngineState(jobs: [job("a", at(0))], startedAt: t(0))
    _ = asking.handle(.wake, at: t(0))
    #expect(reasons("a", asking, at: 1) == [.ledger])
  }

  @Test func `of very many the first few are named`() {
    var engine = EngineState(
      jobs: [job("a", every(1)) { $0.overlap = .bufferAll }], startedAt: t(0), claims: .grant)
    for second in Int64(0)...50 { _ = engine.handle(.wake, at: t(second)) }
    #expect(reasons("a", engine, at: 50).count == EngineLimits.waitsShownMax)
    let last = engine.waits(of: name("a"), at: t(50)).last
    #expect(last?.nominal == t(50) && last?.reason == .previousRuns([.number(1)]))
  }
}
