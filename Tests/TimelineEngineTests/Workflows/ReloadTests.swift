import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

@Suite struct `A reload` {
  private func running(_ jobs: [JobDefinition], at instant: WallInstant) -> EngineState {
    var engine = EngineState(jobs: jobs, startedAt: instant, claims: .grant)
    _ = engine.handle(.wake, at: instant)
    return engine
  }

  @Test func `leaves unchanged jobs alone, and keeps the phase of a loop`() {
    let jobs = [job("a", every(10)), job("l", loop(.seconds(7)))]
    var engine = running(jobs, at: t(0))
    _ = engine.handle(.attemptEnded(RunID(number: 1), success), at: t(1))
    _ = engine.handle(.attemptEnded(RunID(number: 2), success), at: t(1))
    let before = engine.statuses(at: t(3))
    // Only the order changes, and a job comes in.
    #expect(engine.handle(.reload([jobs[1], jobs[0], job("n", every(100))]), at: t(3)) == [])
    #expect(engine.statuses(at: t(3)).prefix(2) == [before[1], before[0]])
    #expect(before.map(\.next) == [t(10), t(7)])
  }

  @Test func `keeps the run of a changed job and plans its next entry from now`() {
    var engine = running([job("a", every(10), lasts: 20)], at: t(0))
    var changed = job("a", every(4))
    changed.revision = 2
    #expect(engine.handle(.reload([changed]), at: t(5)) == [.arm(t(8))])
    #expect(engine.status(of: name("a"), at: t(5))?.runs == [RunID(number: 1)])
    let ended = engine.handle(.attemptEnded(RunID(number: 1), success), at: t(6))
    #expect(ended.settled.map(\.entry.nominal) == [t(0)])
    #expect(engine.handle(.wake, at: t(8)).starts.map(\.entry.nominal) == [t(8)])
  }

  @Test func `starts nothing twice and adds no entry before now`() {
    var engine = running([job("a", every(10))], at: t(0))
    _ = engine.handle(.attemptEnded(RunID(number: 1), success), at: t(0))
    // The entry of 10 is due at this very instant and runs by the old rules.
    let reload = engine.handle(.reload([job("a", every(5))]), at: t(10))
    #expect(reload.starts.map(\.entry.nominal) == [t(10)])
    #expect(reload.arm == t(15))
    // An entry that the new rules have at this very instant is due.
    _ = engine.handle(.attemptEnded(RunID(number: 2), success), at: t(11))
    #expect(engine.handle(.reload([job("a", every(4))]), at: t(12)).starts.map(\.entry.nominal) == [t(12)])
  }

  @Test func `lets the run of a removed job end, and finds it again when the job comes back`() {
    let a = job("a", every(10), lasts: 30)
    var engine = running([a, job("b", every(60))], at: t(0))
    _ = engine.handle(.reload([job("b", every(60))]), at: t(2))
    #expect(engine.status(of: name("a"), at: t(2)) == nil)
    #expect(engine.runCount == 2)
    _ = engine.handle(.reload([job("b", every(60)), a]), at: t(3))
    #expect(engine.status(of: name("a"), at: t(3))?.runs == [RunID(number: 1)])
    #expect(engine.handle(.wake, at: t(10)).settled.map(\.outcome) == [.overlapped])
    _ = engine.handle(.reload([]), at: t(11))
    let ended = engine.handle(.attemptEnded(RunID(number: 1), success), at: t(30))
    #expect(ended.settled.map(\.entry) == [EntryKey(job: name("a"), nominal: t(0))])
    #expect(engine.nextDeadline == nil)
  }

  @Test func `settles entries that wait for the ledger if the new schedule needs no claims`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(0), claims: .ask)
    _ = engine.handle(.wake, at: t(0))
    _ = engine.handle(.trigger(name("a")), at: t(1))
    let reload = engine.handle(.reload([job("a", every(.milliseconds(300)))]), at: t(2))
    #expect(reload.settled.map(\.entry.nominal) == [t(0)])
    #expect(reload.settled.map(\.outcome) == [.missed])
    // The manual trigger is not affected.
    let answers = [t(0), t(1)].map {
      ClaimAnswer(entry: EntryKey(job: name("a"), nominal: $0), verdict: .granted)
    }
    #expect(engine.handle(.claimsAnswered(answers), at: t(2)).starts.map(\.entry.nominal) == [t(1)])
  }

  @Test func `leaves the time before it to the former schedule, for later daemons too`() {
    var engine = EngineState(jobs: [job("a", every(1_000))], startedAt: t(5), claims: .ask)
    _ = engine.handle(.wake, at: t(5))
    let effects = engine.handle(.reload([job("a", every(10))]), at: t(25))
    let watermarks = effects.flatMap { effect -> [Watermark] in
      if case .noteWatermarks(let watermarks) = effect { watermarks } else { [] }
    }
    #expect(watermarks.map(\.decided) == [t(25) - .nanoseconds(1)])
    #expect(effects.arm == t(30))
  }

  @Test func `leaves entries that fall due during a leave to the next daemon`() {
    var engine = EngineState(jobs: [job("a", every(10), lasts: 30)], startedAt: t(5), claims: .ask)
    _ = engine.handle(.wake, at: t(5))
    _ = engine.handle(.leave, at: t(15))
    let effects = engine.handle(.reload([job("a", every(7))]), at: t(25))
    #expect(!effects.contains { if case .noteWatermarks = $0 { true } else { false } }, "\(effects)")
  }

  @Test func `ends the run of a removed job with the reason that it was not tried again`() {
    let jobs = [
      job("a", every(60)) {
        $0.retry = RetryPolicy(attempts: 3, backoffFrom: .seconds(9), backoffTo: .seconds(9))
      },
      job("b", every(60)),
    ]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    let run = engine.handle(.wake, at: t(0)).starts[0].run
    var failure = passingFailure
    failure.message = "exit status 7"
    _ = engine.handle(.attemptEnded(run, failure), at: t(1))
    let end = engine.handle(.reload([jobs[1]]), at: t(2)).settled
    #expect(end.map(\.reason) == ["exit status 7; it was not tried again: the job was removed"])
    #expect(end.map(\.attempts) == [1])
  }

  @Test func `settles the waiting entries of a removed job`() {
    var engine = running([job("a", every(10), lasts: 30) { $0.overlap = .bufferAll }], at: t(0))
    _ = engine.handle(.wake, at: t(10))
    _ = engine.handle(.wake, at: t(20))
    #expect(engine.handle(.reload([]), at: t(21)).settled.map(\.entry.nominal) == [t(10), t(20)])
  }

  @Test func `takes over new priorities`() {
    var engine = running([job("a", every(10)), job("b", every(10))], at: t(1))
    _ = engine.handle(.reload([job("a", every(10)), job("b", every(10)) { $0.priority = 1 }]), at: t(2))
    #expect(engine.handle(.wake, at: t(10)).starts.map(\.entry.job.text) == ["b", "a"])
  }

  @Test func `keeps the timeout of a run whose job has moved`() {
    let timed = job("a", at(0)) { $0.timeout = .seconds(5) }
    var engine = running([timed, job("b", at(100))], at: t(0))
    _ = engine.handle(.reload([job("b", at(100)), job("c", at(200)), timed]), at: t(1))
    #expect(engine.handle(.wake, at: t(5)).first == .askToStop(RunID(number: 1), .timeout))
  }
}

@Suite struct `A reload that changes the timeout of an active run` {
  private func timed(_ timeout: ElapsedTime?) -> JobDefinition {
    job("a", at(0)) {
      $0.timeout = timeout
      $0.grace = .seconds(5)
    }
  }

  private func running(_ timeout: ElapsedTime?) -> EngineState {
    var engine = EngineState(jobs: [timed(timeout)], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    _ = engine.handle(.attemptBegan(.number(1), late: .seconds(1)), at: t(1))
    return engine
  }

  @Test(arguments: [ElapsedTime.seconds(6), nil])
  func `lets the new one count from the start of the attempt`(former: ElapsedTime?) {
    var engine = running(former)
    #expect(engine.handle(.reload([timed(.seconds(20))]), at: t(3)) == [.arm(t(21))])
    #expect(engine.timeoutInstant(of: .number(1)) == t(21))
    #expect(engine.handle(.wake, at: t(7)) == [])
    #expect(engine.handle(.wake, at: t(21)).first == .askToStop(.number(1), .timeout))
    let ended = engine.handle(.attemptEnded(.number(1), success), at: t(22))
    #expect(ended.settled.map(\.reason) == ["ran longer than its timeout of 20s"])
  }

  @Test func `stops a run past the new timeout at once, and no run without a timeout`() {
    var short = running(.seconds(60))
    #expect(short.handle(.reload([timed(.seconds(5))]), at: t(30)).first == .askToStop(.number(1), .timeout))
    var none = running(.seconds(6))
    #expect(none.handle(.reload([timed(nil)]), at: t(3)) == [.arm(nil)])
    #expect(none.timeoutInstant(of: .number(1)) == nil)
  }

  @Test func `keeps the reason and the grace of a run that has been asked to stop`() {
    var engine = running(.seconds(6))
    #expect(engine.handle(.wake, at: t(7)).first == .askToStop(.number(1), .timeout))
    #expect(engine.handle(.reload([timed(.hours(1))]), at: t(8)) == [])
    #expect(engine.handle(.wake, at: t(12)).first == .kill(.number(1), .timeout))
    let ended = engine.handle(.attemptEnded(.number(1), success), at: t(13))
    #expect(ended.settled.map(\.reason) == ["ran longer than its timeout of 6s"])
  }

  @Test func `moves with a clock that was set`() {
    var engine = running(nil)
    _ = engine.handle(.clockStepped(by: .hours(1)), at: t(3_602))
    #expect(engine.handle(.reload([timed(.seconds(20))]), at: t(3_603)) == [.arm(t(3_621))])
  }
}

@Suite struct `The positions of jobs` {
  private func places(_ effects: [EngineEffect]) -> [String: Int?] {
    Dictionary(uniqueKeysWithValues: effects.starts.map { ($0.entry.job.text, $0.entry.jobSlot.index) })
  }

  @Test func `are those of the configuration that is in force`() {
    let jobs = [job("a", every(10)), job("b", every(10)), job("c", every(10), lasts: 100)]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    #expect(places(engine.handle(.wake, at: t(0))) == ["a": 0, "b": 1, "c": 2])
    _ = engine.handle(.reload([jobs[1], jobs[0]]), at: t(1))
    // The run of the removed job goes on, and the job is placed after the configured ones.
    let ended = engine.handle(.attemptEnded(.number(3), AttemptResult(status: .succeeded)), at: t(2))
    #expect(ended.settled.map(\.entry.jobSlot.index) == [2])
    for run in 1...2 {
      _ = engine.handle(.attemptEnded(.number(UInt64(run)), AttemptResult(status: .succeeded)), at: t(2))
    }
    #expect(places(engine.handle(.wake, at: t(10))) == ["b": 0, "a": 1])
  }

  @Test func `are a cache, and an outdated one does not lead to a wrong job`() {
    let jobs = [job("a", at(10)), job("b", at(10))]
    var engine = EngineState(jobs: jobs, startedAt: t(0))
    let claims = engine.handle(.wake, at: t(0)).claims
    _ = engine.handle(.reload([jobs[1], jobs[0]]), at: t(1))
    let answers = claims.filter { $0.job == name("a") }.map { ClaimAnswer(entry: $0, verdict: .granted) }
    _ = engine.handle(.claimsAnswered(answers), at: t(2))
    #expect(engine.handle(.wake, at: t(10)).starts.map(\.entry.job.text) == ["a"])
    #expect(claims.first == EntryKey(job: name("a"), nominal: t(10)), "a place is no part of what a key says")
  }
}

@Suite struct `A clock step` {
  private let hour = ElapsedTime.hours(1)

  @Test func `forwards comes under the missed policy`() {
    let jobs = [job("a", every(30)), job("w", every(30)) { $0.missed = MissedPolicy(window: .seconds(5)) }]
    var engine = EngineState(jobs: jobs, startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    let effects = engine.handle(.clockStepped(by: hour), at: t(3_610))
    #expect(effects.starts.map(\.entry) == [EntryKey(job: name("a"), nominal: t(3_600))])
    #expect(effects.starts.map(\.entryCount) == [120])
    #expect(effects.starts.map(\.cause) == [.missed])
    #expect(effects.settled.map(\.entryCount) == [119, 119, 1])
    #expect(effects.arm == t(3_630))
  }

  @Test func `backwards by little starts nothing again and goes on at once`() throws {
    var engine = EngineState(jobs: [job("a", every(30))], startedAt: t(3_600), claims: .grant)
    _ = engine.handle(.wake, at: t(3_600))
    _ = engine.handle(.attemptEnded(RunID(number: 1), success), at: t(3_600))
    #expect(engine.handle(.clockStepped(by: .seconds(-50)), at: t(3_550)).starts.isEmpty)
    let status = try #require(engine.status(of: name("a"), at: t(3_550)))
    #expect(status.settledThrough == nil && status.next == t(3_570))
    #expect(engine.handle(.wake, at: t(3_570)).starts.map(\.entry.nominal) == [t(3_570)])
    _ = engine.handle(.attemptEnded(RunID(number: 2), success), at: t(3_570))
    #expect(engine.status(of: name("a"), at: t(3_571))?.next == t(3_630))
    #expect(engine.handle(.wake, at: t(3_600)).starts.isEmpty)
    #expect(engine.handle(.wake, at: t(3_630)).starts.map(\.entry.nominal) == [t(3_630)])
    #expect(engine.status(of: name("a"), at: t(3_630))?.settledThrough == nil)
  }

  @Test func `backwards repeats undecided entries`() {
    // A machine that starts with a wrong clock has decided nothing yet when the right time comes.
    var engine = EngineState(jobs: [job("a", every(30))], startedAt: t(3_601), claims: .grant)
    #expect(engine.handle(.wake, at: t(3_601)).arm == t(3_630))
    #expect(engine.handle(.clockStepped(by: .zero - hour), at: t(11)).arm == t(30))
  }

  @Test(arguments: [3_600, -3_600]) func `moves timeouts and loops with it`(_ seconds: Int64) {
    let jobs = [job("a", at(100_000)) { $0.timeout = .seconds(10) }, job("l", loop(.seconds(20)))]
    var engine = EngineState(jobs: jobs, startedAt: t(100_000), claims: .grant)
    _ = engine.handle(.wake, at: t(100_000))
    _ = engine.handle(.attemptEnded(RunID(number: 2), success), at: t(100_001))
    let stepped = engine.handle(.clockStepped(by: .seconds(seconds)), at: t(100_002 + seconds))
    #expect(stepped == [.arm(t(100_010 + seconds))])
    #expect(engine.handle(.wake, at: t(100_010 + seconds)).first == .askToStop(RunID(number: 1), .timeout))
    #expect(engine.status(of: name("l"), at: t(0))?.next == t(100_020 + seconds))
  }

  @Test func `of unknown length backwards delays timeouts and loops by their own length at most`() {
    let jobs = [job("a", at(100_000)) { $0.timeout = .seconds(10) }, job("l", loop(.seconds(20)))]
    var engine = EngineState(jobs: jobs, startedAt: t(100_000), claims: .grant)
    _ = engine.handle(.wake, at: t(100_000))
    _ = engine.handle(.attemptEnded(RunID(number: 2), success), at: t(100_001))
    #expect(engine.handle(.clockStepped(by: .zero), at: t(50)) == [.arm(t(60))])
    #expect(engine.status(of: name("l"), at: t(50))?.next == t(70))
  }
}
