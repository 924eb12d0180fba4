import TimelineCore

/// Plan of a reload: the former job that each job of a new configuration continues, and the successor of each former job.
struct ReloadPlan: Sendable {
  /// Change of a job.
  enum Change: Sendable, Hashable {
    /// Nothing about the job changes.
    case none
    /// The policies, timing or action differ, or the job comes back while one of its runs goes on.
    case changed
    /// The schedule differs. If `wasCounted`, the former entries were only counted.
    case rescheduled(wasCounted: Bool)
    /// The job is new.
    case added
  }

  /// A job of the new configuration.
  struct Step: Sendable, Hashable {
    /// Position of the former job that this job continues; `nil` for none.
    let former: Int?
    let change: Change
  }

  /// The jobs of the new configuration, in their order.
  let steps: [Step]
  /// Definition under which each former job continues; `nil` for a job that is no longer configured.
  let successors: [JobDefinition?]

  /// Positions of the former jobs that are no longer configured, ascending.
  var removed: [Int] { successors.indices.filter { successors[$0] == nil } }

  /// Compares the jobs of an engine with a new configuration.
  init(from jobs: JobTable, to definitions: [JobDefinition]) {
    let positions = Dictionary(uniqueKeysWithValues: jobs.indices.map { (jobs[$0].definition.name, $0) })
    var successors = [JobDefinition?](repeating: nil, count: jobs.count)
    steps = definitions.map { definition in
      guard let former = positions[definition.name] else { return Step(former: nil, change: .added) }
      successors[former] = definition
      let job = jobs[former]
      let change: Change =
        if job.isRetired {
          .changed
        } else if job.definition == definition {
          .none
        } else if job.definition.schedule == definition.schedule {
          .changed
        } else {
          .rescheduled(wasCounted: job.isCounted)
        }
      return Step(former: former, change: change)
    }
    self.successors = successors
  }
}
