import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `Concurrency of a job` {
  @Test(arguments: OverlapPolicy.allCases)
  func `is the number of active runs before the overlap policy applies`(_ policy: OverlapPolicy) {
    let expected =
      switch policy {
      case .skip: "a S--S--o--S--S--"
      case .bufferOne, .bufferAll: "a S--S---S--S---S"
      case .cancelOther, .terminateOther: "a C--C--C--S--S--"
      case .allowAll: "a S--S--S--S--S--"
      }
    let jobs = [
      job("a", every(3), lasts: 7) {
        $0.overlap = policy
        $0.concurrency = 2
      }
    ]
    #expect(Picture(of: jobs, seconds: 15).description == expected)
  }

  @Test func `has a limit under allow-all, and further entries wait`() {
    let jobs = [
      job("a", every(1), lasts: 1_000) {
        $0.overlap = .allowAll
        $0.waitingMax = 2
      }
    ]
    let picture = Picture(of: jobs, seconds: EngineLimits.concurrentRunsMax + 3)
    let starts = picture.effects.starts
    #expect(starts.count == EngineLimits.concurrentRunsMax + 2)
    #expect(starts.suffix(2).map(\.startedAt) == [t(1_000), t(1_001)])
    #expect(picture.effects.settled.count { $0.outcome == .limited } == 1)
  }

  @Test func `raised by a reload starts waiting entries at once`() {
    let one = job("a", every(10)) { $0.overlap = .bufferAll }
    let two = job("a", every(10)) {
      $0.overlap = .bufferAll
      $0.concurrency = 2
    }
    var engine = EngineState(jobs: [one], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    #expect(engine.handle(.wake, at: t(10)).starts.isEmpty)
    #expect(engine.handle(.reload([two]), at: t(12)).starts.map(\.entry.nominal) == [t(10)])
  }
}

@Suite struct `Groups` {
  private let g = group("g")

  private func member(
    _ text: String, _ schedule: ScheduleRule, lasts: Int64 = 0, of groups: [GroupName]? = nil,
    _ adjust: (inout JobPolicies) -> Void = { _ in }
  ) -> JobDefinition {
    job(text, schedule, lasts: lasts) {
      $0.groups = groups ?? [g]
      adjust(&$0)
    }
  }

  @Test func `a full group lets an entry wait, even under skip`() {
    let jobs = [member("a", every(10), lasts: 3), member("b", every(10), lasts: 3)]
    #expect(
      Picture(of: jobs, groups: [g: 1], seconds: 12).description == """
        a S--.......S-
        b ...S--......
        """)
    #expect(
      Picture(of: jobs, groups: [g: 2], seconds: 12).description == """
        a S--.......S-
        b S--.......S-
        """)
  }

  @Test func `one entry of a job waits, and later ones are overlapped`() {
    let jobs = [member("a", every(30), lasts: 23), member("b", every(5), lasts: 1)]
    #expect(
      Picture(of: jobs, groups: [g: 1], seconds: 28).description == """
        a S----------------------.....
        b .....o....o....o....o..S.S..
        """)
  }

  @Test func `an entry that replaces a waiting one of its job keeps the place in the queue`() {
    let jobs = [
      member("a", at(0), lasts: 8), member("b", every(4, from: 1)) { $0.overlap = .cancelOther },
      member("c", at(2), lasts: 3),
    ]
    #expect(
      Picture(of: jobs, groups: [g: 1], seconds: 16).description == """
        a S-------........
        b .p......S..S.S..
        c ........S--.....
        """)
  }

  @Test func `a higher priority goes first, until another has waited long enough`() {
    let high = member("high", every(2), lasts: 3) {
      $0.overlap = .bufferAll
      $0.priority = 1
    }
    let low = member("low", at(1), lasts: 1)
    let starts = Picture(of: [high, low], groups: [g: 1], seconds: 200).effects.starts
    #expect(starts.first { $0.entry.job.text == "low" }?.startedAt == t(93))
    let equal = member("high", every(2), lasts: 3) { $0.overlap = .bufferAll }
    let fair = Picture(of: [equal, low], groups: [g: 1], seconds: 200).effects.starts
    #expect(fair.first { $0.entry.job.text == "low" }?.startedAt == t(3))
  }

  @Test func `an entry that needs two groups is not kept out by those that need one`() {
    let (p, q) = (group("p"), group("q"))
    let jobs = [
      member("a", every(2), lasts: 3, of: [p]) { $0.overlap = .bufferAll },
      member("b", every(2, from: 1), lasts: 3, of: [q]) { $0.overlap = .bufferAll },
      member("both", at(1), lasts: 1, of: [q, p, q]),
    ]
    let starts = Picture(of: jobs, groups: [p: 1, q: 1], seconds: 9).effects.starts
    #expect(starts.map(\.entry.job.text).prefix(5) == ["a", "b", "both", "a", "b"])
    #expect(starts.map(\.startedAt).prefix(5) == [t(0), t(1), t(4), t(5), t(5)])
  }

  @Test func `a run keeps its place between two attempts`() {
    let a = member("a", at(0), lasts: 1) {
      $0.retry = RetryPolicy(attempts: 2, backoffFrom: .seconds(5), backoffTo: .seconds(5), jitterPercent: 0)
    }
    let world = ScriptedWorld(courses: [
      SimulatedCourse(lasting: .seconds(1), outcome: passingFailure), SimulatedCourse(lasting: .seconds(1)),
    ])
    #expect(
      Picture(of: [a, member("b", at(2), lasts: 1)], groups: [g: 1], seconds: 10, in: world).description
        == """
        a S------...
        b .......S..
        """)
  }

  private func full() -> EngineState {
    let a = member("a", at(0)) {
      $0.timeout = .seconds(5)
      $0.retry = RetryPolicy(attempts: 3, backoffFrom: .seconds(9), backoffTo: .seconds(9), jitterPercent: 0)
    }
    var engine = EngineState(
      jobs: [a, member("b", at(1))], groups: [g: 1], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    #expect(engine.handle(.wake, at: t(1)).starts.isEmpty)
    return engine
  }

  @Test(arguments: [
    [(2, EngineEvent.attemptEnded(.number(1), success))],
    [(2, .attemptEnded(.number(1), failure))],
    [(2, .attemptEnded(.number(1), passingFailure)), (3, .cancel(.number(1)))],
    [(2, .cancel(.number(1))), (3, .attemptEnded(.number(1), success))],
    [(5, .wake), (15, .wake), (16, .attemptEnded(.number(1), failure))],
  ]) func `every end of a run frees its place`(_ events: [(Int, EngineEvent)]) {
    var engine = full()
    var starts: [Attempt] = []
    for (second, event) in events {
      #expect(starts.isEmpty)
      starts = engine.handle(event, at: t(Int64(second))).starts
    }
    #expect(starts.map(\.entry.job.text) == ["b"])
  }

  @Test func `a reload that removes a job keeps the place of its run`() {
    var engine = full()
    let b = member("b", at(1))
    #expect(engine.handle(.reload([b], groups: [g: 1]), at: t(2)).starts.isEmpty)
    #expect(engine.handle(.attemptEnded(.number(1), success), at: t(3)).starts.map(\.entry.job.text) == ["b"])
  }

  @Test func `a reload that removes a job ends its run between two attempts, with the reason`() {
    var engine = full()
    let failed = AttemptResult(status: .failed, isWorthRetrying: true, message: "the disk is full")
    #expect(engine.handle(.attemptEnded(.number(1), failed), at: t(2)).starts.isEmpty)
    let reloaded = engine.handle(.reload([member("b", at(1))], groups: [g: 1]), at: t(3))
    #expect(reloaded.settled.map(\.outcome) == [.failed])
    #expect(
      reloaded.settled.map(\.reason) == ["the disk is full; it was not tried again: the job was removed"])
    #expect(reloaded.starts.map(\.entry.job.text) == ["b"])
    #expect(engine.handle(.wake, at: t(20)).starts.isEmpty)
  }

  @Test func `a reload that raises or removes a limit, or takes a job out, starts waiting entries`() {
    let (a, b) = (member("a", at(0)), member("b", at(1)))
    for (jobs, groups) in [([a, b], [g: 2]), ([job("a", at(0)), b], [g: 1]), ([a, b], [:])] {
      var engine = full()
      let starts = engine.handle(.reload(jobs, groups: groups), at: t(2)).starts
      #expect(starts.map(\.entry.job.text) == ["b"])
    }
  }

  @Test func `entries that wait when a drain begins end as shut-down`() {
    var engine = full()
    let drained = engine.handle(.drain(patience: nil), at: t(2))
    #expect(drained.settled.map(\.outcome) == [.shutDown])
    #expect(engine.handle(.attemptEnded(.number(1), success), at: t(3)).last == .drained)
  }
}
