import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

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
    _ open: [OpenRun], watermark: Int64 = 80, lastRun: UInt64 = 5,
    _ adjust: (inout JobPolicies) -> Void = { _ in }
  ) -> EngineState {
    EngineState(
      jobs: [job("a", every(10), adjust)], startedAt: t(95), watermarks: [a: t(watermark)], open: open,
      lastRun: .number(lastRun), claims: .grant)
  }

  @Test func `a dead run ends as unknown under at-most-once`() {
    var engine = engine([open()])
    let first = engine.handle(.wake, at: t(96))
    #expect(
      first.settled == [
        EntryRecord(
          entry: EntryKey(job: a, nominal: t(90)), outcome: .unknown,
          reason: "the daemon died while it ran",
          run: .number(5), startedAt: t(90), endedAt: t(96), attempts: 1)
      ])
    #expect(first.starts.isEmpty)
    #expect(engine.handle(.wake, at: t(100)).starts.map(\.run) == [.number(6)])
  }

  @Test func `a dead run is run again under at-least-once`() throws {
    var engine = engine([open()]) { $0.delivery = .atLeastOnce }
    let attempt = try #require(engine.handle(.wake, at: t(96)).starts.first)
    #expect(attempt.run == .number(5))
    #expect(attempt.entry == EntryKey(job: a, nominal: t(90)))
    #expect(attempt.cause == .recovery)
    #expect(attempt.number == 2)
    #expect(engine.handle(.wake, at: t(100)).settled.map(\.outcome) == [.overlapped])
    let ended = engine.handle(.attemptEnded(.number(5), success), at: t(101)).settled
    #expect(ended.map(\.attempts) == [2])
  }

  @Test(arguments: [
    (MissedPolicy.Choice.latest, [t(90)], [Outcome]()), (.skip, [], [.paused]),
  ])
  func `an entry that waited when the job was paused stays held, and the end of the pause decides`(
    _ catchUp: MissedPolicy.Choice, _ starts: [WallInstant], _ ends: [Outcome]
  ) {
    let jobs = [job("a", every(10)) { $0.missed = MissedPolicy(choice: .skip) }]
    var engine = EngineState(
      jobs: jobs, startedAt: t(95), watermarks: [a: t(90)], open: [open(attempts: 0)], paused: [a: t(91)],
      lastRun: .number(5), claims: .grant)
    #expect(engine.handle(.wake, at: t(96)).settled.isEmpty)
    let resumed = engine.handle(.resume(a, catchUp: catchUp), at: t(97))
    #expect(resumed.starts.map(\.entry.nominal) == starts)
    #expect(resumed.settled.map(\.outcome) == ends)
  }

  @Test(arguments: [(nil, 3), (5, 5)])
  func `a run that kills the daemon in each attempt is lost after a limit`(_ retries: Int?, _ bound: Int) {
    func left(_ attempts: Int) -> [EngineEffect] {
      var engine = engine([open(attempts: attempts)]) {
        $0.delivery = .atLeastOnce
        $0.retry = retries.map { RetryPolicy(attempts: $0, backoffFrom: .seconds(1), backoffTo: .seconds(1)) }
      }
      return engine.handle(.wake, at: t(96))
    }
    #expect(left(bound - 1).starts.map(\.number) == [bound])
    #expect(left(bound).starts.isEmpty)
    #expect(left(bound).settled.map(\.outcome) == [.lost])
  }

  @Test func `a live run is active, and its timeout counts from its start`() {
    var engine = engine([open(isAlive: true)]) { $0.timeout = .seconds(8) }
    #expect(engine.handle(.wake, at: t(95)) == [.arm(t(98))])
    #expect(engine.status(of: a, at: t(95))?.runs == [.number(5)])
    #expect(engine.handle(.wake, at: t(98)).first == .askToStop(.number(5), .timeout))
    let ended = engine.handle(.attemptEnded(.number(5), success), at: t(99))
    #expect(ended.settled.map(\.outcome) == [.timedOut])
    #expect(engine.handle(.wake, at: t(100)).starts.map(\.entry.nominal) == [t(100)])
  }

  @Test func `a live run of a job that is not configured any more is awaited and settled`() {
    let gone = open(4, 70, isAlive: true, of: "gone")
    var engine = engine(
      [gone, open(3, 60, of: "gone"), open(5, 70, isAlive: true, of: "gone")], watermark: 90)
    let first = engine.handle(.wake, at: t(95))
    #expect(first.settled.map(\.entry.nominal) == [t(60)])
    #expect(engine.runCount == 2)
    #expect(
      engine.handle(.attemptEnded(.number(4), failure), at: t(96)).settled.map(\.outcome) == [.failed])
    // The job may come back and finds its run.
    _ = engine.handle(.reload([job("gone", every(10))]), at: t(97))
    #expect(engine.status(of: name("gone"), at: t(97))?.runs == [.number(5)])
    #expect(engine.handle(.drain(patience: .zero), at: t(98)).first == .askToStop(.number(5), .shutDown))
  }

  @Test func `live runs hold their places in groups`() {
    let g = group("g")
    let jobs = [job("a", at(90)) { $0.groups = [g] }, job("b", at(100)) { $0.groups = [g] }]
    var engine = EngineState(
      jobs: jobs, groups: [g: 1], startedAt: t(95), open: [open(isAlive: true)], claims: .grant)
    _ = engine.handle(.wake, at: t(95))
    #expect(engine.handle(.wake, at: t(100)).starts.isEmpty)
    #expect(
      engine.handle(.attemptEnded(.number(5), success), at: t(101)).starts.map(\.entry.job.text) == ["b"])
  }

  @Test func `undecided entries before a live run are settled once, and none is lost`() {
    // 30 was started as the latest of several, and the daemon died before it could write that 10 and 20 were missed.
    var engine = engine([open(5, 30, isAlive: true)], watermark: 0)
    let first = engine.handle(.wake, at: t(95))
    let gap = first.settled.filter { $0.entry.nominal == t(20) }
    #expect(gap.map(\.entryCount) == [2])
    #expect(gap.map(\.outcome) == [.missed])
    #expect(first.settled.reduce(0) { $0 + $1.entryCount } == 8)
  }

  @Test func `an entry that waited when the daemon died is one of the missed`() {
    let waited = open(0, 50, attempts: 0)
    var skipping = engine([waited])
    #expect(skipping.handle(.wake, at: t(95)).starts.map(\.entry.nominal) == [t(50)])
    var windowed = engine([waited]) { $0.missed.window = .seconds(10) }
    #expect(windowed.handle(.wake, at: t(95)).settled.first?.outcome == .missed)
    // An entry after the watermark comes again by the schedule.
    var ahead = engine([open(0, 90, attempts: 0)])
    #expect(ahead.handle(.wake, at: t(95)).starts.map(\.entry.nominal) == [t(90)])
  }

  @Test
  func `an entry that waited behind a live run goes on waiting under every missed policy`() {
    var engine = engine([open(4, 40, isAlive: true), open(0, 50, attempts: 0)], watermark: 90) {
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
  func `a claimed entry at an instant of its own is settled, and no other entry has the instant`(
    _ schedule: ScheduleRule, _ isTriggered: Bool
  ) {
    var engine = EngineState(
      jobs: [job("a", schedule)], startedAt: t(95), watermarks: [a: t(90)],
      open: [open(0, 95, attempts: 0)], lastRun: .number(5))
    var effects = engine.handle(.wake, at: t(95))
    #expect(effects.settled.map(\.entry.nominal) == [t(95)])
    #expect(effects.settled.map(\.outcome) == [.missed])
    if isTriggered { effects += engine.handle(.trigger(a), at: t(95)) }
    #expect(effects.claims.contains(EntryKey(job: a, nominal: t(95) + .nanoseconds(1))))
    #expect(!effects.claims.contains(EntryKey(job: a, nominal: t(95))))
  }

  @Test(arguments: DeliveryPolicy.allCases)
  func `a run whose last attempt failed has its next attempt when that is due`(
    _ delivery: DeliveryPolicy
  ) throws {
    let retry = RetryPolicy(attempts: 4, backoffFrom: .seconds(10), backoffTo: .seconds(10), jitterPercent: 0)
    var failed = open(attempts: 2)
    (failed.retryAt, failed.message) = (t(98), "the disk is away")
    var engine = engine([failed]) { ($0.delivery, $0.retry) = (delivery, retry) }
    #expect(engine.handle(.wake, at: t(95)) == [.arm(t(98))])
    let attempt = try #require(engine.handle(.wake, at: t(98)).starts.first)
    #expect(attempt.run == .number(5) && attempt.number == 3 && attempt.cause == .schedule)
    #expect(attempt.previous?.message == "the disk is away")
    // Its time has passed meanwhile, or the clock was set back since.
    for (instant, due) in [(t(50), t(95)), (t(10_000), t(105))] {
      failed.retryAt = instant
      var engine = self.engine([failed]) { ($0.delivery, $0.retry) = (delivery, retry) }
      #expect(engine.handle(.wake, at: due).starts.map(\.number) == [3])
    }
    // Without a retry policy, or without the job, it ends as its last attempt did.
    for jobs in [[job("a", every(10))], []] {
      var engine = EngineState(
        jobs: jobs, startedAt: t(95), watermarks: [a: t(80)], open: [failed], lastRun: .number(5),
        claims: .grant)
      let record = try #require(engine.handle(.wake, at: t(95)).settled.first)
      #expect(record.outcome == .failed && record.reason == "the disk is away" && record.attempts == 2)
    }
  }

  private func waiting(_ nominal: Int64, _ cause: RunCause, isAskedFor: Bool = false) -> OpenRun {
    var run = open(0, nominal, attempts: 0, cause: cause)
    (run.hasWaited, run.isAskedFor) = (true, isAskedFor)
    return run
  }

  @Test func `a trigger that waited is run, and a reaction with its upstream`() {
    let upstream = EntryRecord(
      entry: EntryKey(job: name("b"), nominal: t(80)), outcome: .failed, reason: "no", endedAt: t(81))
    var reaction = waiting(83, .reaction)
    reaction.upstream = upstream
    var engine = engine([waiting(82, .trigger), reaction], watermark: 90) { $0.overlap = .bufferAll }
    let first = engine.handle(.wake, at: t(95))
    #expect(first.settled.isEmpty && first.starts.map(\.cause) == [.trigger])
    let second = engine.handle(.attemptEnded(first.starts[0].run, success), at: t(96)).starts
    #expect(second.map(\.cause) == [.reaction] && second.map(\.upstream) == [upstream])

    var gone = EngineState(
      jobs: [], startedAt: t(95), open: [waiting(82, .trigger), reaction], lastRun: .number(5), claims: .grant
    )
    let missed = gone.handle(.wake, at: t(95)).settled
    #expect(missed.map(\.outcome) == [.missed, .missed])
    #expect(missed.map(\.upstream) == [nil, upstream.entry])
  }

  @Test
  func `entries that waited behind a live run go on waiting although nothing later was decided`() {
    let alive = open(4, 40, isAlive: true)
    var engine = engine([alive, waiting(50, .schedule), waiting(60, .schedule)], watermark: 40) {
      $0.overlap = .bufferAll
      $0.missed = MissedPolicy(choice: .skip)
    }
    let settled = engine.handle(.wake, at: t(95)).settled
    #expect(engine.waitingEntries(of: a) == [t(50), t(60)])
    #expect(settled.map(\.entry.nominal) == [t(80), t(90)], "and what fell due in between was missed")
  }

  @Test(arguments: [(nil, [t(50)]), (ElapsedTime.seconds(40), []), (.seconds(60), [t(50)])])
  func `an entry with a note that it waited was not missed, but may be too late now`(
    _ window: ElapsedTime?, _ starts: [WallInstant]
  ) {
    var engine = engine([waiting(50, .schedule)], watermark: 40) {
      $0.missed = MissedPolicy(choice: .skip, window: window)
    }
    let first = engine.handle(.wake, at: t(95))
    #expect(first.starts.map(\.entry.nominal) == starts && first.starts.allSatisfy { $0.cause == .schedule })
    #expect(
      first.settled.contains { $0.entry.nominal == t(50) && $0.outcome == .missed } == starts.isEmpty)
    // An entry behind undecided entries is one of the missed.
    var behind = self.engine([waiting(70, .schedule)], watermark: 40)
    #expect(behind.handle(.wake, at: t(95)).starts.map(\.entry.nominal) == [t(90)])
  }

  @Test func `an entry that was chosen at the end of a pause goes on under every missed policy`() {
    var engine = engine(
      [waiting(50, .missed, isAskedFor: true), waiting(60, .missed, isAskedFor: true)], watermark: 40)
    let first = engine.handle(.wake, at: t(95))
    #expect(first.starts.map(\.entry.nominal) == [t(50)])
    #expect(engine.waitingEntries(of: a).contains(t(60)))
  }

  @Test func `a loop that waited for its groups goes on waiting`() {
    let g = group("g")
    var run = waiting(90, .schedule)
    run.entry.job = name("loop")
    let jobs = [job("a", at(90)) { $0.groups = [g] }, job("loop", loop(.seconds(2))) { $0.groups = [g] }]
    var engine = EngineState(
      jobs: jobs, groups: [g: 1], startedAt: t(95), open: [open(isAlive: true), run], lastRun: .number(5))
    #expect(engine.handle(.wake, at: t(95)).settled.isEmpty)
    #expect(engine.waitingEntries(of: name("loop")) == [t(90)] && engine.nextDeadline == nil)
    let started = engine.handle(.attemptEnded(.number(5), success), at: t(96)).starts
    #expect(started.map(\.entry) == [run.entry])
  }

  @Test func `low-frequency mode leaves out no entry of a loop before its waiting entry is decided`() {
    var run = waiting(90, .schedule)
    run.entry.job = name("loop")
    var engine = EngineState(
      jobs: [job("loop", loop(.seconds(2)))], startedAt: t(95), open: [run], lastRun: .number(5),
      mode: .lowFrequency)
    let first = engine.handle(.wake, at: t(96))
    #expect(first.settled.isEmpty && first.starts.map(\.entry) == [run.entry])
    let ended = engine.handle(.attemptEnded(.number(6), success), at: t(97)).settled
    #expect(ended.map(\.outcome) == [.succeeded])
    let back = engine.handle(.mode(.normal), at: t(105)).settled
    #expect(back.map(\.outcome) == [.lowFrequency] && back.first.map { $0.firstNominal >= t(97) } == true)
  }

  @Test func `a loop that waited goes on waiting although its clock was set back`() {
    var run = waiting(90, .schedule)
    run.entry.job = name("loop")
    var engine = EngineState(
      jobs: [job("loop", loop(.seconds(2)))], startedAt: t(30), watermarks: [name("loop"): t(80)],
      open: [run], lastRun: .number(5))
    #expect(engine.handle(.wake, at: t(30)).starts.map(\.entry) == [run.entry])
  }

  @Test func `an entry that waited is in no record of several entries`() {
    var engine = EngineState(
      jobs: [job("a", every(10))], startedAt: t(95), watermarks: [a: t(90)], open: [waiting(80, .schedule)],
      lastRun: .number(5))
    let cuts = engine.handle(.wake, at: t(95)).compactMap { effect in
      if case .cutRanges(let cuts) = effect { cuts } else { nil }
    }
    #expect(cuts == [[RangeCut(job: a, after: t(80) - .nanoseconds(1), through: t(80), schedule: every(10))]])
  }
}
