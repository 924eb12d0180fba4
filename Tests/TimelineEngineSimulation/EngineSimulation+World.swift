import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineTestSupport

/// Events around the daemon: time, ends of plugins, answers of ledgers, changes by operators.
extension EngineSimulation {
  /// Ends of a run, with their probabilities.
  private enum End {
    case succeeds, fails, failsForNow, isCancelled

    static let table = [succeeds, succeeds, fails, failsForNow, isCancelled]

    var result: AttemptResult {
      switch self {
      case .succeeds: success
      case .fails: failure
      case .failsForNow: passingFailure
      case .isCancelled: AttemptResult(status: .cancelled)
      }
    }
  }

  /// Lengths by which the clock is set, with their probabilities.
  private enum Step {
    case second, secondBack, hour, hourBack, beyond, asDrawn

    static let table = [second, secondBack, hour, hourBack, beyond] + Array(repeating: asDrawn, count: 7)
  }

  /// Changes of a job in a reload.
  private enum Change: CaseIterable {
    case goes, revision, priority, groups, timing, concurrency, skips
  }

  /// Answers to claims, with their probabilities.
  private static let verdicts: [ClaimAnswer.Verdict] =
    [.denied, .unknown] + Array(repeating: .granted, count: 18)

  /// Advances to the next event that is due, often a little late and sometimes very late.
  mutating func advance() {
    if !unanswered.isEmpty, dice.happens(percent: 60, quietly: true, "claims are answered") {
      return answer()
    }
    if !waiting.isEmpty, dice.happens(percent: 20, "a waiting run gets its turn") {
      return serve(dice.place(in: waiting, "run that gets a host") { "\($0.run.number)" } ?? 0)
    }
    var first: (offset: Int, at: WallInstant)?
    for (offset, attempt) in attempts.enumerated() {
      if let at = attempt.endsAt, first.map({ at < $0.at }) ?? true { first = (offset, at) }
    }
    if let first, first.at <= armed ?? .max {
      pass(until: first.at)
      let run = attempts.remove(at: first.offset).run
      var result = (dice.element(of: End.table, "how a run ends") ?? .succeeds).result
      result.hasOutput = dice.happens(percent: 30, "has output")
      // The daemon may have asked the run to stop before it read that the attempt had ended.
      result.precededStop = dice.happens(percent: 10, "ended before its stop")
      // Another end that has been read may follow, or any other event.
      let isLast =
        !attempts.contains { $0.endsAt.map { $0 <= now } ?? false }
        || dice.happens(percent: 50, quietly: true, "no other end was read")
      handle(.attemptEnded(run, result), isLast: isLast)
    } else if let armed {
      pass(until: armed)
      if dice.happens(percent: 20, "wakes late") {
        pass(until: now + .milliseconds(dice.number(in: 1...2_000, "milliseconds late")))
      }
      if dice.happens(percent: 3, "wakes very late") {
        pass(until: now + .seconds(dice.number(in: 1...90, "seconds late")))
      }
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
    let all = Int64(unanswered.count)
    let count = Int(dice.number(in: 1...all, quietly: all, "answers"))
    let answers = Array(unanswered.prefix(count))
    unanswered.removeFirst(count)
    handle(.claimsAnswered(answers))
  }

  /// Writes a claim, or finds that it cannot be written; the answer comes later.
  mutating func claim(_ key: EntryKey) -> ClaimAnswer {
    var verdict = ledger.verdict(on: key)
    let isDenied = denied.contains(key)
    let answer = isDenied ? .denied : dice.element(of: Self.verdicts, quietly: 2, "claim") ?? .granted
    let isFirst = everAsked.insert(key).inserted
    // Only the first claim of an entry can be denied. A denied entry stays with the other machine.
    if answer == .denied, isFirst || isDenied {
      denied.insert(key)
      verdict = .denied
    } else if answer == .unknown, verdict == .granted {
      verdict = .unknown
    }
    guard verdict == .granted else {
      invariants.isUnwritten(key)
      return ClaimAnswer(entry: key, verdict: verdict)
    }
    ledger.write(.claim(key))
    // A repeated claim gets the same token.
    return ClaimAnswer(entry: key, verdict: verdict, token: tokens[key] ?? nextToken(for: key))
  }

  /// Sets the wall clock, or suspends the machine.
  mutating func step() {
    var length = ElapsedTime.seconds(dice.number(in: -60...120, quietly: 0, "seconds of a step"))
    switch dice.element(of: Step.table, quietly: 5, "step") ?? .asDrawn {
    case .second: length = .seconds(1)
    case .secondBack: length = .seconds(-1)
    case .hour: length = .hours(1)
    case .hourBack: length = .hours(-1)
    case .beyond: length = furthest - now + .seconds(30)
    case .asDrawn: break
    }
    step(by: length)
  }

  /// Releases a job that waits for the clock, as an operator does.
  mutating func release(_ name: JobName) {
    guard !ledger.isFull, engine.status(of: name, at: now)?.settledThrough != nil else { return }
    commit()
    ledger.release(name, at: now)
    handle(.release(name))
  }

  /// Repeats an entry of a job, as an operator does. Entries that cannot be repeated are among those that are asked for.
  mutating func repeatEntry() {
    pass(until: now + .nanoseconds(dice.number(in: 1...999_999, "nanoseconds before a rerun")))
    let age = dice.number(in: 0...120, quietly: 0, "age of the repeated entry")
    guard let place = dice.place(in: jobs, "job of the rerun", named: \.name.text),
      let nominal = jobs[place].schedule.latest(atOrBefore: now - .seconds(age))
    else { return }
    lastRerun += 1
    let backfill = dice.number(in: 0...3, quietly: 0, "number of the backfill")
    handle(
      .rerun(
        jobs[place].name,
        RerunOrigin(of: nominal, number: lastRerun, backfill: backfill == 0 ? nil : Int64(backfill))))
    guard let record = lastBackfillFailure,
      dice.happens(percent: 20, quietly: false, "a backfill ends with failures")
    else { return }
    lastBackfillFailure = nil
    handle(.backfillsFailed([record]))
  }

  /// Sets the clock 30 hours ahead, or back by the same length if it is ahead.
  mutating func stepFar() {
    let change = farAhead > .zero ? .zero - farAhead : ElapsedTime.hours(30)
    farAhead = farAhead + change
    step(by: change)
  }

  mutating func step(by length: ElapsedTime) {
    now = now + length
    furthest = max(furthest, now)
    attempts = attempts.map { ($0.run, $0.endsAt.map { $0 + length }) }
    let told = dice.happens(percent: 70, quietly: true, "the length of a step is known") ? length : .zero
    var decided = ledger.decided(after: now)
    fault.decided(&decided, ledger)
    handle(.clockStepped(by: told, decided: decided), wentBack: length < .zero)
  }

  /// Reloads an edited configuration: jobs are added, removed, changed and reordered, and limits change.
  mutating func reload() {
    if dice.happens(percent: 60, "a job changes"),
      let position = dice.place(in: jobs, "job that changes", named: \.name.text),
      !elsewhere.contains(jobs[position].name)
    {
      change(position)
    }
    for position in jobs.indices
    where jobs[position].schedule.movesEntries && !elsewhere.contains(jobs[position].name)
      && dice.happens(percent: 60, "a holiday is removed")
    {
      jobs[position].schedule = SimulatedMoves.withoutHolidays(jobs[position].schedule)
    }
    if dice.happens(percent: 40, "a job comes") {
      let number = (0..<20).first { number in !jobs.contains { $0.name == name("job\(number)") } } ?? 20
      jobs.append(SimulatedJobs.job(number, &dice, around: now.nanosecondsSinceEpoch / 1_000_000_000))
    }
    if dice.happens(percent: 30, "jobs change places") { dice.shuffle(&jobs, "order of the jobs") }
    if dice.happens(percent: 30, "limits change") { groups = SimulatedJobs.limits(&dice) }
    invariants.stories.isExact = false
    // The configuration was read after all other events.
    pass(until: now + .microseconds(1))
    commit()
    ledger.adopt(jobs, at: now)
    handle(.reload(ownJobs.map(fault.disguise), groups: fault.limits(groups)))
  }

  private mutating func change(_ position: Int) {
    switch dice.element(of: Change.allCases, quietly: 6, "change") ?? .skips {
    case .goes: jobs.remove(at: position)
    case .revision: jobs[position].revision += 1
    case .priority: jobs[position].policies.priority += 1
    case .groups:
      jobs[position].policies.groups =
        dice.happens(percent: 50, "has a group") ? [SimulatedJobs.groups[0]] : []
    case .timing: jobs[position].timing = SimulatedJobs.timing(&dice)
    case .concurrency:
      jobs[position].policies.concurrency = Int(dice.number(in: 1...3, "new concurrency"))
    case .skips: jobs[position].policies.overlap = .skip
    }
  }

  /// Checks that the positions in the effects are those of the named jobs. The effects of a reload, takeover or handover are
  /// not checked, because their positions may be from before the event.
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
        // Entries that another daemon left have no position, and jobs that were removed while they ran come after all others.
        guard let index = key.jobSlot.index, index < jobs.count else { continue }
        invariants.require(jobs[index].name == key.job, "\(key) is said to be of \(jobs[index].name)")
      }
    }
  }
}
