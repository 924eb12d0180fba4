import TimelineClient
import TimelineCore
import TimelineEngine
import TimelineRehearsal

/// The effects of a proposed configuration, drawn: the current and the new entries of each changed job.
struct PlanPicture {
  /// The pair of rows of one job.
  struct Pair {
    var job: PlanJob
    var zone: Zone
    /// Changed parts of the job, in words.
    var differences: [String]
    /// The current entries; `nil` for a new job.
    var before: DrawingRow?
    /// The new entries; `nil` for a removed job.
    var after: DrawingRow?
  }

  let scale: DrawingScale
  let axis: DrawingAxis
  /// A sentence about all changes.
  let verdict: String
  /// The jobs that change.
  private(set) var pairs: [Pair] = []
  /// The jobs that do not change.
  let keptJobs: [JobName]
  /// Number of changed jobs without a pair.
  let omittedCount: Int
  /// Whether the compared time is shorter than requested.
  let isShortened: Bool

  /// Compares the two plans from `from` to `until`, or less if they have too many entries.
  init(
    from old: SimulationPlan, to proposal: ProposedConfiguration, from: WallInstant, until: WallInstant,
    columns: Int, isLate: () -> Bool
  ) {
    let new = proposal.plan
    // Only jobs that the change can affect are simulated.
    let scope = PlanScope(from: old, to: new)
    let (oldPart, newPart) = (scope.part(of: old), scope.part(of: new))
    var end = BoundedDryRun(oldPart, from: from, until: until, isLate: isLate).until
    end = BoundedDryRun(newPart, from: from, until: end, isLate: isLate).until
    isShortened = end < until
    // Both dry runs have reached `end` within the limits, so a second run of each does, too.
    let scale = DrawingScale(from: from, until: end, columns: columns)
    var plan = Plan(
      from: old.jobs, BoundedDryRun.dryRun(oldPart, from: from, until: end), to: new.jobs,
      BoundedDryRun.dryRun(newPart, from: from, until: end), examplesMax: WebLimits.changesOfJobMax)
    let report = PlanReport(
      jobs: plan.run(), from: from, until: end, zones: proposal.zones, zone: proposal.zone)
    self.scale = scale
    axis = DrawingAxis(scale, in: proposal.zone)
    verdict = report.verdict
    let changed = report.jobs.filter(\.isChanged)
    keptJobs = report.jobs.filter { !$0.isChanged }.map(\.name)
    omittedCount = max(0, changed.count - WebLimits.rowsMax)
    let definitions = (
      Dictionary(old.jobs.map { ($0.name, $0) }, uniquingKeysWith: { $1 }),
      Dictionary(new.jobs.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    )
    let shown = changed.prefix(WebLimits.rowsMax)
    let names = Set(shown.map(\.name))
    let before = Self.rows(of: names, oldPart, proposal, scale)
    let after = Self.rows(of: names, newPart, proposal, scale)
    pairs = shown.map { job in
      let (former, latter) = (definitions.0[job.name], definitions.1[job.name])
      return Pair(
        job: job, zone: proposal.zones[job.name] ?? proposal.zone,
        differences: former.flatMap { former in latter.map { Self.differences(former, $0) } } ?? [],
        before: before[job.name], after: after[job.name])
    }
  }

  /// The rows of the jobs `names`. The other jobs have no row, because a row needs memory for each of its columns.
  private static func rows(
    of names: Set<JobName>, _ plan: SimulationPlan, _ proposal: ProposedConfiguration, _ scale: DrawingScale
  ) -> [JobName: DrawingRow] {
    var builders = plan.jobs.map { job in
      names.contains(job.name)
        ? DrawingRowBuilder(
          DrawingRow.Job(name: job.name, zone: proposal.zones[job.name] ?? proposal.zone), scale) : nil
    }
    var run = BoundedDryRun.dryRun(plan, from: scale.from, until: scale.until)
    run.run { row in
      switch row {
      case .entry(let entry): builders[row.job]?.add(entry)
      case .minute(let minute): builders[row.job]?.add(minute)
      }
    }
    let rows = zip(plan.jobs, builders).compactMap { job, builder in builder.map { (job.name, $0.row) } }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// The parts in which a job differs, in words.
  static func differences(_ former: JobDefinition, _ latter: JobDefinition) -> [String] {
    var words: [String] = []
    if former.schedule != latter.schedule {
      words.append("schedule: \(former.schedule.description) → \(latter.schedule.description)")
    }
    let (before, after) = (former.policies, latter.policies)
    if before.expect != after.expect {
      words.append("expected-duration: \(before.expect) → \(after.expect)")
    }
    var (policies, others) = (before, after)
    (policies.expect, others.expect) = (.zero, .zero)
    if policies != others { words.append("policies") }
    if former.timing != latter.timing { words.append("jitter or accuracy") }
    if former.revision != latter.revision { words.append("plugin, parameters or environment") }
    return words
  }
}
