package import TimelineCore
package import TimelineEngine

/// An engine in discrete time: the same state as the daemon's, a simulated world, and no clock.
///
/// Time advances from one instant with an event to the next. At each instant attempts end first, then interruptions come, then
/// entries fall due. A run that ends when the next entry is due therefore does not overlap this entry. Memory is bounded by
/// the number of concurrent runs. Effects are performed and passed on as they are decided.
///
/// There are two times: the wall clock, which the engine receives, and elapsed time, which measures attempts. They differ
/// by the clock steps of the world.
package struct Simulation<World: SimulatedWorld, Observer: EffectSink> {
  package private(set) var engine: EngineState
  /// The last instant that was processed, on the wall clock; at first the begin of the simulation.
  package var now: WallInstant { shell.now }
  /// Receiver of every effect.
  package var observer: Observer {
    _read { yield shell.observer }
    _modify { yield &shell.observer }
  }

  private var shell: SimulatedShell<World, Observer>
  private var interruption: (at: WallInstant, what: SimulatedInterruption)?
  private var hasBegun = false

  /// Makes a simulation of `engine` that begins at `from`, the instant at which the engine was made.
  package init(of engine: EngineState, from: WallInstant, in world: World, toldTo observer: Observer) {
    self.engine = engine
    shell = SimulatedShell(world: world, observer: observer, now: from)
    interruption = shell.world.nextInterruption()
  }

  /// Next instant at which anything happens, on the wall clock; `nil` at the end.
  package var nextInstant: WallInstant? {
    guard hasBegun else { return now }
    var elapsed: WallInstant?
    if let armed = shell.armed { elapsed = armed - shell.steppedBy }
    if let ending = shell.attempts.firstEnd { elapsed = min(elapsed ?? .max, ending) }
    if let interruption { elapsed = min(elapsed ?? .max, interruption.at) }
    // A wake-up that an effect requests in the past means at once. Time does not go back.
    return elapsed.map { max(now, $0 + shell.steppedBy) }
  }

  /// Processes all events of the next instant. Returns `false` if there was none.
  package mutating func step() -> Bool {
    guard let instant = nextInstant else { return false }
    let isFirst = !hasBegun
    hasBegun = true
    shell.now = instant
    // Entries of this instant come after all ends, including the ends of zero-length runs that start at this instant.
    let isDue = shell.armed.map { $0 <= now } ?? false
    while let (run, result) = shell.takeEnding() {
      handle(.attemptEnded(run, result), isLast: !shell.hasEnding && !isDue)
    }
    if let due = interruption, due.at + shell.steppedBy <= now {
      interruption = shell.world.nextInterruption()
      switch due.what {
      case .event(let event):
        handle(event)
      case .clockStep(let length):
        shell.steppedBy = shell.steppedBy + length
        shell.now = now + length
        handle(.clockStepped(by: length))
      }
    }
    if isFirst || shell.armed.map({ $0 <= now }) ?? false { handle(.wake) }
    return true
  }

  private mutating func handle(_ event: EngineEvent, isLast: Bool = true) {
    engine.handle(event, at: now, isLast: isLast, by: &shell)
    if !shell.called.isEmpty { reportCalls(areLast: isLast) }
    guard !shell.answers.isEmpty else { return }
    let answers = shell.answers
    shell.answers = []
    handle(.claimsAnswered(answers))
  }

  private mutating func reportCalls(areLast: Bool) {
    let called = shell.called
    shell.called = []
    for run in called { handle(.attemptBegan(run, late: .zero), isLast: areLast) }
  }
}

extension Simulation: Sendable where World: Sendable, Observer: Sendable {}

extension Simulation where Observer == [EngineEffect] {
  /// Makes a simulation of `engine` that begins at `from`, the instant at which the engine was made.
  package init(of engine: EngineState, from: WallInstant, in world: World) {
    self.init(of: engine, from: from, in: world, toldTo: [])
  }

  /// Steps until nothing more happens, and passes each effect to `body`.
  package mutating func run(_ body: (EngineEffect) -> Void) {
    while step() {
      for effect in observer { body(effect) }
      observer.removeAll(keepingCapacity: true)
    }
  }
}

/// Performs the effects of a simulated engine as its environment defines, and passes them on.
struct SimulatedShell<World: SimulatedWorld, Observer: EffectSink> {
  var world: World
  var observer: Observer
  /// The instant on the wall clock.
  var now: WallInstant
  /// Instant of the engine's next wake-up; `nil` when it is disarmed.
  var armed: WallInstant?
  /// Wall clock minus elapsed time: the sum of the clock steps.
  var steppedBy = ElapsedTime.zero
  /// Running attempts, in elapsed time.
  var attempts = SimulatedAttempts()
  /// Runs whose plugins have been called and whose start has not been reported to the engine yet.
  var called: [RunID] = []
  /// Answers to claims of this event that the engine has not received yet.
  var answers: [ClaimAnswer] = []

  init(world: World, observer: Observer, now: WallInstant) {
    self.world = world
    self.observer = observer
    self.now = now
  }
}

extension SimulatedShell: Sendable where World: Sendable, Observer: Sendable {}

extension SimulatedShell {
  /// Whether an attempt has ended at the current instant.
  var hasEnding: Bool { attempts.firstEnd.map { $0 + steppedBy <= now } ?? false }

  /// Removes and returns an attempt that has ended at the current instant.
  mutating func takeEnding() -> (run: RunID, result: AttemptResult)? {
    guard hasEnding, let ending = attempts.removeFirst() else { return nil }
    return (ending.run, ending.outcome)
  }
}

extension SimulatedShell: EffectSink {
  mutating func start(_ brief: StartBrief, _ attempt: @autoclosure () -> Attempt) {
    let course = world.course(of: attempt(), expected: brief.expected)
    if let duration = course.duration {
      attempts.insert(brief.run, at: now - steppedBy + max(.zero, duration), course.outcome)
    }
    if brief.reportsCall { called.append(brief.run) }
    observer.start(brief, attempt())
  }

  mutating func settle(_ brief: EndBrief, _ record: @autoclosure () -> EntryRecord) {
    observer.settle(brief, record())
  }

  mutating func append(_ effect: EngineEffect) {
    switch effect {
    case .arm(let deadline):
      armed = deadline
    case .askToStop(let run, let reason):
      if let delay = world.delayAfterAsking(run, reason) { end(run, after: delay) }
    case .kill(let run, _), .dequeue(let run):
      end(run, after: .zero)
    case .claim(let entries):
      for entry in entries { answers.append(ClaimAnswer(entry: entry, verdict: world.verdict(on: entry))) }
    case .start, .settle:
      preconditionFailure("these two come in brief")
    case .withdraw, .notePause, .noteRerun, .noteWaiting, .noteRetry, .cutRanges, .noteWatermarks,
      .noteIncidents, .drained:
      break
    }
    observer.append(effect)
  }

  private mutating func end(_ run: RunID, after delay: ElapsedTime) {
    attempts.hasten(run, to: now - steppedBy + delay, AttemptResult(status: .cancelled))
  }
}
