package import TimelineCore
package import TimelineEngine

/// A rehearsal without plugins: the whole configuration through the real engine in discrete time.
///
/// Every run has its job's expected duration and succeeds, unless the job's own timeout ends it. Rows are in order of
/// entry, then of job. A row is complete only when its run has ended, so that rows wait for earlier entries with
/// longer runs; memory is bounded by the number of waiting rows. The entries are those in [from, until); runs that
/// are active at the end continue to their own end.
///
///     var dryRun = DryRun(jobs: jobs, from: from, until: until)
///     dryRun.run { row in writer.write(row) }
///     print(dryRun.summary.text)
package struct DryRun {
  private var simulation: Simulation<ExpectedWorld, DryRunCollector>

  /// Makes a dry run.
  ///
  /// - Parameters:
  ///   - jobs: The configuration. All of it goes through the engine, because jobs share groups and trigger one another.
  ///   - groups: The limits of the groups that jobs name.
  ///   - from: Its begin; an entry at this instant is included.
  ///   - until: Its end; an entry at this instant is not included.
  ///   - mode: The mode at its begin.
  ///   - modeChanges: Changes of the mode between begin and end.
  ///   - seed: Seed of the jitter; with the machine's seed the jitter is that of its daemon.
  ///   - named: The jobs to show, with a row for each entry; other jobs are neither shown nor counted. Empty for all jobs; then
  ///     the entries of jobs with more than one entry per second are counted by the minute.
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

  /// The next instant at which anything happens, for a caller that follows a clock; `nil` at the end.
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

  /// Processes the next instant and passes every complete row to `body`; `false` at the end.
  package mutating func step<Failure: Error>(
    _ body: (DryRunRow) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard simulation.step() else { return false }
    try flush(body)
    return true
  }

  /// Processes the instants of one batch of rows and passes on the complete rows; `false` at the end.
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

  /// Runs to the end at full speed; rows come in batches, and an error of `body` ends it.
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
  /// The current instant.
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
