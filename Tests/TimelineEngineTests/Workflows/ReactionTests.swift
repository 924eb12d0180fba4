import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `A reaction` {
  private let told = name("told")

  private func watched(_ schedule: ScheduleRule = every(10), _ adjust: (inout JobPolicies) -> Void = { _ in })
    -> JobDefinition
  {
    job("a", schedule) {
      $0.reactions = Reactions(onFailure: told, onMissed: told, onRecovery: told)
      adjust(&$0)
    }
  }

  private func engine(_ a: JobDefinition, _ listener: JobDefinition? = nil, at start: Int64 = 0)
    -> EngineState
  {
    var engine = EngineState(
      jobs: [a, listener ?? job("told", at())], startedAt: t(start), claims: .grant)
    _ = engine.handle(.wake, at: t(start))
    return engine
  }

  @Test func `a failure causes it, with its record as the upstream`() throws {
    var engine = engine(watched())
    let effects = engine.handle(.attemptEnded(.number(1), failure), at: t(3))
    let reaction = try #require(effects.starts.first)
    #expect(reaction.entry == EntryKey(job: told, nominal: t(3)))
    #expect(reaction.cause == .reaction)
    #expect(reaction.upstream == effects.settled.first)
    #expect(reaction.upstream?.outcome == .failed)
  }

  @Test func `the first success after a failure causes it, and no other success`() {
    var engine = engine(watched())
    var told: [Outcome?] = []
    for (run, outcome) in [(1, success), (2, failure), (4, failure), (6, success), (8, success)] {
      let second = Int64(told.count) * 10
      _ = engine.handle(.wake, at: t(second))
      let started = engine.handle(.attemptEnded(.number(UInt64(run)), outcome), at: t(second + 1)).starts
      for reaction in started { _ = engine.handle(.attemptEnded(reaction.run, success), at: t(second + 2)) }
      told.append(started.first?.upstream?.outcome)
    }
    #expect(told == [nil, .failed, .failed, .succeeded, nil])
  }

  @Test func `each success causes it, and each run that has written something`() {
    let a = job("a", every(10)) { $0.reactions = Reactions(onSuccess: name("told"), onOutput: name("mail")) }
    var engine = EngineState(
      jobs: [a, job("told", at()), job("mail", at())], startedAt: t(0), claims: .grant)
    var told: [[String]] = []
    for (second, result, isLoud) in [(0, success, false), (10, failure, true), (20, success, true)] {
      let run = engine.handle(.wake, at: t(Int64(second))).starts.first { $0.entry.job == name("a") }
      var result = result
      result.hasOutput = isLoud
      let reactions = run.map {
        engine.handle(.attemptEnded($0.run, result), at: t(Int64(second) + 1)).starts
      }
      told.append((reactions ?? []).map(\.entry.job.text))
      for reaction in reactions ?? [] {
        _ = engine.handle(.attemptEnded(reaction.run, success), at: t(Int64(second) + 2))
      }
    }
    #expect(told == [["told"], ["mail"], ["told", "mail"]])
  }

  @Test func `output of an earlier attempt counts`() {
    let a = job("a", at(0)) {
      $0.reactions = Reactions(onOutput: name("told"))
      $0.retry = RetryPolicy(attempts: 2, backoffFrom: .seconds(4), backoffTo: .seconds(4), jitterPercent: 0)
    }
    var engine = engine(a)
    var result = passingFailure
    result.hasOutput = true
    #expect(engine.handle(.attemptEnded(.number(1), result), at: t(1)).starts.isEmpty)
    _ = engine.handle(.wake, at: t(5))
    let end = engine.handle(.attemptEnded(.number(1), success), at: t(6))
    #expect(end.starts.map(\.upstream?.outcome) == [.succeeded])
  }

  @Test func `a recovery is detected after a restart`() {
    var engine = EngineState(
      jobs: [watched(), job("told", at())], startedAt: t(0), failing: [name("a")], claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    let ended = engine.handle(.attemptEnded(.number(1), success), at: t(1))
    #expect(ended.starts.map(\.entry.job) == [told])
  }

  @Test func `a reaction causes no further reaction`() {
    let listener = job("told", at()) { $0.reactions = Reactions(onFailure: name("a"), onMissed: name("a")) }
    var engine = engine(watched(), listener)
    _ = engine.handle(.attemptEnded(.number(1), failure), at: t(3))
    #expect(engine.handle(.attemptEnded(.number(2), failure), at: t(4)).starts.isEmpty)
  }

  @Test func `a record of many entries causes it once`() {
    var engine = engine(watched(), at: 1)
    let effects = engine.handle(.wake, at: t(1_000_005))
    let reactions = effects.starts.filter { $0.cause == .reaction }
    #expect(reactions.map(\.upstream?.entryCount) == [99_999])
    #expect(reactions.map(\.upstream?.outcome) == [.missed])
  }

  @Test func `its own overlap policy holds`() {
    let jobs = (0..<5).map { number in
      job("a\(number)", at(10)) { $0.reactions = Reactions(onFailure: told) }
    }
    for (policy, starts, overlapped) in [(OverlapPolicy.skip, 1, 4), (.bufferAll, 1, 0), (.allowAll, 5, 0)] {
      var engine = EngineState(
        jobs: jobs + [job("told", at()) { $0.overlap = policy }], startedAt: t(10), claims: .grant)
      _ = engine.handle(.wake, at: t(10))
      let effects = (1...5).flatMap { engine.handle(.attemptEnded(.number($0), failure), at: t(11)) }
      #expect(effects.starts.count == starts)
      #expect(effects.settled.count { $0.outcome == .overlapped } == overlapped)
    }
  }

  @Test func `the record of a reaction names its upstream, whether it ran or not`() {
    let jobs = (0..<3).map { number in
      job("a\(number)", at(10)) { $0.reactions = Reactions(onFailure: told) }
    }
    var engine = EngineState(jobs: jobs + [job("told", at())], startedAt: t(10), claims: .grant)
    _ = engine.handle(.wake, at: t(10))
    var settled: [EntryRecord] = []
    for run: UInt64 in 1...2 {
      settled += engine.handle(.attemptEnded(.number(run), failure), at: t(11)).settled
    }
    settled += engine.handle(.attemptEnded(.number(4), success), at: t(12)).settled
    _ = engine.handle(.pause(told), at: t(12))
    settled += engine.handle(.attemptEnded(.number(3), failure), at: t(13)).settled
    let reactions = settled.filter { $0.cause == .reaction }
    #expect(reactions.map(\.outcome) == [.overlapped, .succeeded, .paused])
    #expect(
      reactions.map(\.upstream)
        == ["a1", "a0", "a2"].map { EntryKey(job: name($0), nominal: t(10)) })
    #expect(settled.allSatisfy { $0.cause == .reaction || $0.upstream == nil })
  }

  @Test func `a retry of a reaction has its upstream too`() {
    let listener = job("told", at()) {
      $0.retry = RetryPolicy(attempts: 2, backoffFrom: .seconds(4), backoffTo: .seconds(4), jitterPercent: 0)
    }
    var engine = engine(watched(), listener)
    let upstream = engine.handle(.attemptEnded(.number(1), failure), at: t(1)).starts.first?.upstream
    _ = engine.handle(.attemptEnded(.number(2), passingFailure), at: t(2))
    let again = engine.handle(.wake, at: t(6)).starts
    #expect(upstream != nil)
    #expect(again.map(\.upstream) == [upstream])
  }

  @Test func `of a paused job ends as paused, of a draining daemon as shut-down`() {
    var paused = engine(watched())
    _ = paused.handle(.pause(told), at: t(1))
    let held = paused.handle(.attemptEnded(.number(1), failure), at: t(2)).settled
    #expect(held.map(\.outcome) == [.failed, .paused])
    var draining = engine(watched())
    _ = draining.handle(.drain(patience: nil), at: t(1))
    let last = draining.handle(.attemptEnded(.number(1), failure), at: t(2))
    #expect(last.settled.map(\.outcome) == [.failed, .shutDown])
    #expect(last.last == .drained)
  }

  @Test func `an open run that ends as unknown causes it`() {
    let open = OpenRun(
      run: .number(3), entry: EntryKey(job: name("a"), nominal: t(0)), cause: .schedule, attempts: 1,
      startedAt: t(0))
    var engine = EngineState(
      jobs: [watched(), job("told", at())], startedAt: t(5), watermarks: [name("a"): t(-10)], open: [open],
      lastRun: .number(3), claims: .grant)
    #expect(engine.handle(.wake, at: t(5)).starts.map(\.upstream?.outcome) == [.unknown])
  }
}

@Suite struct `The pause between attempts` {
  private func pauses(jitterPercent: Int, of text: String = "a") -> [ElapsedTime] {
    let jobs = [
      job(text, every(1_000), lasts: 0) {
        $0.retry = RetryPolicy(
          attempts: 5, backoffFrom: .seconds(8), backoffTo: .seconds(60), jitterPercent: jitterPercent)
      }
    ]
    let courses = (0..<5).map { _ in SimulatedCourse(lasting: .zero, outcome: passingFailure) }
    let starts = Picture(of: jobs, seconds: 900, in: ScriptedWorld(courses: courses)).effects.starts
    return zip(starts.dropFirst(), starts).map { $0.startedAt - $1.startedAt }
  }

  @Test func `doubles up to its bound`() {
    #expect(pauses(jitterPercent: 0) == [.seconds(8), .seconds(16), .seconds(32), .seconds(60)])
  }

  @Test func `is shortened by a jitter that is the same every time`() {
    let jittered = pauses(jitterPercent: 25)
    #expect(jittered == pauses(jitterPercent: 25))
    #expect(jittered != pauses(jitterPercent: 25, of: "b"))
    for (short, full) in zip(jittered, pauses(jitterPercent: 0)) {
      #expect(short < full)
      #expect(short >= full - .nanoseconds(full.nanoseconds / 4))
    }
  }
}
