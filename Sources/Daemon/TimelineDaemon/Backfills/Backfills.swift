import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

/// The backfills. Begins their entries one after the other, and records their progress.
///
/// A backfilled entry is a repetition, as `rerun` makes one. The number of its backfill is written before the claim, and its outcome with
/// the end of its run. So each entry is begun once, also over restarts. The next step follows the end of a run, a reload, a pause or its
/// end. Without an open backfill there is no listener and no timer.
final class Backfills {
  /// The backfills that are kept, ascending by their numbers.
  private(set) var all: [Backfill] = []
  private var work: [Int64: Work] = [:]
  let answers: Answers
  let jobs: LoadedJobs
  let runs: RunBoard
  private let stopping: Stopping
  private let engine: EngineLoop
  let writer: LedgerWriter
  let audit: Audit
  private let subscribers: EventSubscribers
  private let parts: DaemonParts
  private var listener: Int?
  private var delay: Delay?

  /// State of an open backfill beside its record.
  struct Work {
    var queue: BackfillQueue
    /// Repetitions without an outcome: the repeated entries, by their own nominal instants. An earlier daemon may have died before it
    /// made some of them.
    var begun: [WallInstant: WallInstant]
    /// Entries after the recorded position that an earlier daemon had begun.
    var isDone: Set<WallInstant> = []
    var lastBegin: MonotonicInstant?
  }

  init(
    _ parts: DaemonParts, answers: Answers, engine: EngineLoop, jobs: LoadedJobs, runs: RunBoard,
    stopping: Stopping, writer: LedgerWriter, subscribers: EventSubscribers
  ) {
    (self.jobs, self.runs, self.stopping) = (jobs, runs, stopping)
    (self.parts, self.answers, self.engine) = (parts, answers, engine)
    (self.writer, self.subscribers, audit) = (writer, subscribers, Audit(parts, writer))
  }

  /// Continues the backfills of earlier daemons. Comes before the first event of the engine, which settles runs that died with their
  /// daemon.
  func begin() {
    all = writer.backfills()
    for backfill in all where backfill.state.isOpen {
      work[backfill.number] = Work(
        queue: BackfillQueue(backfill), begun: writer.unsettledEntries(of: backfill),
        isDone: writer.begunEntries(of: backfill))
    }
    wake()
  }

  /// Adds a backfill that was requested, and begins its first entry.
  func add(_ backfill: Backfill) {
    work[backfill.number] = Work(queue: BackfillQueue(backfill), begun: [:])
    all.append(backfill)
    writer.note(backfill)
    wake()
  }

  /// Sets the state of an open backfill on request.
  func set(_ state: Backfill.State, of number: Int64) {
    change(number) { backfill in
      backfill.state = state
      if !state.isOpen { backfill.endedAt = parts.clock.now }
    }
    if !state.isOpen { work[number] = nil }
    wake()
  }

  /// The open backfill of a job; `nil` for none.
  func open(of job: JobName) -> Backfill? { all.last { $0.job == job && $0.state.isOpen } }

  /// Number of open backfills.
  var openCount: Int { work.count }

  /// Number for the next backfill.
  var nextNumber: Int64 { (all.last?.number ?? 0) + 1 }

  /// Active and waiting repetitions of an open backfill, by their own nominal instants.
  func active(in backfill: Backfill) -> Set<WallInstant> {
    guard let begun = work[backfill.number]?.begun, !begun.isEmpty else { return [] }
    let running = runs.attempts(of: backfill.job).map(\.entry.nominal)
    return Set(running + engine.state.waitingEntries(of: backfill.job)).intersection(begun.keys)
  }

  private func change(_ number: Int64, _ body: (inout Backfill) -> Void) {
    guard let place = all.lastIndex(where: { $0.number == number }) else { return }
    body(&all[place])
    writer.note(all[place])
  }
}

// Progress.
extension Backfills {
  /// Plans the next step of all open backfills, and follows events as long as there is one.
  private func wake(after length: ElapsedTime = .zero) {
    if let listener, work.isEmpty {
      subscribers.leave(listener)
      self.listener = nil
    } else if listener == nil, !work.isEmpty {
      listener = subscribers.listen { [unowned self] in take($0) }
    }
    delay?.cancel()
    guard !work.isEmpty else { return }
    delay = parts.loop.after(length) { [unowned self] in stepAll() }
  }

  /// Records the progress of runs, and plans a step after each event that can make room.
  private func take(_ event: DaemonEvent) {
    switch event {
    case .started(let attempt):
      guard let origin = attempt.rerun, let number = origin.backfill else { return }
      change(number) { $0.pass(origin.of) }
    case .settled(let record):
      if let origin = record.rerun, let number = origin.backfill { note(record, origin, number) }
      if open(of: record.entry.job) != nil { wake() }
    case .paused, .reloaded, .modeChanged, .clockStepped: wake()
    case .waiting, .progress, .line, .busy, .clockControlled, .stopping: break
    }
  }

  private func note(_ record: EntryRecord, _ origin: RerunOrigin, _ number: Int64) {
    work[number]?.begun[record.entry.nominal] = nil
    change(number) { backfill in
      backfill.pass(origin.of)
      if record.outcome == .succeeded {
        backfill.succeededCount += 1
      } else {
        backfill.failedCount += 1
        backfill.lastFailure = record.entry.nominal
      }
    }
  }

  /// Begins what can begin, and sleeps until something changes.
  private func stepAll() {
    var pause: ElapsedTime?
    for backfill in all where backfill.state.isOpen {
      if let rest = step(backfill.number) { pause = min(pause ?? rest, rest) }
    }
    if let pause { wake(after: pause) }
  }

  /// Does one step of a backfill. Returns after which time the next one follows without an event; `nil` for none.
  private func step(_ number: Int64) -> ElapsedTime? {
    guard let backfill = all.last(where: { $0.number == number }) else { return nil }
    let active = active(in: backfill)
    let begun = work[number]?.begun ?? [:]
    work[number]?.begun = begun.filter { active.contains($0.key) }
    switch BackfillStep(facts(of: backfill)) {
    case .suspend: return nil
    case .wait: return Self.secondLook
    case .rest(let length): return length
    case .begin: break
    }
    guard let job = jobs[backfill.job]?.job, work[number] != nil else { return nil }
    if let portion = work[number]?.queue.portion(of: job.schedule) {
      search(portion, for: backfill, job)
    }
    guard let entry = work[number]?.queue.next() else {
      guard work[number]?.queue.isEmpty == true else { return .zero }
      if active.isEmpty { end(backfill) }
      return nil
    }
    return begin(entry, of: backfill, job)
  }

  private func search(_ portion: Range<WallInstant>, for backfill: Backfill, _ job: Job) {
    guard let known = work[backfill.number] else { return }
    var (entries, from) = ([WallInstant](), WallInstant?.some(portion.lowerBound))
    while let start = from {
      let found = repeatable(in: start..<portion.upperBound, for: backfill.request, of: job)
      entries += found.entries
      from = found.end
    }
    let isBegun = known.isDone.union(known.begun.values)
    work[backfill.number]?.queue.add(entries.filter { !isBegun.contains($0) }, from: portion)
  }

  private func repeatable(
    in stretch: Range<WallInstant>, for request: Backfill.Request, of job: Job
  ) -> GapSearch.Repeatable {
    answers.gapSearch(of: job, from: stretch.lowerBound, until: stretch.upperBound)
      .repeatable(request.outcomes, includingUnrecorded: request.includesUnrecorded)
  }

  /// Begins an entry. Returns after which time the next step follows.
  private func begin(_ entry: WallInstant, of backfill: Backfill, _ job: Job) -> ElapsedTime? {
    let (number, now) = (backfill.number, parts.clock.now)
    // It may have got a success or another repetition since it was found.
    let isStillOpen =
      repeatable(in: entry..<entry + .nanoseconds(1), for: backfill.request, of: job).entries == [entry]
    guard isStillOpen, engine.state.rerunRefusal(job.name, of: entry, at: now) == nil else {
      change(number) { backfill in
        backfill.pass(entry)
        backfill.totalCount = max(backfill.doneCount, backfill.totalCount - 1)
      }
      return .zero
    }
    let origin = RerunOrigin(
      of: entry, number: writer.nextRerunNumber(of: EntryKey(job: job.name, nominal: entry)), backfill: number
    )
    work[number]?.lastBegin = SystemTime.monotonic()
    switch engine.request(.rerun(job.name, origin)) {
    case .started(let own, _), .waiting(let own): work[number]?.begun[own.nominal] = entry
    case .settled: break
    case .taken, nil:
      // The instant of the repetition was taken, or the daemon ends: it is tried at another instant.
      work[number]?.queue.putBack(entry)
      return Self.secondTry
    }
    return .zero
  }

  /// Interval of steps of a backfill that waits: an entry can also end without an event, when another node of a cluster was granted it.
  private static let secondLook = ElapsedTime.minutes(1)
  /// Delay before the second attempt to make a repetition.
  private static let secondTry = ElapsedTime.milliseconds(10)

  /// Ends a backfill whose last entry has ended, and reports failures to the job's reaction.
  private func end(_ backfill: Backfill) {
    set(.ended, of: backfill.number)
    let (good, bad) = (backfill.succeededCount, backfill.failedCount)
    parts.announcer.announce(
      Announcement(
        level: bad > 0 ? .warning : .notice, kind: .operatorAction,
        text: "backfill ended: \(good) succeeded" + (bad > 0 ? ", \(bad) did not" : ""), job: backfill.job))
    guard bad > 0, let own = backfill.lastFailure,
      var record = writer.entry(of: backfill.job, at: own)?.record
    else { return }
    record.incident = IncidentReport(
      kind: .failure, phase: .opened, count: bad, since: backfill.requestedAt)
    engine.post(.backfillsFailed([record]))
  }

  /// Returns what the next step depends on.
  func facts(of backfill: Backfill) -> BackfillStep.Facts {
    var facts = BackfillStep.Facts()
    (facts.state, facts.parallel, facts.pace) = (
      backfill.state, backfill.request.parallel, backfill.request.pace
    )
    facts.isDraining = stopping.isDraining
    facts.isOfCluster = answers.isOfCluster(backfill.job)
    guard let job = jobs[backfill.job]?.job else {
      facts.isConfigured = false
      return facts
    }
    facts.hasItsSchedule = job.schedule.identity == backfill.schedule
    facts.isJobPaused = engine.state.status(of: job.name, at: parts.clock.now)?.pausedSince != nil
    facts.concurrency = job.policies.capacity
    facts.runCount = runs.attempts(of: job.name).count
    facts.ownCount = active(in: backfill).count
    let own = work[backfill.number]?.begun ?? [:]
    facts.waitingCount = engine.state.waitingEntries(of: job.name).count { own[$0] == nil }
    facts.sinceLast = work[backfill.number]?.lastBegin.map { SystemTime.monotonic() - $0 }
    return facts
  }
}
