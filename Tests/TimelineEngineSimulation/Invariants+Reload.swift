import TimelineCore
import TimelineEngine

extension Invariants {
  /// Takes over what is being configured; of a job that is another now not all entries can be accounted for.
  mutating func reloaded(_ definitions: [JobDefinition], _ groups: [GroupName: Int]) {
    self.groups = groups
    upcoming = [:]
    for (name, job) in jobs where !definitions.contains(job.definition) && !elsewhere.contains(name) {
      jobs[name]?.since = nil
      jobs[name]?.hasChanged = true
      jobs[name]?.settledFormerly = job.settled
      jobs[name]?.waitsSince = nil
    }
    for definition in definitions where jobs[definition.name]?.definition != definition {
      var job = jobs[definition.name] ?? Watched(definition: definition)
      job.definition = definition
      (job.since, job.hasChanged, job.waitsSince) = (nil, true, nil)
      job.settledFormerly = job.settled
      jobs[definition.name] = job
      // What is too fast to be claimed is nobody's, whoever was granted an entry of the former schedule at its instant.
      if definition.schedule.hasMoreThanOneEntryPerSecond {
        denied = denied.filter { $0.job != definition.name }
      }
    }
  }
}
