import TimelineCore
import TimelineEngine

/// Watches an engine's events and effects, and says what must never be.
///
/// It knows the rules and nothing of how the engine keeps them: it sees the stream alone, and asks the schedules.
struct Invariants {
  /// What was found wrong, in words.
  private(set) var violations: [String] = []

  private struct InFlight {
    var entry: EntryKey
    var attempts = 1
    var isAwaited = true
    var wasAsked = false
    var wasKilled = false
  }

  private struct Watched {
    var definition: JobDefinition
    /// Since when all entries must be accounted for; `nil` when a reload made that hard to say.
    var since: WallInstant?
    var hasChanged = false
    var settled: Set<WallInstant> = []
    var lastStarted: WallInstant = .min
  }

  private var jobs: [JobName: Watched] = [:]
  /// In a reload, what is being taken over: entries due at its instant can go by the old rules or by the new.
  private var upcoming: [JobName: JobDefinition] = [:]
  private var claimsMatter: Bool
  private var won: Set<EntryKey> = []
  private var lost: Set<EntryKey> = []
  private var inFlight: [RunID: InFlight] = [:]
  private var lastRun = RunID(number: 0)
  private var armed: WallInstant?
  private var isDraining = false
  private var isDrained = false
  private var wentBack = false

  init(jobs: [JobDefinition], startedAt: WallInstant, remembered: [JobName: WallInstant], claims: ClaimRule) {
    for job in jobs {
      let since = remembered[job.name].map { $0 + .nanoseconds(1) } ?? startedAt
      self.jobs[job.name] = Watched(definition: job, since: since)
    }
    self.claimsMatter = claims == .ask
  }

  /// The clock was set back, whatever the engine was told of it: instants can lie ahead of the clock from now on.
  mutating func clockWentBack() { wentBack = true }

  private mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { violations.append(sentence()) }
  }

  /// Looks at one event, the effects of it, and what the engine says of itself afterwards.
  mutating func check(
    _ event: EngineEvent, at now: WallInstant, _ effects: [EngineEffect], _ engine: EngineState
  ) {
    if isDrained { require(effects.isEmpty, "effects after drained: \(effects)") }
    note(event)
    for (position, effect) in effects.enumerated() {
      switch effect {
      case .arm(let deadline):
        require(deadline.map { $0 > now } ?? true, "armed for what has passed")
        armed = deadline
      case .claim: break
      case .withdraw(let keys):
        for key in keys { won.remove(key) }
      case .start(let attempt): started(attempt, now)
      case .askToStop(let run, _):
        require(
          inFlight[run].map { !$0.wasAsked && $0.isAwaited } ?? false, "run \(run) was asked to stop twice")
        inFlight[run]?.wasAsked = true
      case .kill(let run, _):
        require(inFlight[run].map { !$0.wasKilled && $0.isAwaited } ?? false, "run \(run) was killed twice")
        inFlight[run]?.wasKilled = true
      case .settle(let record): settled(record, now)
      case .notePause: break
      case .drained:
        require(isDraining && inFlight.isEmpty, "drained while runs were in flight")
        require(position == effects.count - 1, "something after drained")
        isDrained = true
      }
    }
    if case .reload(let definitions, groups: _) = event { reloaded(definitions) }
    require(armed == engine.nextDeadline, "armed for another instant than the first deadline")
    require(engine.runCount == inFlight.count, "the engine counts other runs than were started")
    require(!isDraining || isDrained || !inFlight.isEmpty, "nothing runs and drained was not said")
  }

  private mutating func note(_ event: EngineEvent) {
    switch event {
    case .claimsAnswered(let answers):
      for answer in answers {
        switch answer.verdict {
        case .won: won.insert(answer.entry)
        case .lost: lost.insert(answer.entry)
        case .unknown:
          if jobs[answer.entry.job]?.definition.policies.delivery == .atLeastOnce { won.insert(answer.entry) }
        }
      }
    case .attemptEnded(let run, _): inFlight[run]?.isAwaited = false
    case .drain: isDraining = true
    case .reload(let definitions, groups: _):
      for definition in definitions {
        upcoming[definition.name] = definition
        jobs[definition.name] = jobs[definition.name] ?? Watched(definition: definition, since: nil)
      }
    default: break
    }
  }

  private mutating func started(_ attempt: Attempt, _ now: WallInstant) {
    require(!isDraining, "a run started while draining")
    require(attempt.startedAt == now, "an attempt that started at another time")
    if var run = inFlight[attempt.run] {
      require(!run.isAwaited && attempt.number == run.attempts + 1, "attempts of run \(attempt.run) overlap")
      run.attempts += 1
      run.isAwaited = true
      inFlight[attempt.run] = run
      return
    }
    require(attempt.number == 1, "run \(attempt.run) begins with attempt \(attempt.number)")
    require(attempt.run > lastRun, "run numbers do not ascend")
    lastRun = attempt.run
    let key = attempt.entry
    guard let job = jobs[key.job] else { return violations.append("a run of the unknown job \(key.job)") }
    // The clock can show a closed loop the same instant twice; a schedule's own instants come once.
    let mayRepeat = wentBack && job.definition.schedule.isClosedLoop
    require(mayRepeat || !job.settled.contains(key.nominal), "\(key) fired after it was settled")
    require(!inFlight.values.contains { $0.entry == key }, "\(key) fired twice")
    if job.definition.policies.overlap != .allowAll, upcoming[key.job]?.policies.overlap != .allowAll {
      require(!inFlight.values.contains { $0.entry.job == key.job }, "\(key) overlaps another run")
    }
    // What fell due before a reload may have done so by a schedule that is too fast to be claimed.
    if claimsMatter, !job.definition.schedule.firesMoreThanOncePerSecond, !job.hasChanged,
      upcoming[key.job] ?? job.definition == job.definition
    {
      require(won.contains(key), "\(key) fired without its claim")
    }
    require(wentBack || now >= key.nominal || attempt.cause == .trigger, "\(key) fired before its instant")
    if attempt.cause != .trigger, !job.definition.schedule.isClosedLoop {
      require(key.nominal > job.lastStarted, "\(key) fired after a later entry")
      jobs[key.job]?.lastStarted = key.nominal
    }
    inFlight[attempt.run] = InFlight(entry: key)
  }

  private mutating func settled(_ record: EntryRecord, _ now: WallInstant) {
    require(record.endedAt == now, "settled at another time")
    let didRun = record.run != nil
    require(record.disposition.ran == didRun || record.disposition == .unknown, "\(record) ran?")
    if let run = record.run {
      require(inFlight[run]?.entry == record.entry, "run \(run) settled what it did not run")
      require(record.entryCount == 1, "a run settles one entry")
      inFlight[run] = nil
    }
    // Of several that were jumped over nobody has asked whose they are.
    let isOthers = lost.contains(record.entry) && record.entryCount == 1
    require(!isOthers, "\(record.entry) was settled here although another won it")
    for nominal in nominals(of: record) {
      let isNew = jobs[record.entry.job]?.settled.insert(nominal).inserted ?? true
      let isLoop = jobs[record.entry.job]?.definition.schedule.isClosedLoop ?? false
      require(isNew || wentBack && isLoop, "\(record.entry.job) \(nominal) was settled twice")
    }
  }

  /// The instants that a record stands for, by the job's schedule.
  private mutating func nominals(of record: EntryRecord) -> [WallInstant] {
    guard record.entryCount > 1, let schedule = jobs[record.entry.job]?.definition.schedule else {
      require(record.firstNominal == record.entry.nominal, "one entry that begins elsewhere")
      return [record.entry.nominal]
    }
    var nominals = [record.firstNominal]
    while let next = schedule.next(after: nominals[nominals.count - 1]), next <= record.entry.nominal {
      nominals.append(next)
    }
    require(nominals.count == record.entryCount, "\(record) stands for \(nominals.count) entries")
    require(nominals.last == record.entry.nominal, "\(record) does not end with an entry")
    return nominals
  }

  private mutating func reloaded(_ definitions: [JobDefinition]) {
    upcoming = [:]
    for (name, job) in jobs where !definitions.contains(job.definition) {
      jobs[name]?.since = nil
      jobs[name]?.hasChanged = true
    }
    for definition in definitions where jobs[definition.name]?.definition != definition {
      jobs[definition.name] = Watched(
        definition: definition, since: nil, hasChanged: true, settled: jobs[definition.name]?.settled ?? [],
        lastStarted: jobs[definition.name]?.lastStarted ?? .min)
    }
  }

  /// Looks for entries that were lost: of jobs that stayed as they were all must be settled up to `end`.
  mutating func checkNothingIsLost(until end: WallInstant) {
    let endless = inFlight.keys.sorted()
    require(endless.isEmpty, "runs without an end: \(endless)")
    for (name, job) in jobs {
      guard let since = job.since, !job.definition.schedule.isClosedLoop else { continue }
      var next = job.definition.schedule.next(after: since - .nanoseconds(1))
      while let nominal = next, nominal <= end {
        let isOthers = lost.contains(EntryKey(job: name, nominal: nominal))
        if !isOthers, !job.settled.contains(nominal) { violations.append("\(name) \(nominal) was lost") }
        next = job.definition.schedule.next(after: nominal)
      }
    }
  }
}
