package import TimelineCore
package import TimelineEngine

/// A rehearsal without plugins: the whole configuration through the real engine in discrete time.
///
/// Every run lasts what its job expects and succeeds, unless the job's own timeout ends it. Rows come in order of
/// entry, then of job; as a row is complete only when its run has ended, rows wait for earlier entries whose runs
/// are longer, and memory is bounded by how many those are. Entries are those in [from, until); active runs at
/// the end go on to their own.
///
///     var dryRun = DryRun(jobs: jobs, from: from, until: until)
///     dryRun.run { row in writer.write(row) }
///     print(dryRun.summary.text)
package struct DryRun {
  private var simulation: Simulation<ExpectedWorld, DryRunCollector>

  /// Makes a dry run.
  ///
  /// - Parameters:
  ///   - jobs: The configuration; all of it goes through the engine, for jobs share groups and hear of one another.
  ///   - groups: The limits of the groups that jobs name.
  ///   - from: Its begin; an entry at this very instant is in.
  ///   - until: Its end; an entry at this very instant is not in.
  ///   - mode: The mode at its begin.
  ///   - modeChanges: Changes of the mode between begin and end.
  ///   - seed: Seed of the jitter; with the machine's seed the jitter is that of its daemon.
  ///   - named: The jobs asked for by name, each entry of which gets a row; no other job is shown or counted. Empty
  ///     for all jobs, of which those with more than one entry per second are counted by the minute.
  ///   - keepsRows: Whether rows are collected; without them the dry run has only its summary.
  package init(
    jobs: [JobDefinition], groups: [GroupName: Int] = [:], from: WallInstant, until: WallInstant,
    mode: ScheduleMode = .normal, modeChanges: [DryRunModeChange] = [], seed: UInt64 = 0,
    named: Set<JobName> = [], keepsRows: Bool = true
  ) {
    let engine = EngineState(
      jobs: jobs, groups: groups, startedAt: from, seed: seed, claims: .grant, mode: mode, horizon: until)
    simulation = Simulation(
      of: engine, from: from, in: ExpectedWorld(modeChanges: modeChanges),
      toldTo: DryRunCollector(jobs: jobs, named: named, from: from, until: until, keepsRows: keepsRows))
  }

  /// The next instant at which anything happens, for a caller that keeps pace with a clock; `nil` at the end.
  package var nextInstant: WallInstant? { simulation.nextInstant }

  /// Counts so far; final once ``nextInstant`` is `nil`.
  package var summary: DryRunSummary { simulation.observer.summary }

  /// Progress so far.
  package var progress: DryRunProgress {
    let summary = simulation.observer.summary
    return DryRunProgress(
      now: simulation.now, from: summary.from, until: summary.until, entries: simulation.observer.entryCount,
      running: simulation.observer.runningInAll)
  }

  /// Deals with the next instant and hands every row that is complete to `body`; `false` at the end.
  package mutating func step<Failure: Error>(
    _ body: (DryRunRow) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard simulation.step() else { return false }
    try flush(body)
    return true
  }

  /// Deals with as many instants as make a batch of rows and hands over those that are complete; `false` at the end.
  package mutating func stepThroughBatch<Failure: Error>(
    _ body: (DryRunRow) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    while simulation.step() {
      guard simulation.observer.isWorthFlushing else { continue }
      try flush(body)
      return true
    }
    try flush(body)
    return false
  }

  /// Goes through to the end at full speed; rows come in batches, and an error of `body` ends it.
  package mutating func run<Failure: Error>(_ body: (DryRunRow) throws(Failure) -> Void) throws(Failure) {
    while try stepThroughBatch(body) {}
  }

  private mutating func flush<Failure: Error>(_ body: (DryRunRow) throws(Failure) -> Void) throws(Failure) {
    let upcoming = simulation.nextInstant ?? .max
    let isOver = simulation.nextInstant == nil
    let open = simulation.engine.earliestOpenEntry ?? .max
    assert(!isOver || open == .max, "at the end nothing is open")
    let leftOut = simulation.engine.earliestLeftOut(settledFrom: upcoming) ?? .max
    try simulation.observer.flush(before: min(upcoming, open, leftOut), isOver: isOver, body)
  }
}

/// Progress of a dry run.
package struct DryRunProgress: Sendable, Hashable {
  /// The instant it has reached.
  package var now: WallInstant
  /// Its begin.
  package var from: WallInstant
  /// Its end.
  package var until: WallInstant
  /// Number of entries of the shown jobs that have an outcome.
  package var entries: Int
  /// Number of active runs of the shown jobs.
  package var running: Int
}
