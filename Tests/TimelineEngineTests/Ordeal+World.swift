import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// Events around the daemon: time, plugins that end, ledgers that answer, people who change their minds.
extension Ordeal {
  /// Goes on to the next thing that is due, often a little later and sometimes much.
  mutating func advance() {
    if !unanswered.isEmpty, random.happens(percent: 60) { return answer() }
    if !waiting.isEmpty, random.happens(percent: 20) {
      return serve(Int.random(in: waiting.indices, using: &random))
    }
    var first: (offset: Int, at: WallInstant)?
    for (offset, attempt) in attempts.enumerated() {
      if let at = attempt.endsAt, first.map({ at < $0.at }) ?? true { first = (offset, at) }
    }
    if let first, first.at <= armed ?? .max {
      pass(until: first.at)
      let run = attempts.remove(at: first.offset).run
      let outcome = [success, success, failure, passingFailure, AttemptResult(status: .cancelled)]
      var result = outcome.randomElement(using: &random) ?? success
      result.hasOutput = random.happens(percent: 30)
      // The daemon may have asked the run to stop before it read that the attempt had ended.
      result.precededStop = random.happens(percent: 10)
      // Another end that has been read may follow, or whatever else comes next.
      let isLast = !attempts.contains { $0.endsAt.map { $0 <= now } ?? false } || random.happens(percent: 50)
      handle(.attemptEnded(run, result), isLast: isLast)
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

  mutating func pass(until instant: WallInstant) {
    now = max(now, instant)
    furthest = max(furthest, now)
  }

  mutating func answerAll() {
    while !unanswered.isEmpty, invariants.violations.isEmpty { answer() }
  }

  private mutating func answer() {
    let count = Int.random(in: 1...unanswered.count, using: &random)
    let answers = Array(unanswered.prefix(count))
    unanswered.removeFirst(count)
    handle(.claimsAnswered(answers))
  }

  /// Writes a claim down, or finds that it cannot be; the answer comes when it comes.
  mutating func claim(_ key: EntryKey) -> ClaimAnswer {
    var verdict = ledger.verdict(on: key)
    let roll = denied.contains(key) ? 0 : random.seconds(0...19)
    // Nobody else wins what this machine has asked for before.
    if everAsked.insert(key).inserted, roll == 0 {
      denied.insert(key)
      verdict = .denied
    } else if roll == 1, verdict == .granted {
      verdict = .unknown
    }
    guard verdict == .granted else {
      invariants.isUnwritten(key)
      return ClaimAnswer(entry: key, verdict: verdict)
    }
    ledger.write(.claim(key))
    // The same claim has the same token.
    return ClaimAnswer(entry: key, verdict: verdict, token: tokens[key] ?? nextToken(for: key))
  }

  /// The clock on the wall is set, or the machine was suspended.
  mutating func step() {
    var length = ElapsedTime.seconds(random.seconds(-60...120))
    switch random.seconds(0...11) {
    case 0: length = .seconds(1)
    case 1: length = .seconds(-1)
    case 2: length = .hours(1)
    case 3: length = .hours(-1)
    case 4: length = furthest - now + .seconds(30)
    default: break
    }
    step(by: length)
  }

  /// An operator lets a job go on that waits for the clock.
  mutating func release(_ name: JobName) {
    guard !ledger.isFull, engine.status(of: name, at: now)?.settledThrough != nil else { return }
    commit()
    ledger.release(name, at: now)
    handle(.release(name))
  }

  /// The clock is set far ahead, or if it is, back to about where it was.
  mutating func stepFar() {
    let change = farAhead > .zero ? .zero - farAhead : ElapsedTime.hours(30)
    farAhead = farAhead + change
    step(by: change)
  }

  mutating func step(by length: ElapsedTime) {
    now = now + length
    furthest = max(furthest, now)
    attempts = attempts.map { ($0.run, $0.endsAt.map { $0 + length }) }
    let told = random.happens(percent: 70) ? length : .zero
    var decided = ledger.decided(after: now)
    fault.decided(&decided)
    handle(.clockStepped(by: told, decided: decided), wentBack: length < .zero)
  }

  /// Somebody edits the configuration: jobs come, go, change and change places, and so do limits.
  mutating func reload() {
    if random.happens(percent: 60), let position = jobs.indices.randomElement(using: &random),
      !elsewhere.contains(jobs[position].name)
    {
      switch random.seconds(0...6) {
      case 0: jobs.remove(at: position)
      case 1: jobs[position].revision += 1
      case 2: jobs[position].policies.priority += 1
      case 3: jobs[position].policies.groups = random.happens(percent: 50) ? [OrdealJobs.groups[0]] : []
      case 4: jobs[position].timing = OrdealJobs.timing(&random)
      case 5: jobs[position].policies.concurrency = Int(random.seconds(1...3))
      default: jobs[position].policies.overlap = .skip
      }
    }
    if random.happens(percent: 40) {
      let number = (0..<20).first { number in !jobs.contains { $0.name == name("job\(number)") } } ?? 20
      jobs.append(OrdealJobs.job(number, &random, around: now.nanosecondsSinceEpoch / 1_000_000_000))
    }
    if random.happens(percent: 30) { jobs.shuffle(using: &random) }
    if random.happens(percent: 30) { groups = OrdealJobs.limits(&random) }
    invariants.stories.isExact = false
    // It has been read since whatever else has happened.
    pass(until: now + .microseconds(1))
    commit()
    ledger.adopt(jobs, at: now)
    handle(.reload(ownJobs.map(fault.disguise), groups: fault.limits(groups)))
  }

  /// Looks whether the places in the effects are those of the jobs that are named; a reload's may be of before it.
  mutating func checkPlaces(_ effects: [EngineEffect], after event: EngineEvent) {
    switch event {
    case .reload, .takeOver, .handOver: return
    default: break
    }
    let jobs = ownJobs
    for effect in effects {
      let keys: [EntryKey]
      switch effect {
      case .claim(let claimed): keys = claimed
      case .start(let attempt): keys = [attempt.entry]
      case .settle(let record): keys = [record.entry]
      default: keys = []
      }
      for key in keys {
        // What another daemon left has no place, and what was removed while it ran has one after all others.
        guard let index = key.jobSlot.index, index < jobs.count else { continue }
        invariants.require(jobs[index].name == key.job, "\(key) is said to be of \(jobs[index].name)")
      }
    }
  }
}
