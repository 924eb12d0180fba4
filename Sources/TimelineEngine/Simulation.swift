package import TimelineCore

/// An engine in discrete time: the same state as the daemon's, a world that is made up, and no clock.
///
/// Time goes from one instant at which something happens to the next. At one instant attempts end first, then
/// interruptions come, then entries fall due, so a run that ends when the next entry is due does not overlap it.
/// Memory is bounded by what runs at a time; effects are streamed and the array for them is used again.
///
/// There are two times: the clock on the wall, which is what the engine is told, and elapsed time, by which
/// attempts last. They differ by the clock steps that the world makes.
package struct Simulation<World: SimulatedWorld> {
  /// The engine that is driven.
  package private(set) var engine: EngineState
  /// Its world.
  package var world: World
  /// The instant on the wall that was last dealt with; at first the one at which the simulation begins.
  package private(set) var now: WallInstant

  private var armed: WallInstant?
  private var attempts = SimulatedAttempts()
  private var interruption: (at: WallInstant, what: SimulatedInterruption)?
  private var steppedBy = ElapsedTime.zero
  private var hasBegun = false
  private var effects: [EngineEffect] = []

  /// Makes a simulation of `engine` that begins at `from`, the instant at which the engine was made.
  package init(of engine: EngineState, from: WallInstant, in world: World) {
    self.engine = engine
    self.world = world
    self.now = from
    self.interruption = self.world.nextInterruption()
  }

  /// The next instant at which anything happens, on the wall; `nil` when nothing ever will.
  package var nextInstant: WallInstant? {
    guard hasBegun else { return now }
    var elapsed: WallInstant?
    if let armed { elapsed = armed - steppedBy }
    if let ending = attempts.firstEnd { elapsed = min(elapsed ?? .max, ending) }
    if let interruption { elapsed = min(elapsed ?? .max, interruption.at) }
    // An effect may ask for a wake in the past, "at once": time does not go back for it.
    return elapsed.map { max(now, $0 + steppedBy) }
  }

  /// Deals with all that happens at the next instant and hands each effect to `body`; `false` when nothing was left.
  package mutating func step(_ body: (EngineEffect) -> Void) -> Bool {
    guard let instant = nextInstant else { return false }
    let isFirst = !hasBegun
    hasBegun = true
    now = instant
    while let end = attempts.firstEnd, end + steppedBy <= now, let ending = attempts.first {
      attempts.removeFirst()
      handle(.attemptEnded(ending.run, ending.outcome), body)
    }
    if let due = interruption, due.at + steppedBy <= now {
      interruption = world.nextInterruption()
      switch due.what {
      case .event(let event):
        handle(event, body)
      case .clockStep(let length):
        steppedBy = steppedBy + length
        now = now + length
        handle(.clockStepped(by: length), body)
      }
    }
    if isFirst || armed.map({ $0 <= now }) ?? false { handle(.wake, body) }
    return true
  }

  /// Steps until nothing is left to happen.
  package mutating func run(_ body: (EngineEffect) -> Void) {
    while step(body) {}
  }

  private mutating func handle(_ event: EngineEvent, _ body: (EngineEffect) -> Void) {
    var effects: [EngineEffect] = []
    swap(&effects, &self.effects)
    engine.handle(event, at: now, into: &effects)
    let answers = perform(effects, body)
    effects.removeAll(keepingCapacity: true)
    swap(&effects, &self.effects)
    if !answers.isEmpty { handle(.claimsAnswered(answers), body) }
  }

  /// Does what the engine asks for, as this world does, and returns the answers that it is owed.
  private mutating func perform(_ effects: [EngineEffect], _ body: (EngineEffect) -> Void) -> [ClaimAnswer] {
    var answers: [ClaimAnswer] = []
    // Each is looked at where it is, for effects are large and there are two of every entry.
    let effects = effects.span
    for index in effects.indices {
      switch effects[index] {
      case .arm(let deadline):
        armed = deadline
      case .start(let attempt):
        let course = world.course(of: attempt, expected: engine.expectedDuration(of: attempt.entry))
        if let duration = course.duration {
          attempts.insert(attempt.run, at: now - steppedBy + max(.zero, duration), course.outcome)
        }
      case .askToStop(let run, let reason):
        if let delay = world.delayAfterAsking(run, reason) { end(run, after: delay) }
      case .kill(let run, _):
        end(run, after: .zero)
      case .claim(let entries):
        for entry in entries { answers.append(ClaimAnswer(entry: entry, verdict: world.verdict(on: entry))) }
      case .withdraw, .settle, .notePause, .drained:
        break
      }
      body(effects[index])
    }
    return answers
  }

  private mutating func end(_ run: RunID, after delay: ElapsedTime) {
    attempts.hasten(run, to: now - steppedBy + delay, AttemptOutcome(status: .cancelled))
  }
}

extension EngineState {
  /// How long a run for the entry is expected to last by its job's configuration; `.zero` when the job is not there.
  fileprivate func expectedDuration(of entry: EntryKey) -> ElapsedTime {
    index(of: entry).map { jobs[$0].definition.policies.expect } ?? .zero
  }
}
