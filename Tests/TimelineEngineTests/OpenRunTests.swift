import Testing
import TimelineCore
import TimelineEngine

@Suite struct `Runs that an earlier daemon left open` {
  private let a = name("a")

  private func open(
    _ run: UInt64 = 5, _ nominal: Int64 = 90, attempts: Int = 1, cause: RunCause = .schedule,
    isAlive: Bool = false,
    of job: String = "a"
  ) -> OpenRun {
    OpenRun(
      run: .number(run), entry: EntryKey(job: name(job), nominal: t(nominal)), cause: cause,
      attempts: attempts,
      startedAt: t(nominal), isAlive: isAlive)
  }

  private func engine(
    _ open: [OpenRun], remembered: Int64 = 80, lastRun: UInt64 = 5,
    _ adjust: (inout JobPolicies) -> Void = { _ in }
  ) -> EngineState {
    EngineState(
      jobs: [job("a", every(10), adjust)], startedAt: t(95), remembered: [a: t(remembered)], open: open,
      lastRun: .number(lastRun), claims: .takeAsWon)
  }

  @Test func `a dead one ends as unknown where a second time is forbidden`() {
    var engine = engine([open()])
    let first = engine.handle(.wake, at: t(96))
    #expect(
      first.settled == [
        EntryRecord(
          entry: EntryKey(job: a, nominal: t(90)), disposition: .unknown,
          reason: "the daemon died while it ran",
          run: .number(5), startedAt: t(90), endedAt: t(96), attempts: 1)
      ])
    #expect(first.starts.isEmpty)
    #expect(engine.handle(.wake, at: t(100)).starts.map(\.run) == [.number(6)])
  }

  @Test func `a dead one is run again where at least once is promised`() throws {
    var engine = engine([open()]) { $0.delivery = .atLeastOnce }
    let attempt = try #require(engine.handle(.wake, at: t(96)).starts.first)
    #expect(attempt.run == .number(5))
    #expect(attempt.entry == EntryKey(job: a, nominal: t(90)))
    #expect(attempt.cause == .recovery)
    #expect(attempt.number == 2)
    #expect(engine.handle(.wake, at: t(100)).settled.map(\.disposition) == [.overlapped])
    let ended = engine.handle(.attemptEnded(.number(5), success), at: t(101)).settled
    #expect(ended.map(\.attempts) == [2])
  }

  @Test(arguments: [
    (MissedPolicy.Choice.latest, [t(90)], [Disposition]()), (.skip, [], [.paused]),
  ])
  func `an entry that waited when the job was paused is held on, and the end of the pause decides`(
    _ catchUp: MissedPolicy.Choice, _ starts: [WallInstant], _ ends: [Disposition]
  ) {
    let jobs = [job("a", every(10)) { $0.missed = MissedPolicy(choice: .skip) }]
    var engine = EngineState(
      jobs: jobs, startedAt: t(95), remembered: [a: t(90)], open: [open(attempts: 0)], paused: [a: t(91)],
      lastRun: .number(5), claims: .takeAsWon)
    #expect(engine.handle(.wake, at: t(96)).settled.isEmpty)
    let resumed = engine.handle(.resume(a, catchUp: catchUp), at: t(97))
    #expect(resumed.starts.map(\.entry.nominal) == starts)
    #expect(resumed.settled.map(\.disposition) == ends)
  }

  @Test(arguments: [(nil, 3), (5, 5)])
  func `not for ever, should each attempt take the daemon with it`(_ retries: Int?, _ bound: Int) {
    func left(_ attempts: Int) -> [EngineEffect] {
      var engine = engine([open(attempts: attempts)]) {
        $0.delivery = .atLeastOnce
        $0.retry = retries.map { RetryPolicy(attempts: $0, backoffFrom: .seconds(1), backoffTo: .seconds(1)) }
      }
      return engine.handle(.wake, at: t(96))
    }
    #expect(left(bound - 1).starts.map(\.number) == [bound])
    #expect(left(bound).starts.isEmpty)
    #expect(left(bound).settled.map(\.disposition) == [.lost])
  }

  @Test func `one that lives on is in flight, its timeout counted from its start`() {
    var engine = engine([open(isAlive: true)]) { $0.timeout = .seconds(8) }
    #expect(engine.handle(.wake, at: t(95)) == [.arm(t(98))])
    #expect(engine.status(of: a, at: t(95))?.runs == [.number(5)])
    #expect(engine.handle(.wake, at: t(98)).first == .askToStop(.number(5), .timeout))
    let ended = engine.handle(.attemptEnded(.number(5), success), at: t(99))
    #expect(ended.settled.map(\.disposition) == [.timedOut])
    #expect(engine.handle(.wake, at: t(100)).starts.map(\.entry.nominal) == [t(100)])
  }

  @Test func `one of a job that is not configured any more is awaited and settled`() {
    let gone = open(4, 70, isAlive: true, of: "gone")
    var engine = engine(
      [gone, open(3, 60, of: "gone"), open(5, 70, isAlive: true, of: "gone")], remembered: 90)
    let first = engine.handle(.wake, at: t(95))
    #expect(first.settled.map(\.entry.nominal) == [t(60)])
    #expect(engine.runCount == 2)
    #expect(
      engine.handle(.attemptEnded(.number(4), failure), at: t(96)).settled.map(\.disposition) == [.failed])
    // The job may come back and finds its run.
    _ = engine.handle(.reload([job("gone", every(10))]), at: t(97))
    #expect(engine.status(of: name("gone"), at: t(97))?.runs == [.number(5)])
    #expect(engine.handle(.drain(patience: .zero), at: t(98)).first == .askToStop(.number(5), .shutDown))
  }

  @Test func `they hold their places in groups`() {
    let g = group("g")
    let jobs = [job("a", at(90)) { $0.groups = [g] }, job("b", at(100)) { $0.groups = [g] }]
    var engine = EngineState(
      jobs: jobs, groups: [g: 1], startedAt: t(95), open: [open(isAlive: true)], claims: .takeAsWon)
    _ = engine.handle(.wake, at: t(95))
    #expect(engine.handle(.wake, at: t(100)).starts.isEmpty)
    #expect(
      engine.handle(.attemptEnded(.number(5), success), at: t(101)).starts.map(\.entry.job.text) == ["b"])
  }

  @Test func `what had been decided before one of them is not decided twice, and not lost`() {
    // 30 was started as the latest of several, and the daemon died before it could file that 10 and 20 were missed.
    var engine = engine([open(5, 30, isAlive: true)], remembered: 0)
    let first = engine.handle(.wake, at: t(95))
    let gap = first.settled.filter { $0.entry.nominal == t(20) }
    #expect(gap.map(\.entryCount) == [2])
    #expect(gap.map(\.disposition) == [.missed])
    #expect(first.settled.reduce(0) { $0 + $1.entryCount } == 8)
  }

  @Test func `an entry that waited when the daemon died is one of the missed`() {
    let waited = open(0, 50, attempts: 0)
    var skipping = engine([waited])
    #expect(skipping.handle(.wake, at: t(95)).starts.map(\.entry.nominal) == [t(50)])
    var windowed = engine([waited]) { $0.missed.window = .seconds(10) }
    #expect(windowed.handle(.wake, at: t(95)).settled.first?.disposition == .missed)
    // After what was decided last the schedule brings it again by itself.
    var ahead = engine([open(0, 90, attempts: 0)])
    #expect(ahead.handle(.wake, at: t(95)).starts.map(\.entry.nominal) == [t(90)])
  }

  @Test
  func `an entry that waited behind a run that lives on goes on waiting, whatever becomes of missed ones`() {
    var engine = engine([open(4, 40, isAlive: true), open(0, 50, attempts: 0)], remembered: 90) {
      $0.overlap = .bufferOne
      $0.missed = MissedPolicy(choice: .skip, window: .seconds(10))
    }
    #expect(engine.handle(.wake, at: t(95)).settled.isEmpty)
    #expect(engine.waitingEntries(of: a) == [t(50)])
    let started = engine.handle(.attemptEnded(.number(4), success), at: t(96)).starts
    #expect(started.map(\.entry.nominal) == [t(50)])
    #expect(started.map(\.cause) == [.schedule])
  }

  @Test(arguments: [(loop(.seconds(10)), false), (every(10), true)])
  func `what was claimed for an instant of the job's own is settled, and no other entry has it`(
    _ schedule: ScheduleRule, _ isTriggered: Bool
  ) {
    var engine = EngineState(
      jobs: [job("a", schedule)], startedAt: t(95), remembered: [a: t(90)],
      open: [open(0, 95, attempts: 0)], lastRun: .number(5))
    var effects = engine.handle(.wake, at: t(95))
    #expect(effects.settled.map(\.entry.nominal) == [t(95)])
    #expect(effects.settled.map(\.disposition) == [.missed])
    if isTriggered { effects += engine.handle(.trigger(a), at: t(95)) }
    #expect(effects.claims.contains(EntryKey(job: a, nominal: t(95) + .nanoseconds(1))))
    #expect(!effects.claims.contains(EntryKey(job: a, nominal: t(95))))
  }
}
