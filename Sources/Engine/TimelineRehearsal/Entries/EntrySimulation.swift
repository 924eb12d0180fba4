package import TimelineCore
package import TimelineEngine

/// Future entries, simulated by the engine up to the instant that is shown.
package struct EntrySimulation: Sendable {
  /// Maximum number of instants that are simulated between two checks for keys: some 20 ms.
  package static let stepsMax = 10_000

  // One element, stored out of line: many values hold a simulation, and each would have functions for copying all its parts.
  private var simulations: [Simulation<PlannedWorld, EntryRecorder>]
  private var simulation: Simulation<PlannedWorld, EntryRecorder> {
    _read { yield simulations[0] }
    _modify { yield &simulations[0] }
  }
  /// Instant before which nothing more happens.
  private var knownUntil = WallInstant.min

  /// Makes a simulation that begins at `from`, with the given paused jobs and active runs.
  package init(
    of jobs: [JobDefinition], groups: [GroupName: Int], from: WallInstant, mode: ScheduleMode = .normal,
    seed: UInt64, paused: [JobName: WallInstant] = [:], active: [OpenRun] = []
  ) {
    let lastRun = active.map(\.run).max() ?? RunID(number: 0)
    let engine = EngineState(
      jobs: jobs, groups: groups, startedAt: from, open: active, paused: paused, lastRun: lastRun,
      seed: seed, claims: .grant, mode: mode)
    let expected = Dictionary(jobs.map { ($0.name, $0.policies.expect) }, uniquingKeysWith: { $1 })
    let world = PlannedWorld(active: active, expected: expected, from: from)
    var recorder = EntryRecorder(jobs: jobs)
    let places = Dictionary(jobs.indices.map { (jobs[$0].name, $0) }, uniquingKeysWith: { $1 })
    for run in active {
      // The engine reports no start for an active run.
      guard let job = places[run.entry.job] else { continue }
      recorder.note(run, of: job, until: world.end(of: run, from: from))
    }
    simulations = [Simulation(of: engine, from: from, in: world, toldTo: recorder)]
  }

  /// The entries so far.
  package var book: EntryList { simulation.observer.book }

  /// The instant up to which all entries are known.
  package var reached: WallInstant { isOver ? .max : max(simulation.now, knownUntil) }

  /// Whether nothing more will happen.
  package var isOver: Bool { simulation.nextInstant == nil }

  /// Advances until all entries before `instant` are known. Returns `false` if further calls are necessary, or if no
  /// more entries can be kept.
  ///
  /// - Parameter steps: Maximum number of instants to simulate in this call.
  package mutating func advance(to instant: WallInstant, steps: Int = Self.stepsMax) -> Bool {
    for _ in 0..<steps {
      guard let next = simulation.nextInstant, next < instant else {
        knownUntil = max(knownUntil, instant)
        return true
      }
      guard !book.isFull else { return false }
      _ = simulation.step()
    }
    return false
  }

  /// Drops entries that ended before `instant`.
  package mutating func drop(before instant: WallInstant) { simulation.observer.book.drop(before: instant) }
}

/// A world in which all runs have the expected duration of their jobs, including runs that are active at the begin.
private struct PlannedWorld: SimulatedWorld, Sendable {
  /// Ends of the active runs, the last one first.
  private var ends: [(at: WallInstant, run: RunID)] = []

  private let expected: [JobName: ElapsedTime]

  init(active: [OpenRun], expected: [JobName: ElapsedTime], from: WallInstant) {
    self.expected = expected
    ends = active.map { (end(of: $0, from: from), $0.run) }.sorted { ($0.at, $0.run) > ($1.at, $1.run) }
  }

  /// Returns the end of a run that is active at `from`.
  func end(of run: OpenRun, from: WallInstant) -> WallInstant {
    max(run.startedAt + (expected[run.entry.job] ?? .zero), from)
  }

  mutating func course(of attempt: @autoclosure () -> Attempt, expected: ElapsedTime) -> SimulatedCourse {
    SimulatedCourse(lasting: expected)
  }

  mutating func nextInterruption() -> (at: WallInstant, what: SimulatedInterruption)? {
    ends.popLast().map { end in
      (end.at, .event(.attemptEnded(end.run, AttemptResult(status: .succeeded))))
    }
  }
}

/// Adds the decisions of a simulated engine to an entry list.
private struct EntryRecorder: EffectSink, Sendable {
  var book: EntryList
  /// Whether each job is counted by the minute.
  private let isCounted: [Bool]

  init(jobs: [JobDefinition]) {
    book = EntryList(jobCount: jobs.count)
    isCounted = jobs.map(\.schedule.hasMoreThanOneEntryPerSecond)
  }

  /// Records a run that is active at the begin.
  mutating func note(_ run: OpenRun, of job: Int, until end: WallInstant) {
    guard !isCounted[job] else { return }
    var entry = ViewEntry(run.entry.nominal)
    entry.start = run.startedAt
    entry.end = end
    entry.run = run.run.number
    entry.attempts = run.attempts
    book.add(entry, of: job)
  }

  mutating func start(_ brief: StartBrief, _ attempt: @autoclosure () -> Attempt) {
    guard brief.number == 1, !isCounted[brief.job] else { return }
    let attempt = attempt()
    var entry = ViewEntry(attempt.entry.nominal)
    entry.start = attempt.startedAt
    entry.end = attempt.startedAt + brief.expected
    entry.cause = attempt.cause
    entry.count = attempt.entryCount
    entry.run = brief.run.number
    entry.attempts = 1
    book.add(entry, of: brief.job)
  }

  mutating func settle(_ brief: EndBrief, _ record: @autoclosure () -> EntryRecord) {
    guard isCounted.indices.contains(brief.job) else { return }
    if isCounted[brief.job] {
      return book.count(brief.entryCount, of: brief.outcome, at: brief.nominal, job: brief.job)
    }
    let record = record()
    var entry = ViewEntry(brief.nominal, outcome: brief.outcome)
    entry.firstEntry = record.firstNominal
    entry.count = record.entryCount
    entry.start = record.startedAt
    entry.end = record.startedAt == nil ? nil : record.endedAt
    entry.cause = record.cause
    entry.reason = record.reason
    entry.run = record.run?.number
    entry.attempts = record.attempts
    book.add(entry, of: brief.job)
  }

  mutating func append(_ effect: EngineEffect) {}
}
