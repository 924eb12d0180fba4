import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `Jobs that change their owner` {
  private let a = name("a")

  private func key(_ seconds: Int64) -> EntryKey { EntryKey(job: a, nominal: t(seconds)) }

  /// An engine with its jobs, whose claims are granted at once, with the seconds of the entry as the token.
  private func engine(_ jobs: [JobDefinition], at second: Int64, groups: [GroupName: Int] = [:])
    -> EngineState
  {
    var engine = EngineState(jobs: jobs, groups: groups, startedAt: t(second))
    handle(.wake, &engine, at: second)
    return engine
  }

  @discardableResult
  private func handle(_ event: EngineEvent, _ engine: inout EngineState, at second: Int64) -> [EngineEffect] {
    var all: [EngineEffect] = []
    var effects = engine.handle(event, at: t(second))
    all += effects
    while !effects.claims.isEmpty {
      let answers = effects.claims.map {
        ClaimAnswer(entry: $0, verdict: .granted, token: $0.nominal.nanosecondsSinceEpoch / 1_000_000_000)
      }
      effects = engine.handle(.claimsAnswered(answers), at: t(second))
      all += effects
    }
    return all
  }

  private func take(
    _ jobs: [JobDefinition], _ engine: inout EngineState, at second: Int64, watermark: Int64? = nil,
    open: [OpenRun] = []
  ) -> [EngineEffect] {
    let taken = jobs.map { TakenJob(name: $0.name, watermark: watermark.map(t), open: open) }
    return handle(.takeOver(taken, among: jobs), &engine, at: second)
  }

  private func granted(_ seconds: Int64, attempts: Int, token: Int64 = 1_000) -> OpenRun {
    var run = OpenRun(
      run: .number(0), entry: key(seconds), cause: .schedule, attempts: attempts, startedAt: t(seconds))
    (run.node, run.token) = ("b", token)
    return run
  }

  @Test(arguments: [(2, ["recovered 5"]), (4, [])])
  func `go on with an incident of the policy by which it was counted`(_ after: Int, _ reports: [String]) {
    var watched = job("a", every(10))
    watched.policies.reactions = Reactions(
      onFailure: name("tell"), onRecovery: name("tell"), failureIncidents: IncidentPolicy(after: after))
    let last = EntryRecord(entry: key(20), outcome: .failed, endedAt: t(21))
    let note = IncidentNote(
      job: a, kind: .failure, policy: IncidentPolicy(after: 2),
      incident: Incident(count: 5, since: t(1), toldAt: t(11), last: last))
    let tell = job("tell", at())
    var engine = engine([tell], at: 25)
    let taken = TakenJob(name: a, watermark: t(20), incidents: [note])
    var effects = handle(.takeOver([taken], among: [watched, tell]), &engine, at: 25)
    #expect(engine.incidents(of: a)?.map(\.incident?.count) == (after == 2 ? [5] : []))
    effects += handle(.wake, &engine, at: 30)
    for attempt in effects.starts { effects += handle(.attemptEnded(attempt.run, success), &engine, at: 31) }
    let found = effects.starts.compactMap(\.upstream?.incident).map { "\($0.phase.rawValue) \($0.count)" }
    #expect(found == reports)
    #expect(engine.incidents(of: a) == [])
    handle(.handOver([a], isGivenUp: true), &engine, at: 32)
    #expect(engine.incidents(of: a) == nil, "it is not for this node to say how it goes on")
  }

  @Test(arguments: [
    (MissedPolicy.Choice.latest, "a S.S....mS.S."), (.all, "a S.S....SS.S."), (.skip, "a S.S....mm.S."),
  ])
  func `start nothing while another node owns them, and go on by the missed policy`(
    _ choice: MissedPolicy.Choice, _ picture: String
  ) {
    let job = job("a", at(0, 2, 7, 8, 10)) {
      $0.missed.choice = choice
      $0.overlap = .bufferAll
    }
    let world = ScriptedWorld(script: [
      (3, .event(.handOver([a]))),
      (9, .event(.takeOver([TakenJob(name: a, watermark: t(2))], among: [job]))),
    ])
    #expect(startPicture(of: job, in: world) == picture)
  }

  /// Draws entries in the columns of their instants, whenever they started.
  private func startPicture(of job: JobDefinition, in world: ScriptedWorld) -> String {
    let settled = Picture(of: [job], seconds: 12, in: world).effects.settled
    var columns = [Character](repeating: ".", count: 12)
    for record in settled {
      for second in 0..<12
      where record.firstNominal <= t(Int64(second)) && t(Int64(second)) <= record.entry.nominal
        && job.schedule.latest(atOrBefore: t(Int64(second))) == t(Int64(second))
      {
        columns[second] = record.outcome.ran ? "S" : "m"
      }
    }
    return "a " + String(columns)
  }

  @Test func `leave waiting and planned entries, and settle active runs`() {
    var engine = engine([job("a", every(10)) { $0.overlap = .bufferAll }], at: 0)
    handle(.wake, &engine, at: 10)
    #expect(engine.status(of: a, at: t(11))?.waitingEntries == 1)
    #expect(handle(.handOver([a]), &engine, at: 11) == [.arm(nil)])
    #expect(engine.incidents(of: a) == nil && engine.status(of: a, at: t(11)) == nil && engine.runCount == 1)
    #expect(handle(.wake, &engine, at: 20).isEmpty)
    let ended = handle(.attemptEnded(.number(1), success), &engine, at: 21)
    #expect(ended.settled.map(\.entry) == [key(0)] && ended.starts.isEmpty)
    #expect(handle(.trigger(a), &engine, at: 22).isEmpty)
  }

  @Test func `leave a run between two attempts, which fills no group any more`() {
    let jobs = [
      job("a", at(0)) {
        $0.groups = [group("g")]
        $0.retry = RetryPolicy(
          attempts: 3, backoffFrom: .minutes(1), backoffTo: .minutes(1), jitterPercent: 0)
      },
      job("b", at(1)) { $0.groups = [group("g")] },
    ]
    var engine = engine(jobs, at: 0, groups: [group("g"): 1])
    handle(.wake, &engine, at: 1)
    #expect(handle(.attemptEnded(.number(1), passingFailure), &engine, at: 2).settled.isEmpty)
    let left = handle(.handOver([a]), &engine, at: 3)
    #expect(left.settled.isEmpty && left.starts.map(\.entry.job) == [name("b")])

    // The ledger of the same node has the next attempt. The run keeps its number, although later runs have higher ones.
    var open = OpenRun(run: .number(1), entry: key(0), cause: .schedule, attempts: 1, startedAt: t(0))
    (open.retryAt, open.token) = (t(62), 7)
    let taken = handle(
      .takeOver([TakenJob(name: a, open: [open])], among: jobs), &engine, at: 4)
    #expect(taken.starts.isEmpty && engine.runCount == 2)
    let again = handle(.wake, &engine, at: 62).starts
    #expect(again.map(\.run) == [.number(1)] && again.map(\.number) == [2] && again.map(\.token) == [7])
  }

  @Test func `end entries that exist only on this node`() {
    var engine = engine([job("a", at(0)) { $0.overlap = .bufferAll }], at: 0)
    handle(.trigger(a), &engine, at: 1)
    let left = handle(.handOver([a]), &engine, at: 2)
    #expect(left.settled.map(\.outcome) == [.missed] && left.settled.map(\.cause) == [.trigger])
    #expect(left.settled.first?.reason.contains("trigger it on the node that owns the job") ?? false)

    var loops = self.engine([job("a", loop(.seconds(2)))], at: 0)
    handle(.attemptEnded(.number(1), success), &loops, at: 1)
    _ = loops.handle(.wake, at: t(2))
    #expect(loops.status(of: a, at: t(2))?.runs.count == 1)
    #expect(handle(.handOver([a]), &loops, at: 3).settled.isEmpty)
  }

  @Test(arguments: [(false, []), (true, [10])])
  func `end a waiting entry that a later one has passed, if its claim is given up`(
    _ isGivenUp: Bool, _ ended: [Int64]
  ) {
    var engine = engine([job("a", every(10)) { $0.overlap = .bufferOne }], at: 0)
    handle(.wake, &engine, at: 10)
    #expect(handle(.wake, &engine, at: 20).settled.map(\.outcome) == [.overlapped])
    let left = handle(.handOver([a], isGivenUp: isGivenUp), &engine, at: 21)
    #expect(left.settled.map(\.entry) == ended.map(key))
    #expect(left.settled.allSatisfy { $0.outcome == .missed })
  }

  @Test(arguments: [(false, []), (true, [0])])
  func `end an entry that waits for a plugin host and that a later one has passed, if its claim is given up`(
    _ isGivenUp: Bool, _ ended: [Int64]
  ) {
    var engine = engine([job("a", every(10))], at: 0)
    handle(.attemptWaits(.number(1)), &engine, at: 0)
    #expect(handle(.wake, &engine, at: 10).settled.map(\.outcome) == [.overlapped])
    #expect(handle(.handOver([a], isGivenUp: isGivenUp), &engine, at: 11).settled.isEmpty)
    let end = EngineEvent.attemptEnded(.number(1), AttemptResult(status: .cancelled))
    let left = handle(end, &engine, at: 12)
    #expect(left.settled.map(\.entry) == ended.map(key))
    #expect(left.settled.allSatisfy { $0.outcome == .missed })
  }

  @Test func `end an entry whose claim was not answered and that a later one has passed`() {
    var engine = EngineState(jobs: [job("a", every(10)) { $0.waitingMax = 1 }], startedAt: t(1))
    for second in [Int64(1), 10] { _ = engine.handle(.wake, at: t(second)) }
    #expect(engine.handle(.wake, at: t(20)).settled.map(\.outcome) == [.limited])
    let left = engine.handle(.handOver([a]), at: t(21))
    #expect(left.settled.map(\.entry) == [key(10)])
    #expect(left.settled.map(\.reason) == ["this node lost the job before the cluster's store had answered"])

    var unpassed = EngineState(jobs: [job("a", every(10))], startedAt: t(1))
    for second in [Int64(1), 10] { _ = unpassed.handle(.wake, at: t(second)) }
    #expect(unpassed.handle(.handOver([a]), at: t(11)) == [.arm(nil)])
  }

  @Test func `leave a run that waits for a plugin host, or run it if it was called or acquired again`() {
    let jobs = [job("a", every(10))]
    func waiting() -> EngineState {
      var engine = engine(jobs, at: 0)
      handle(.attemptWaits(.number(1)), &engine, at: 0)
      #expect(handle(.handOver([a]), &engine, at: 1) == [.dequeue(.number(1)), .arm(nil)])
      return engine
    }
    let end = EngineEvent.attemptEnded(.number(1), AttemptResult(status: .cancelled))
    var open = OpenRun(run: .number(0), entry: key(0), cause: .schedule, attempts: 0, startedAt: t(0))
    (open.hasWaited, open.token) = (true, 9)

    var left = waiting()
    #expect(handle(end, &left, at: 2).isEmpty && left.runCount == 0)

    var called = waiting()
    handle(.attemptBegan(.number(1), late: .zero), &called, at: 2)
    #expect(handle(.attemptEnded(.number(1), success), &called, at: 3).settled.map(\.outcome) == [.succeeded])

    var back = waiting()
    #expect(take(jobs, &back, at: 2, open: [open]).starts.isEmpty)
    #expect(handle(end, &back, at: 3).starts.map(\.entry) == [key(0)])

    // The wait for a plugin host is reported after the job is gone.
    var late = engine(jobs, at: 0)
    handle(.handOver([a]), &late, at: 1)
    #expect(handle(.attemptWaits(.number(1)), &late, at: 1).contains(.dequeue(.number(1))))
    #expect(handle(end, &late, at: 2).isEmpty && late.runCount == 0)

    // Another owner has ended it.
    var ended = waiting()
    #expect(take(jobs, &ended, at: 2, watermark: 0).starts.isEmpty)
    #expect(handle(end, &ended, at: 3).isEmpty && ended.runCount == 0)
  }

  @Test func `decide anew about a run whose plugin was called too late for the lease`() {
    func ended(isUncalled: Bool) -> [EngineEffect] {
      var engine = engine([job("a", every(10))], at: 0)
      handle(.attemptWaits(.number(1)), &engine, at: 0)
      var result = AttemptResult(status: .cancelled)
      result.isUncalled = isUncalled
      return handle(.attemptEnded(.number(1), result), &engine, at: 3)
    }
    #expect(ended(isUncalled: true).starts.map(\.entry) == [key(0)])
    #expect(ended(isUncalled: true).settled.isEmpty)
    #expect(ended(isUncalled: false).settled.map(\.outcome) == [.limited])
  }

  @Test(arguments: [OverlapPolicy.bufferAll, .bufferOne])
  func `an entry whose plugin was called too late for the lease starts before those that wait`(
    _ overlap: OverlapPolicy
  ) {
    let jobs = [
      job("a", every(10)) {
        $0.overlap = overlap
        $0.groups = [group("g")]
      }, job("b", every(100, from: 5)) { $0.groups = [group("g")] },
    ]
    var engine = engine(jobs, at: 0, groups: [group("g"): 1])
    handle(.attemptWaits(.number(1)), &engine, at: 0)
    for second: Int64 in [5, 10] { handle(.wake, &engine, at: second) }
    var result = AttemptResult(status: .cancelled)
    result.isUncalled = true
    #expect(handle(.attemptEnded(.number(1), result), &engine, at: 11).starts.map(\.entry) == [key(0)])
    #expect(
      handle(.attemptEnded(.number(2), success), &engine, at: 12).starts.map(\.entry.job) == [name("b")])
    #expect(handle(.attemptEnded(.number(3), success), &engine, at: 13).starts.map(\.entry) == [key(10)])
  }

  @Test func `an entry whose plugin was called too late for the lease is held before those that wait`() {
    var engine = engine([job("a", every(10)) { $0.overlap = .bufferAll }], at: 0)
    handle(.attemptWaits(.number(1)), &engine, at: 0)
    handle(.wake, &engine, at: 10)
    handle(.pause(a), &engine, at: 11)
    var result = AttemptResult(status: .cancelled)
    result.isUncalled = true
    #expect(handle(.attemptEnded(.number(1), result), &engine, at: 12).starts.isEmpty)
    #expect(handle(.resume(a, catchUp: .all), &engine, at: 13).starts.map(\.entry) == [key(0)])
    #expect(handle(.attemptEnded(.number(2), success), &engine, at: 14).starts.map(\.entry) == [key(10)])
  }

  @Test(arguments: [(DeliveryPolicy.atLeastOnce, true), (.atMostOnce, false)])
  func `decide by the delivery policy about doubtful entries`(_ delivery: DeliveryPolicy, _ runs: Bool) {
    let reason = "node b was granted the entry and does not answer"
    let jobs = [
      job("a", every(10)) {
        $0.delivery = delivery
        $0.overlap = .bufferAll
        $0.missed.choice = .all
      }
    ]
    var engine = engine([], at: 5)
    let taken = take(jobs, &engine, at: 35, watermark: 0, open: [granted(20, attempts: 1)])
    let passed = "a later entry had already been started"
    #expect(taken.settled.map(\.entry) == (runs ? [key(10)] : [key(20), key(10)]))
    #expect(taken.settled.map(\.outcome) == (runs ? [.missed] : [.unknown, .missed]))
    #expect(taken.settled.map(\.reason) == (runs ? [passed] : [reason, passed]))
    #expect(taken.starts.map(\.entry) == [runs ? key(20) : key(30)])
    #expect(taken.starts.map(\.cause) == [runs ? .recovery : .missed])
    #expect(taken.starts.map(\.token) == [runs ? 1_000 : 30])
  }

  @Test func `run entries that another node may have run one after the other`() {
    let jobs = [job("a", every(10)) { $0.delivery = .atLeastOnce }]
    var engine = engine([], at: 5)
    let open = [granted(10, attempts: 1, token: 7), granted(20, attempts: 1, token: 8)]
    let taken = take(jobs, &engine, at: 25, watermark: 0, open: open)
    #expect(taken.starts.map(\.token) == [7] && taken.settled.isEmpty)
    let next = handle(.attemptEnded(.number(1), success), &engine, at: 26)
    #expect(next.starts.map(\.token) == [8] && next.starts.map(\.cause) == [.recovery])
  }

  @Test(arguments: [false, true])
  func `leave entries that another node may have run to the node that claims them next`(_ isGivenUp: Bool) {
    let jobs = [job("a", every(10)) { $0.delivery = .atLeastOnce }]
    var engine = engine([], at: 5)
    let open = [granted(10, attempts: 1, token: 7), granted(20, attempts: 1, token: 8)]
    let taken = take(jobs, &engine, at: 25, watermark: 0, open: open)
    #expect(taken.starts.map(\.entry) == [key(10)])
    handle(.attemptWaits(.number(1)), &engine, at: 26)
    #expect(handle(.wake, &engine, at: 30).settled.map(\.entry) == [key(30)], "later than what waits")
    let left = handle(.handOver([a], isGivenUp: isGivenUp), &engine, at: 31)
    #expect(left.settled.isEmpty)
    // The first one has begun, but waited for a plugin host.
    let end = EngineEvent.attemptEnded(.number(1), AttemptResult(status: .cancelled))
    #expect(handle(end, &engine, at: 32).settled.isEmpty)
  }

  @Test func `start entries that another node was granted and certainly did not start`() {
    var engine = engine([], at: 5)
    let taken = take(
      [job("a", every(10)) { $0.missed.choice = .all }], &engine, at: 25, watermark: 20,
      open: [granted(20, attempts: 0)])
    #expect(taken.starts.map(\.entry) == [key(20)] && taken.starts.map(\.token) == [1_000])
    #expect(taken.settled.isEmpty)
  }

  @Test func `begin with the first granted entry if no outcome is known`() {
    var engine = engine([], at: 5)
    let taken = take(
      [job("a", every(10)) { $0.missed.choice = .all }], &engine, at: 35, open: [granted(20, attempts: 0)])
    #expect(taken.starts.map(\.entry) == [key(20)])
    #expect(engine.waitingEntries(of: a).isEmpty && taken.settled.map(\.entry) == [key(30)])
  }

  @Test func `go on with a run of their own that has not ended`() {
    let jobs = [job("a", every(10)) { $0.delivery = .atLeastOnce }]
    var engine = engine(jobs, at: 0)
    handle(.handOver([a]), &engine, at: 1)
    let taken = take(jobs, &engine, at: 5, watermark: -10, open: [granted(0, attempts: 1)])
    #expect(taken.starts.isEmpty && taken.settled.isEmpty && engine.runCount == 1)
    #expect(engine.status(of: a, at: t(5))?.next == t(10))
    // It is the job's again, with its retries.
    #expect(handle(.wake, &engine, at: 10).settled.map(\.outcome) == [.overlapped])
    #expect(handle(.attemptEnded(.number(1), success), &engine, at: 11).settled.map(\.entry) == [key(0)])
  }

  @Test func `make further attempts of their own run with the token of the new claim`() {
    let retry = RetryPolicy(attempts: 3, backoffFrom: .seconds(1), backoffTo: .seconds(1))
    let jobs = [job("a", every(10)) { $0.retry = retry }]
    var engine = engine(jobs, at: 0)
    handle(.handOver([a]), &engine, at: 1)
    let taken = take(jobs, &engine, at: 3, watermark: -10, open: [granted(0, attempts: 1, token: 7)])
    #expect(taken.starts.isEmpty && engine.runCount == 1)
    _ = handle(.attemptEnded(.number(1), passingFailure), &engine, at: 4)
    let next = handle(.wake, &engine, at: 9)
    #expect(next.starts.map(\.number) == [2] && next.starts.map(\.token) == [7])
  }

  @Test func `keep the order of the configuration`() {
    let jobs = ["a", "b", "c"].map { job($0, every(10)) }
    var engine = engine(jobs, at: 1)
    handle(.handOver([a, name("b")]), &engine, at: 2)
    #expect(engine.statuses(at: t(2)).map(\.name.text) == ["c"])
    handle(.takeOver([TakenJob(name: name("b"))], among: [jobs[1], jobs[2]]), &engine, at: 3)
    handle(.takeOver([TakenJob(name: a)], among: jobs), &engine, at: 4)
    #expect(engine.statuses(at: t(4)).map(\.name.text) == ["a", "b", "c"])
    #expect(handle(.wake, &engine, at: 10).starts.map(\.entry.job.text) == ["a", "b", "c"])
  }

  @Test func `leave entries with an outcome in the store, except open ones and those of another schedule`() {
    var watched = job("a", every(10))
    watched.policies.missed.choice = .all
    watched.policies.overlap = .bufferAll
    func claimed(_ decided: [ClosedRange<Int64>], open: [OpenRun] = []) -> [EntryKey] {
      var engine = engine([], at: 5)
      let taken = TakenJob(
        name: a, watermark: t(0), decided: decided.map { t($0.lowerBound)...t($0.upperBound) }, open: open)
      return engine.handle(.takeOver([taken], among: [watched]), at: t(45)).claims
    }
    #expect(claimed([10...20]) == [30, 40, 50].map { key($0) })
    #expect(claimed([10...30], open: [granted(20, attempts: 0)]) == [20, 40, 50].map { key($0) })
    #expect(claimed([15...30, 40...40]) == [10, 20, 30, 50].map { key($0) }, "no entry is at the first end")
  }

  @Test func `begin now if they are new, stay paused, and do not begin before a watermark that is ahead`() {
    let jobs = [job("a", every(10))]
    var new = engine([], at: 5)
    #expect(take(jobs, &new, at: 35).claims == [key(40)])

    var ahead = engine([], at: 5)
    #expect(take(jobs, &ahead, at: 35, watermark: 50).claims == [key(60)])

    var paused = engine([], at: 5)
    let taken = TakenJob(name: a, watermark: t(0), pausedSince: t(15), isFailing: true)
    #expect(handle(.takeOver([taken], among: jobs), &paused, at: 35).starts.isEmpty)
    #expect(paused.status(of: a, at: t(35))?.pausedSince == t(15) && paused.heldCount(of: a, at: t(35)) == 3)

    var draining = engine([], at: 5)
    handle(.drain(patience: nil), &draining, at: 6)
    #expect(take(jobs, &draining, at: 35).isEmpty)
  }
}
