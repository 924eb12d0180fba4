import TimelineCore

/// Plan of a reload: the former job that each job of a new configuration goes on from, and the successor of each former job.
struct ReloadPlan: Sendable {
  /// Change of a job.
  enum Change: Sendable, Hashable {
    /// Nothing about it changes.
    case none
    /// Its policies, timing or action differ, or it comes back while a run of it goes on.
    case changed
    /// Its schedule differs. If it `wasCounted`, its entries were only counted.
    case rescheduled(wasCounted: Bool)
    /// It is new.
    case added
  }

  /// A job of the new configuration.
  struct Step: Sendable, Hashable {
    /// Position of the job that it goes on from; `nil` for none.
    let former: Int?
    /// Change of the job.
    let change: Change
  }

  /// The jobs of the new configuration, in their order.
  let steps: [Step]
  /// Definition that each former job goes on under; `nil` for one that is not configured any more.
  let successors: [JobDefinition?]

  /// Positions of the former jobs that are not configured any more, ascending.
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
