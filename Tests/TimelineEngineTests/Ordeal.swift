import TimelineCore
import TimelineEngine

/// A hard life for an engine, all of it decided by a seed: late wakes, slow and odd ledgers, deaf plugins, clock
/// steps, reloads, triggers, stops, a drain; every event and its effects are shown to a watcher.
struct Ordeal {
  let seed: UInt64
  private(set) var invariants: Invariants
  /// Whether to print what happens: the first thing to turn to when a seed fails.
  var isTraced = false
  private(set) var eventCount = 0
  private(set) var startCount = 0

  private var random: Seeded
  private var engine: EngineState
  private var jobs: [JobDefinition]
  private let claims: ClaimRule
  private let mayChange: Bool
  private var now: WallInstant
  private var furthest: WallInstant
  private var armed: WallInstant?
  private var attempts: [(run: RunID, endsAt: WallInstant?)] = []
  private var unanswered: [EntryKey] = []
  private var lost: Set<EntryKey> = []
  private let doctor: (inout [EngineEffect]) -> Void

  init(seed: UInt64, doctor: @escaping (inout [EngineEffect]) -> Void = { _ in }) {
    var random = Seeded(seed: seed)
    self.seed = seed
    self.doctor = doctor
    self.now = t(random.seconds(1_000...2_000)) + .nanoseconds(random.seconds(0...3) * 250_000_000)
    self.furthest = now
    self.claims = random.happens(percent: 60) ? .ask : .takeAsWon
    self.mayChange = random.happens(percent: 50)
    self.jobs = (0..<Int.random(in: 1...6, using: &random)).map { Self.job($0, &random, around: t(1_500)) }
    var remembered: [JobName: WallInstant] = [:]
    for job in jobs where !job.schedule.isClosedLoop && random.happens(percent: 30) {
      remembered[job.name] = job.schedule.latest(atOrBefore: now - .seconds(random.seconds(-5...200)))
    }
    self.engine = EngineState(jobs: jobs, startedAt: now, remembered: remembered, claims: claims)
    self.invariants = Invariants(jobs: jobs, startedAt: now, remembered: remembered, claims: claims)
    self.random = random
  }

  private static func job(_ number: Int, _ random: inout Seeded, around: WallInstant) -> JobDefinition {
    let schedule: ScheduleRule
    switch random.seconds(0...5) {
    case 0: schedule = loop(.milliseconds(random.seconds(100...5_000)), isPaused: random.happens(percent: 10))
    case 1:
      var instants: Set<Int64> = []
      for _ in 0..<random.seconds(1...12) { instants.insert(random.seconds(900...2_500)) }
      schedule = explicit(instants.sorted())
    case 2: schedule = every(.milliseconds(random.seconds(200...900)), from: t(random.seconds(0...1_600)))
    default: schedule = every(.seconds(random.seconds(1...40)), from: t(random.seconds(0...1_600)))
    }
    var policies = JobPolicies()
    if random.happens(percent: 60) { policies.timeout = .milliseconds(random.seconds(500...20_000)) }
    policies.grace = .seconds(random.seconds(0...4))
    policies.priority = Int(random.seconds(-1...1))
    if random.happens(percent: 50) {
      policies.overlap = OverlapPolicy.allCases.randomElement(using: &random) ?? .skip
    }
    policies.missed = MissedPolicy(
      choice: MissedPolicy.Choice.allCases.randomElement(using: &random) ?? .latest,
      window: random.happens(percent: 20) ? .seconds(random.seconds(2...30)) : nil)
    if random.happens(percent: 30) {
      policies.retry = RetryPolicy(attempts: 3, backoffFrom: .seconds(1), backoffTo: .seconds(4))
    }
    if random.happens(percent: 30) { policies.delivery = .atLeastOnce }
    return JobDefinition(name: name("job\(number)"), schedule: schedule, policies: policies)
  }

  private static func explicit(_ seconds: [Int64]) -> ScheduleRule {
    do { return .explicit(try ExplicitSchedule(seconds.map(t))) } catch { preconditionFailure("\(error)") }
  }

  /// Lives through it to the drained end; what was found wrong is in ``invariants``.
  mutating func endure(events: Int = 100) {
    handle(.wake)
    for _ in 0..<events where invariants.violations.isEmpty { live() }
    handle(.drain(patience: random.happens(percent: 50) ? .seconds(random.seconds(0...30)) : nil))
    // Deaf runs without a timeout are stopped by hand in the end.
    var rounds = 0
    while engine.runCount > 0, rounds < 2_000, invariants.violations.isEmpty {
      rounds += 1
      if rounds == 1_000 { handle(.drain(patience: .zero)) }
      advance()
    }
    let end = furthest
    for _ in 0..<5 { handle(.wake) }
    invariants.checkNothingIsLost(until: end)
  }

  private mutating func live() {
    switch random.seconds(0...99) {
    case 0...79: advance()
    case 80...84:
      // People do not hit a whole second to the nanosecond.
      pass(until: now + .nanoseconds(random.seconds(1...999_999)))
      handle(.trigger(jobs.randomElement(using: &random)?.name ?? name("nobody")))
    case 85...87:
      if let run = attempts.randomElement(using: &random)?.run { handle(.cancel(run)) }
    case 88...89: handle(.mode(random.happens(percent: 50) ? .normal : .lowFrequency))
    case 90...93: step()
    case 94...96: if mayChange { reload() }
    case 97: handle(.attemptEnded(RunID(number: UInt64(random.seconds(0...50)) + 1_000_000), success))
    case 98: handle(.cadence(.minutes))
    default: handle(.wake)
    }
  }

  /// Goes on to the next thing that is due, often a little later and sometimes much.
  private mutating func advance() {
    if !unanswered.isEmpty, random.happens(percent: 60) { return answer() }
    let ending = attempts.enumerated().filter { $0.element.endsAt != nil }
      .min { ($0.element.endsAt ?? .max) < ($1.element.endsAt ?? .max) }
    let due = armed ?? .max
    if let ending, let instant = ending.element.endsAt, instant <= due {
      pass(until: instant)
      attempts.remove(at: ending.offset)
      let outcome = [success, success, failure, passingFailure, AttemptOutcome(status: .cancelled)]
      handle(.attemptEnded(ending.element.run, outcome.randomElement(using: &random) ?? success))
    } else if let armed {
      pass(until: armed)
      if random.happens(percent: 20) { pass(until: now + .milliseconds(random.seconds(1...2_000))) }
      if random.happens(percent: 3) { pass(until: now + .seconds(random.seconds(1...90))) }
      handle(.wake)
    } else {
      if unanswered.isEmpty { pass(until: now + .seconds(1)) } else { answer() }
      handle(.wake)
    }
  }

  private mutating func pass(until instant: WallInstant) {
    now = max(now, instant)
    furthest = max(furthest, now)
  }

  private mutating func answer() {
    let count = Int.random(in: 1...unanswered.count, using: &random)
    let answers = unanswered.prefix(count).map { key -> ClaimAnswer in
      let roll = lost.contains(key) ? 0 : random.seconds(0...19)
      if roll == 0 { lost.insert(key) }
      return ClaimAnswer(entry: key, verdict: roll == 0 ? .lost : roll == 1 ? .unknown : .won)
    }
    unanswered.removeFirst(count)
    handle(.claimsAnswered(answers))
  }

  private mutating func step() {
    let length = ElapsedTime.seconds(random.seconds(-60...120))
    now = now + length
    furthest = max(furthest, now)
    attempts = attempts.map { ($0.run, $0.endsAt.map { $0 + length }) }
    handle(.clockStepped(by: random.happens(percent: 70) ? length : .zero), wentBack: length < .zero)
  }

  private mutating func reload() {
    if random.happens(percent: 60), !jobs.isEmpty {
      let position = Int.random(in: 0..<jobs.count, using: &random)
      switch random.seconds(0...3) {
      case 0: jobs.remove(at: position)
      case 1: jobs[position].revision += 1
      case 2: jobs[position].policies.priority += 1
      default: jobs[position].policies.overlap = .skip
      }
    }
    if random.happens(percent: 40) {
      let number = (0..<20).first { number in !jobs.contains { $0.name == name("job\(number)") } } ?? 20
      jobs.append(Self.job(number, &random, around: now))
    }
    if random.happens(percent: 30) { jobs.shuffle(using: &random) }
    handle(.reload(jobs))
  }

  private mutating func handle(_ event: EngineEvent, wentBack: Bool = false) {
    eventCount += 1
    var effects = engine.handle(event, at: now)
    doctor(&effects)
    if isTraced { print(now, event, effects.map { "\n      \($0)" }.joined()) }
    if wentBack { invariants.clockWentBack() }
    invariants.check(event, at: now, effects, engine)
    for effect in effects {
      switch effect {
      case .arm(let deadline): armed = deadline
      case .claim(let keys): unanswered += keys
      case .withdraw(let keys): unanswered.removeAll { keys.contains($0) }
      case .start(let attempt):
        startCount += 1
        let isEndless = random.happens(percent: 5)
        let length = ElapsedTime.milliseconds(random.happens(percent: 50) ? 0 : random.seconds(1...30_000))
        attempts.append((attempt.run, isEndless ? nil : now + length))
      case .askToStop(let run, _):
        if random.happens(percent: 70) { end(run, after: .milliseconds(random.seconds(0...5_000))) }
      case .kill(let run, _): end(run, after: .milliseconds(random.seconds(0...10)))
      case .settle, .notePause, .drained: break
      }
    }
  }

  private mutating func end(_ run: RunID, after delay: ElapsedTime) {
    for index in attempts.indices where attempts[index].run == run { attempts[index].endsAt = now + delay }
  }
}
