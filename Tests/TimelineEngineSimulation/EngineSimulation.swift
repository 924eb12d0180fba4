import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineTestSupport

/// A simulation of an engine under faults, decided by dice: late wake-ups, slow ledgers with random answers, full disks,
/// plugins that ignore stops, dying hosts and daemons, clock steps, suspends, reloads, pauses, triggers, stops, a drain.
/// Every event and its effects are checked by ``Invariants``.
struct EngineSimulation {
  /// Faults that are planted to test that ``Invariants`` detects them.
  struct Fault {
    /// Changes the effects before they are checked and performed.
    var doctor: (inout [EngineEffect]) -> Void = { _ in }
    /// Changes a job that is passed to the engine; ``Invariants`` has the original.
    var disguise: (JobDefinition) -> JobDefinition = { $0 }
    /// Changes the limits of groups that are passed to the engine.
    var limits: ([GroupName: Int]) -> [GroupName: Int] = { $0 }
    /// Changes the past that is passed to the next daemon.
    var memory: (inout [JobName: WallInstant], inout [OpenRun]) -> Void = { _, _ in }
    /// Changes the entries ahead of the clock that are passed to an engine.
    var decided: (inout DecidedEntries, ModelLedger) -> Void = { _, _ in }
    /// Changes the jobs that an engine is to hand over.
    var handedOver: (inout Set<JobName>) -> Void = { _ in }
    /// Changes the state of the jobs that an engine takes over.
    var taken: (inout [TakenJob]) -> Void = { _ in }
  }

  /// Kinds of steps, with their probabilities; most steps only advance.
  private enum Happening: String, CustomStringConvertible {
    case goesOn = "goes on"
    case trigger = "triggers"
    case rerun = "repeats an entry"
    case cancel = "cancels"
    case mode = "changes the mode"
    case clockStep = "steps the clock"
    case reload = "reloads"
    case pause = "pauses"
    case resume = "resumes"
    case strangeEnd = "ends a run that is not known"
    case cadence = "changes the cadence or releases"
    case fullDisk = "fills the disk or empties it"
    case crash = "crashes"
    case owners = "changes owners"
    case wake = "wakes early"

    var description: String { rawValue }

    static let table: [Happening] = [
      (goesOn, 72), (trigger, 5), (rerun, 4), (cancel, 3), (mode, 1), (clockStep, 3), (reload, 3), (pause, 3),
      (resume, 3), (strangeEnd, 1), (cadence, 1), (fullDisk, 1), (crash, 2), (mode, 1), (wake, 1),
      (owners, 4),
    ].flatMap { (happening: Happening, count: Int) in Array(repeating: happening, count: count) }
  }

  let seed: UInt64
  var invariants: Invariants
  /// Whether to print each event with its effects, for the diagnosis of a failing seed.
  var isTraced = false
  var eventCount = 0
  var startCount = 0
  var crashCount = 0

  var dice: Dice
  var engine: EngineState
  var jobs: [JobDefinition]
  var groups: [GroupName: Int]
  let claims: ClaimRule
  let mayChange: Bool
  /// Whether the clock is set far ahead now and then, and right again later. Such a simulation has no crashes, because the
  /// ledger does not record that an entry is decided a second time.
  let isClockFarOut: Bool
  /// Length by which the clock is ahead at present.
  var farAhead = ElapsedTime.zero
  var mayCrash: Bool
  /// Whether jobs change their owner, and the jobs that another node owns at present.
  let mayMove: Bool
  var elsewhere: Set<JobName> = []
  /// The last token, and the token of each claim.
  var lastToken: Int64 = 0
  var tokens: [EntryKey: Int64] = [:]
  var now: WallInstant
  var furthest: WallInstant
  var armed: WallInstant?
  var attempts: [(run: RunID, endsAt: WallInstant?)] = []
  /// Attempts that wait for a plugin host, each for a random time.
  var waiting: [Attempt] = []
  /// Reports of the host pool about the present effects.
  var reports: [EngineEvent] = []
  var unanswered: [ClaimAnswer] = []
  var denied: Set<EntryKey> = []
  /// Entries that another node was granted, and that were taken over from that node.
  var grantedElsewhere: Set<EntryKey> = []
  /// Entries that were claimed here, by any daemon.
  var everAsked: Set<EntryKey> = []
  /// The wall time that daemons attended, as far as it was written, and the starts since then, which are only noted.
  var attended: [ClosedRange<WallInstant>] = []
  var noted: [ClosedRange<WallInstant>] = []
  /// The attended time at the end of the last event, for the next write.
  var attendedSoFar: [ClosedRange<WallInstant>] = []
  var ledger: ModelLedger
  var incidents = IncidentWatch()
  /// Number of the last rerun, of any entry.
  var lastRerun = 0
  /// The last entry of a backfill that has ended without a success and was not reported.
  var lastBackfillFailure: EntryRecord?
  let fault: Fault
  /// A second sink that receives the same effects, if there is one.
  var witness: Witness?

  init(seed: UInt64, fault: Fault = Fault(), isClockFarOut: Bool = false) {
    self.init(Dice(seed: seed), fault: fault, isClockFarOut: isClockFarOut)
  }

  /// Makes a simulation that is decided by `dice`, which may replay a written life.
  init(_ dice: Dice, fault: Fault = Fault(), isClockFarOut: Bool = false) {
    var dice = dice
    seed = dice.seed
    self.fault = fault
    let isClockFarOut = dice.fact(isClockFarOut, "the clock is far out now and then")
    self.isClockFarOut = isClockFarOut
    now =
      t(dice.number(in: 101_000...102_000, "first second"))
      + .nanoseconds(dice.number(in: 0...3, "first quarter of a second") * 250_000_000)
    furthest = now
    claims = dice.happens(percent: 75, "claims are asked for") ? .ask : .grant
    mayChange = dice.happens(percent: 50, "the configuration may change")
    mayCrash = claims == .ask && dice.happens(percent: 70, "the daemon may crash") && !isClockFarOut
    mayMove = claims == .ask && dice.happens(percent: 50, "jobs may move") && !isClockFarOut
    jobs = SimulatedJobs.jobs(seed, &dice)
    groups = SimulatedJobs.limits(&dice)
    var watermarks: [JobName: WallInstant] = [:]
    for job in jobs where !job.schedule.isClosedLoop && dice.happens(percent: 30, "a job has a watermark") {
      let age = dice.number(in: -5...200, quietly: 0, "age of the watermark")
      watermarks[job.name] = job.schedule.latest(atOrBefore: now - .seconds(age))
    }
    engine = EngineState(
      jobs: jobs.map(fault.disguise), groups: fault.limits(groups), startedAt: now, watermarks: watermarks,
      seed: seed, claims: claims)
    invariants = Invariants(
      jobs: jobs, groups: groups, seed: seed, startedAt: now, watermarks: watermarks, claims: claims)
    ledger = ModelLedger(jobs: jobs, watermarks: watermarks, at: now)
    self.dice = dice
  }

  /// Runs the simulation until the engine is drained; violations are in ``invariants``.
  mutating func endure(events: Int = 60) {
    handle(.wake)
    for step in 0..<events where invariants.violations.isEmpty {
      dice.enter(.step(step))
      live()
    }
    dice.enter(.end)
    comeToAnEnd()
  }

  /// Resumes all jobs, waits until the clock has passed its furthest instant, and drains.
  private mutating func comeToAnEnd() {
    ledger.isFull = false
    mayCrash = false
    for job in ownJobs { handle(.resume(job.name, catchUp: anyChoice())) }
    answerAll()
    if isClockFarOut {
      step(by: furthest - now)
    } else {
      // No clock shows an instant twice to the nanosecond. If several entries come at one instant, their nominal instants are
      // up to 2 µs later.
      pass(until: furthest + .microseconds(3) + .nanoseconds(dice.number(in: 1...999, "nanoseconds beyond")))
    }
    let others = elsewhere
    if !others.isEmpty { takeOver(others) }
    for name in others.sorted() { handle(.resume(name, catchUp: anyChoice())) }
    let end = furthest
    handle(.wake)
    answerAll()
    handle(.drain(patience: dice.happens(percent: 50, "the drain is bounded") ? patience() : nil))
    // Runs that do not end and have no timeout are stopped by a drain without patience.
    var rounds = 0
    while engine.runCount > 0, rounds < 400, invariants.violations.isEmpty {
      rounds += 1
      if rounds == 200 { handle(.drain(patience: .zero)) }
      advance()
    }
    handle(.wake)
    if invariants.violations.isEmpty { invariants.checkNothingIsLost(until: end) }
  }

  private mutating func live() {
    if isClockFarOut, dice.happens(percent: 8, "steps far") { return stepFar() }
    // Most state can be lost between two attempts, and few simulations get there.
    let isBetweenAttempts = mayCrash && !invariants.backingOff.isEmpty
    if isBetweenAttempts, dice.happens(percent: 5, "crashes between two attempts") { return crash() }
    switch dice.element(of: Happening.table, "what happens") ?? .goesOn {
    case .goesOn: advance()
    case .trigger:
      // A manual trigger is never exactly at a whole second.
      pass(until: now + .nanoseconds(dice.number(in: 1...999_999, "nanoseconds later")))
      handle(.trigger(anyName()))
    case .rerun: repeatEntry()
    case .cancel:
      let runs = attempts.map(\.run) + waiting.map(\.run)
      if let place = dice.place(in: runs, "run", named: { "\($0.number)" }) { handle(.cancel(runs[place])) }
    case .mode: handle(.mode(engine.mode == .normal ? .lowFrequency : .normal))
    case .clockStep: step()
    case .reload: if mayChange { reload() }
    case .pause: handle(.pause(anyName()))
    case .resume: handle(.resume(anyName(), catchUp: anyChoice()))
    case .strangeEnd:
      let number = UInt64(dice.number(in: 0...50, "number of the run")) + 1_000_000
      handle(.attemptEnded(RunID(number: number), success))
    case .cadence:
      if dice.happens(percent: 50, "changes the cadence") {
        handle(.cadence(.minutes))
      } else {
        release(anyName())
      }
    case .fullDisk:
      if mayCrash {
        // Lines that were written before the disk fills are committed.
        commit()
        ledger.isFull = dice.happens(percent: 60, "the disk is full")
      }
    case .crash: if mayCrash { crash() }
    case .owners: if mayMove { changeOwners() }
    case .wake: handle(.wake)
    }
  }

  private mutating func anyName() -> JobName {
    let place = dice.place(in: jobs, "job") { $0.name.text }
    return place.map { jobs[$0].name } ?? name("nobody")
  }

  private mutating func anyChoice() -> MissedPolicy.Choice {
    dice.element(of: MissedPolicy.Choice.allCases, "catch-up") ?? .latest
  }

  mutating func patience() -> ElapsedTime {
    .seconds(dice.number(in: 0...30, "patience of the drain"))
  }
}
