package import TimelineCore
package import TimelineEngine

/// A rehearsal without plugins: the real engine runs the whole configuration in discrete time.
///
/// Every run has its job's expected duration and succeeds, unless the job's own timeout ends the run. Rows are in order of
/// entry, then of job. A row is complete only after its run has ended, so rows wait for earlier entries with longer runs.
/// Memory is bounded by the number of waiting rows. The dry run covers the entries in [from, until). Runs that are active at
/// `until` continue to their own end.
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
  ///   - from: Begin of the dry run (inclusive).
  ///   - until: End of the dry run (exclusive).
  ///   - mode: Mode at the begin.
  ///   - modeChanges: Changes of the mode between begin and end.
  ///   - seed: Seed of the jitter. The machine's seed yields the jitter of its daemon.
  ///   - named: Jobs to show, with a row for each entry. Other jobs are neither shown nor counted. If empty, all jobs are
  ///     shown, and the entries of jobs with more than one entry per second are counted by the minute.
  ///   - keepsRows: Whether rows are collected. Without rows the dry run has only its summary.
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

  /// Processes the next instant and passes every complete row to `body`. Returns `false` at the end.
  package mutating func step<Failure: Error>(
    _ body: (DryRunRow) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard simulation.step() else { return false }
    try flush(body)
    return true
  }

  /// Processes the instants of one batch of rows and passes on the complete rows. Returns `false` at the end.
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

  /// Runs to the end at full speed. Rows are passed on in batches. An error of `body` ends the run.
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
package struct DryRunProgress: Sendable, Equatable {
  /// Current instant of the simulation.
  package var now: WallInstant
  package var from: WallInstant
  package var until: WallInstant
  /// Number of entries of the shown jobs that have an outcome.
  package var entries: Int
  /// Number of active runs of the shown jobs.
  package var running: Int
}
