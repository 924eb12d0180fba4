import TimelineCore
import TimelineRehearsal

/// The rows of a dry run of proposed, untested jobs. The dry run ends early if it reaches a limit of time, instants
/// or rows.
struct BoundedDryRun {
  /// The rows, in order.
  private(set) var rows: [DryRunRow] = []
  /// Instant before which all rows are known: the requested end, or an earlier one.
  private(set) var until: WallInstant

  /// Instants between two checks of the time.
  private static let stepsBetweenLooks = 64

  /// Runs a plan from `from` to `until`, as far as the limits allow.
  init(_ plan: SimulationPlan, from: WallInstant, until: WallInstant, isLate: () -> Bool) {
    self.until = until
    var run = Self.dryRun(plan, from: from, until: until)
    var steps = 0
    while let next = run.nextInstant {
      steps += 1
      let isLate = steps % Self.stepsBetweenLooks == 0 && isLate()
      if isLate || steps > WebLimits.planStepsMax || rows.count > WebLimits.planRowsMax {
        self.until = min(until, max(next, from + .milliseconds(1)))
        break
      }
      guard run.step({ rows.append($0) }) else { break }
    }
  }

  /// A dry run of a plan.
  static func dryRun(_ plan: SimulationPlan, from: WallInstant, until: WallInstant) -> DryRun {
    DryRun(
      jobs: plan.jobs, groups: plan.groups, from: from, until: until, mode: plan.mode, seed: plan.seed)
  }
}
