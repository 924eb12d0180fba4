import TimelineCore
import TimelineEngine

/// Jobs whose entries a change of the configuration can affect.
///
/// Jobs that share a group or a reaction, directly or indirectly, are a family: each of them can affect the entries of the
/// others. A family is affected if its jobs, their order, or a limit of its groups changes. The order matters, because jobs of
/// one instant start in the order of the configuration. The entries of all other jobs stay the same, so a plan need not
/// simulate them.
package struct PlanScope: Sendable {
  private let touched: Set<JobName>

  /// Makes the scope of a change from one configuration to another. If the seed or the mode changes, the scope has all jobs.
  package init(from old: SimulationPlan, to new: SimulationPlan) {
    guard old.seed == new.seed, old.mode == new.mode else {
      touched = Set((old.jobs + new.jobs).map(\.name))
      return
    }
    let families = Families(old.jobs + new.jobs)
    let before = Dictionary(grouping: old.jobs) { families.head(of: $0.name) }
    let after = Dictionary(grouping: new.jobs) { families.head(of: $0.name) }
    var touched: Set<JobName> = []
    for head in Set(before.keys).union(after.keys) {
      let (former, latter) = (before[head] ?? [], after[head] ?? [])
      let groups = former.lazy.flatMap(\.policies.groups)
      guard former != latter || groups.contains(where: { old.groups[$0] != new.groups[$0] }) else { continue }
      touched.formUnion(former.map(\.name))
      touched.formUnion(latter.map(\.name))
    }
    self.touched = touched
  }

  /// Returns the part of a configuration that can be affected.
  package func part(of plan: SimulationPlan) -> SimulationPlan {
    var part = plan
    part.jobs = plan.jobs.filter { touched.contains($0.name) }
    return part
  }
}

/// Jobs that are linked by groups and reactions, in either configuration.
private struct Families {
  private var heads: [JobName: JobName] = [:]

  init(_ jobs: [JobDefinition]) {
    var links: [JobName: [JobName]] = [:]
    var members: [GroupName: JobName] = [:]
    func link(_ one: JobName, _ other: JobName) {
      links[one, default: []].append(other)
      links[other, default: []].append(one)
    }
    for job in jobs {
      for other in job.policies.reactions.targets { link(job.name, other) }
      // Linking the members in a chain is enough to link all pairs.
      for group in job.policies.groups {
        if let member = members.updateValue(job.name, forKey: group) { link(member, job.name) }
      }
    }
    for job in jobs where heads[job.name] == nil {
      var next = [job.name]
      while let name = next.popLast() {
        guard heads.updateValue(job.name, forKey: name) == nil else { continue }
        next += links[name] ?? []
      }
    }
  }

  /// The representative job of the family of a job.
  func head(of name: JobName) -> JobName { heads[name] ?? name }
}
