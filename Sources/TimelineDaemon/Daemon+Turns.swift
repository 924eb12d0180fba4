import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelinePlugins
import TimelineSystem
import TimelineSystemd

// The one loop of events and effects.
extension Daemon {
  /// What is under way in a turn of the loop.
  struct Turn {
    /// Events that the engine has not taken in.
    var inbox = Queue<EngineEvent>()
    /// The run of which an attempt has ended by the event at hand.
    var ended: RunID?
    /// What the event at hand led to.
    var effects: [EngineEffect] = []
    /// When each start among the effects was made, in their order.
    var startedAt = Queue<WallInstant>()
    /// What has been settled by the effects at hand, to be told when all of them are performed.
    var settled = Queue<(record: EntryRecord, story: EntryKey?)>()
    /// What plugins said while effects were being performed.
    var reports: [PluginEvent] = []
    /// Whether effects are being performed.
    var isPerforming = false
    /// Whether the inbox is being emptied.
    var isTaking = false
    /// Whether the end of the loop's turn has something to do, and whether that follows from an effect.
    var hasEnd = false
    var hadEffects = false
    /// The deadline that is come up to: nothing but what makes starts ready is done before it.
    var ahead: WallInstant?
    /// Whether the last of the time to it is spun.
    var isSpun = false
    /// Whether it has been told that more is to be spun for than may be.
    var hasToldOfSpins = false
    /// What the clock was armed for last, and about how many entries fall due then, at most ``Approach/entriesMax``.
    var armedAt: WallInstant?
    var armedCount = 0

    /// Makes room at once for what follows from a wake of very many entries: to find it effect by effect moves those that are there
    /// again and again to memory that nobody has used yet, which takes longer than to decide on them. More may fall due than
    /// were counted, and room that is not used is none.
    mutating func makeRoom() {
      if armedCount > Self.effectsKept { effects.reserveCapacity(3 * armedCount) }
    }

    /// The effects that room is kept for, so that what one wake of very many entries needed is not kept for those of a few.
    static let effectsKept = 1_000
  }

  /// Hands an event to the engine and performs what follows from it, now or, from within an effect, right after it.
  func post(_ event: EngineEvent) {
    turn.inbox.append(event)
    guard !turn.isTaking else { return }
    turn.isTaking = true
    while let event = turn.inbox.popFirst() {
      turn.ended = if case .attemptEnded(let run, _) = event { run } else { nil }
      engine.handle(event, at: turn.ahead ?? clock.now, into: &turn.effects)
      if !turn.effects.isEmpty { turn.hadEffects = true }
      performAll()
    }
    turn.isTaking = false
    guard !turn.hasEnd else { return }
    turn.hasEnd = true
    loop.atEndOfTurn { [weak self] in self?.endTurn() }
  }

  /// Performs the effects at hand in their order and tells of them when all are performed: a start is never kept waiting by
  /// what is written or said about another.
  private func performAll() {
    turn.isPerforming = true
    var next = 0
    while next < turn.effects.count {
      if case .start = turn.effects[next] {
        next = start(from: next)
      } else {
        waitForDeadline()
        perform(turn.effects[next])
        next += 1
      }
    }
    waitForDeadline()
    turn.isPerforming = false
    var clocks: DaemonClock.Reading?
    for index in turn.effects.indices {
      switch turn.effects[index] {
      case .start(let attempt):
        let reading = clocks ?? clock.reading
        clocks = reading
        noteStart(attempt, reading)
      case .settle: tellSettled()
      default: break
      }
    }
    turn.effects.removeAll(keepingCapacity: turn.effects.count <= Turn.effectsKept)
    let reports = turn.reports
    turn.reports.removeAll(keepingCapacity: reports.isEmpty)
    for report in reports { receive(report) }
  }

  private func perform(_ effect: EngineEffect) {
    switch effect {
    case .arm(let instant):
      turn.armedAt = instant
      turn.armedCount = engine.entryCountNext(atMost: Approach.entriesMax)
      clock.arm(at: instant, count: turn.armedCount, isDeadline: instant == engine.nextDeadline)
    case .claim(let keys):
      turn.inbox.append(.claimsAnswered(book.claim(keys, at: clock.now)))
    case .withdraw(let keys):
      book.withdraw(keys)
    case .start:
      preconditionFailure("made by performAll")
    case .askToStop(let run, let reason):
      if reason == .timeout { runs[run]?.isTimedOut = true }
      hosts.askToStop(run, reason)
    case .kill(let run, let reason):
      hosts.kill(run, reason)
    case .settle(let record):
      settle(record)
    case .notePause(let job, let since):
      book.pause(job, since: since)
      news.tell(.paused(job, since: since))
    case .drained:
      _ = ServiceManager.status("every run has ended; closing the plugins")
      hosts.shutDown { [loop] in loop.stop() }
    }
  }

  /// Makes the starts in a row that begins at `index`, before anything is written or said about them; gives where the next
  /// effect is.
  private func start(from index: Int) -> Int {
    var starts: [PluginHosts.ReadyRun] = []
    // After the deadline they are made ready a few at a time.
    let count = turn.ahead == nil ? 0 : turn.effects.count - index
    starts.reserveCapacity(count)
    hosts.expect(count)
    // Asked once for all of them: the engine's state may be copied for an answer.
    let isAwaited = engine.isAnyoneInLine
    var end = ready(from: index, into: &starts, isAwaited: isAwaited)
    if let deadline = turn.ahead {
      while deadline - clock.now > Self.timeToMakeReady, end < turn.effects.count,
        case .start = turn.effects[end]
      {
        end = ready(from: end, into: &starts, isAwaited: isAwaited)
      }
      hosts.sendAhead(&starts, in: deadline - clock.now)
    }
    let isLast = if end < turn.effects.count, case .start = turn.effects[end] { false } else { true }
    let calls = hosts.start(starts, areLast: isLast) { waitForDeadline(for: $0) }
    // To read the clock that nobody can set is all that a row of calls has to do in between.
    let reading = clock.reading
    for call in calls { turn.startedAt.append(clock.instant(at: call, by: reading)) }
    return end
  }

  /// How long before a deadline no further starts are made ready, so that those that are ready are not held up by others.
  private static let timeToMakeReady = Approach.leadPerEntry * Int64(LedgerBook.startsPerNote)

  /// Notes starts in a row from `index` on and makes them ready; gives where the next effect is.
  private func ready(from index: Int, into starts: inout [PluginHosts.ReadyRun], isAwaited: Bool) -> Int {
    let end = book.foretell(turn.effects, from: index)
    for index in index..<end {
      if case .start(let attempt) = turn.effects[index] { starts.append(ready(attempt, isAwaited)) }
    }
    return end
  }

  /// Makes ready what can be before the plugin is called.
  private func ready(_ attempt: Attempt, _ isAwaited: Bool) -> PluginHosts.ReadyRun {
    let name = attempt.entry.job
    guard let launch = jobs.launch(of: attempt.entry), let kind = launch.kind else {
      let reason = jobs.fault(of: name) ?? "job \(name) was taken out of the configuration"
      return .over(attempt.run, .failed(reason))
    }
    if launch.isSpun, !turn.isSpun, let deadline = turn.ahead { turn.isSpun = clock.maySpin(to: deadline) }
    return hosts.ready(
      attempt, kind: kind, parameters: launch.parameters, revision: launch.revision,
      cursor: book.cursor(of: name), isRehearsal: options.clock.isRehearsal,
      spin: launch.isSpun && turn.isSpun ? Approach.spin : .zero, isAwaited: isAwaited)
  }

  /// Lets the deadline come that is come up to, before the call of `code` if one comes next.
  private func waitForDeadline(for code: CodePlace? = nil) {
    guard let deadline = turn.ahead else { return }
    turn.ahead = nil
    clock.wait(until: deadline, isSpun: turn.isSpun, for: code)
    turn.isSpun = false
  }

  private func noteStart(_ decided: Attempt, _ clocks: DaemonClock.Reading) {
    var attempt = decided
    // Set back in between, the clock says nothing of when.
    if let instant = turn.startedAt.popFirst() { attempt.startedAt = max(decided.startedAt, instant) }
    if attempt.deadline != nil, attempt.startedAt > decided.startedAt {
      turn.inbox.append(.attemptBegan(attempt.run, late: attempt.startedAt - decided.startedAt))
    }
    book.note(attempt)
    runs[attempt.run] = ActiveRun(
      attempt, decidedAt: decided.startedAt, clocks: clocks, following: runs[attempt.run])
    news.tell(.started(attempt))
    if attempt.cause == .trigger { triggered = .started(attempt.run) }
  }

  private func settle(_ settled: EntryRecord) {
    let run = settled.run.flatMap { runs.removeValue(forKey: $0) }
    let record = run?.completing(settled, endedByItself: settled.run == turn.ended) ?? settled
    book.settle(record, cursor: record.run.flatMap { cursors.removeValue(forKey: $0) })
    if record.cause == .trigger { triggered = .settled(record) }
    turn.settled.append((record, run?.attempt.story?.entry))
  }

  private func tellSettled() {
    guard let (record, story) = turn.settled.popFirst() else { return }
    let announcement = jobs.settle(record, toldOf: story, in: settings.zone)
    if let announcement { announcer.announce(announcement) }
    news.tell(.settled(record))
    if let announcement, jobs.isSummarized(record.entry.job) {
      news.tell(.busy(record.entry.job, announcement.text))
    }
    guard let run = record.run else { return }
    for observer in observers.removeValue(forKey: run) ?? [] { observer(.end(record)) }
  }

  /// What the pools report.
  func take(_ event: PluginEvent) {
    if case .started = event { return }
    if turn.isPerforming { turn.reports.append(event) } else { receive(event) }
  }

  private func receive(_ event: PluginEvent) {
    switch event {
    case .started:
      break
    case .line(let line):
      if let run = line.run { book.note(output: line.message, of: run) }
      announcer.announce(Announcement(line))
      if let run = line.run { runs[run]?.output.append(line.message) }
      news.tell(.line(line))
    case .progress(let run, _, let millionths, let text):
      runs[run]?.progressMillionths = millionths
      runs[run]?.progressText = text
      if let entry = runs[run]?.attempt.entry { news.tell(.progress(run, entry, millionths, text)) }
      for observer in observers[run] ?? [] { observer(.progress(millionths, text)) }
    case .ended(let run, let end):
      cursors[run] = end.cursor
      noteEnd(of: run, end)
      post(.attemptEnded(run, end.outcome))
    case .note(let note):
      announcer.announce(note.level, note.description)
    }
  }

  private func noteEnd(of run: RunID, _ end: PluginRunEnd) {
    guard let call = end.call, let place = runs.index(forKey: run) else {
      return book.end(run, end.outcome, startedAt: nil, at: clock.now)
    }
    let now = clock.reading
    runs.values[place].take(call, clock, now)
    book.end(
      run, end.outcome, startedAt: runs.values[place].attempt.startedAt,
      at: runs.values[place].attemptEnd(knownAt: now.instant))
  }

  private func endTurn() {
    turn.hasEnd = false
    book.endTurn(nextDeadline: turn.armedAt)
    if turn.hadEffects { scheduleStatus() }
    turn.hadEffects = false
    guard clock.hasRunOutOfSpins, !turn.hasToldOfSpins else { return }
    turn.hasToldOfSpins = true
    announcer.announce(
      .warning,
      "jobs with precision = \"spin\" fall due more often than \(Approach.spinsPerSecond) times in a second; beyond that the timer wakes for them"
    )
  }
}

/// What is taken out in the order in which it was put in.
struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  /// Puts an element in.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the oldest element out; `nil` when there is none.
  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    defer {
      head += 1
      if head == elements.count {
        elements.removeAll(keepingCapacity: head <= 1_000)
        head = 0
      }
    }
    return elements[head]
  }
}
