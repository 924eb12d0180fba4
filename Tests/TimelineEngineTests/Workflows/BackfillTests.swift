import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

/// Runs that a backfill requests, beside the entries of the schedule.
@Suite struct `An entry of a backfill` {
  private let a = name("a")

  private func origin(_ second: Int64, _ backfill: Int64? = 7) -> RerunOrigin {
    RerunOrigin(of: t(second), number: 1, backfill: backfill)
  }

  /// An engine whose job has run its entries at 0 s and 10 s without a success, and waits for 20 s.
  private func engine(_ adjust: (inout JobPolicies) -> Void = { _ in }) -> EngineState {
    let jobs = [job("a", every(10), adjust), job("mail", .explicit(ExplicitSchedule()))]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    for second in [Int64(0), 10] {
      for start in handle(.wake, &engine, at: second).starts where start.entry.job == a {
        handle(.attemptEnded(start.run, failure), &engine, at: second + 1)
      }
    }
    return engine
  }

  /// Passes an event to the engine, and ends the runs of `mail` that it starts. Returns the effects of both.
  @discardableResult
  private func handle(_ event: EngineEvent, _ engine: inout EngineState, at second: Int64) -> [EngineEffect] {
    var effects = engine.handle(event, at: t(second))
    for start in effects.starts where start.entry.job == name("mail") {
      effects += engine.handle(.attemptEnded(start.run, success), at: t(second))
    }
    return effects
  }

  @Test(arguments: OverlapPolicy.allCases)
  func `lets entries of the schedule wait for its end, whatever their overlap policy`(
    _ overlap: OverlapPolicy
  ) {
    var engine = engine { $0.overlap = overlap }
    let start = engine.handle(.rerun(a, origin(0)), at: t(12)).starts
    #expect(start.map(\.cause) == [.backfill] && start.map(\.rerun) == [origin(0)])
    let due = engine.handle(.wake, at: t(20))
    #expect(due.settled.isEmpty, "it is not overlapped")
    #expect(
      !due.contains { if case .askToStop = $0 { true } else if case .kill = $0 { true } else { false } })
    #expect(due.starts.map(\.entry.nominal) == (overlap == .allowAll ? [t(20)] : []))
    let end = engine.handle(.attemptEnded(start[0].run, success), at: t(25))
    #expect(end.starts.map(\.entry.nominal) == (overlap == .allowAll ? [] : [t(20)]))
  }

  @Test func `lets one entry wait under skip, and the later ones are overlapped by this one`() {
    var engine = engine()
    let start = engine.handle(.rerun(a, origin(0)), at: t(12)).starts
    _ = engine.handle(.wake, at: t(20))
    #expect(engine.handle(.wake, at: t(30)).settled.map(\.reason) == ["another entry was already waiting"])
    let end = engine.handle(.attemptEnded(start[0].run, success), at: t(31))
    #expect(end.starts.map(\.entry.nominal) == [t(20)])
  }

  @Test(arguments: [OverlapPolicy.skip, .bufferOne, .cancelOther, .terminateOther])
  func `waits itself for an entry of the schedule, and comes after others that wait`(_ overlap: OverlapPolicy)
  {
    var engine = engine { $0.overlap = overlap }
    let live = engine.handle(.wake, at: t(20)).starts
    let request = engine.handle(.rerun(a, origin(0)), at: t(21))
    #expect(
      request.settled.isEmpty && request.starts.isEmpty, "it is neither dropped, nor does it stop the run")
    let later = engine.handle(.wake, at: t(30))
    let isStopped = later.contains {
      if case .askToStop = $0 { true } else if case .kill = $0 { true } else { false }
    }
    #expect(isStopped == (overlap == .cancelOther || overlap == .terminateOther))
    var end = engine.handle(.attemptEnded(live[0].run, success), at: t(31))
    if overlap != .skip {
      #expect(end.starts.map(\.entry.nominal) == [t(30)], "the entry of the schedule goes first")
      end = engine.handle(.attemptEnded(end.starts[0].run, success), at: t(32))
    }
    #expect(end.starts.map(\.cause) == [.backfill])
  }

  @Test func `has no reaction, opens no incident, is not the previous result, and is never overdue`() throws {
    var engine = engine {
      $0.reactions.onFailure = name("mail")
      $0.reactions.onStart = name("mail")
      $0.reactions.onLate = name("mail")
    }
    let before = engine.status(of: a, at: t(12))
    let start = try #require(handle(.rerun(a, origin(0)), &engine, at: 12).starts.first)
    #expect(!start.reportsCall)
    let end = handle(.attemptEnded(start.run, failure), &engine, at: 13)
    #expect(end.starts.isEmpty && end.settled.map(\.outcome) == [.failed])
    #expect(end.settled.first?.rerun == origin(0))
    let after = engine.status(of: a, at: t(13))
    #expect(after?.incidents == before?.incidents && after?.previous == before?.previous)
    #expect(after?.overdueEntry == nil)
  }

  @Test func `is reported with the whole backfill, once`() throws {
    var engine = engine { $0.reactions.onFailure = name("mail") }
    let start = try #require(handle(.rerun(a, origin(0)), &engine, at: 12).starts.first)
    var record = try #require(handle(.attemptEnded(start.run, failure), &engine, at: 13).settled.first)
    record.incident = IncidentReport(kind: .failure, phase: .opened, count: 4, since: t(12))
    let report = handle(.backfillsFailed([record]), &engine, at: 14).starts
    #expect(report.map(\.entry.job) == [name("mail")] && report.first?.upstream == record)
    var silent = self.engine()
    #expect(handle(.backfillsFailed([record]), &silent, at: 14).isEmpty, "no job reacts to failures")
  }

  @Test func `keeps its cause when a later daemon starts it again`() {
    var open = OpenRun(
      run: .number(5), entry: EntryKey(job: a, nominal: t(12)), cause: .backfill, attempts: 1,
      startedAt: t(12))
    open.rerun = origin(0)
    var next = EngineState(
      jobs: [job("a", every(10)) { $0.delivery = .atLeastOnce }], startedAt: t(15), watermarks: [a: t(10)],
      open: [open], lastRun: .number(5), claims: .grant)
    #expect(next.rerunRefusal(a, of: t(0), at: t(15)) == .active)
    let starts = next.handle(.wake, at: t(15)).starts
    #expect(starts.map(\.cause) == [.backfill] && starts.map(\.rerun) == [origin(0)])
    #expect(next.handle(.wake, at: t(20)).settled.isEmpty, "it still lets entries of the schedule wait")
  }
}
