import TimelineCore
import TimelineEngine

extension Invariants {
  /// Takes over what is being configured; of a job that is another now not all entries can be accounted for.
  mutating func reloaded(_ definitions: [JobDefinition], _ groups: [GroupName: Int]) {
    self.groups = groups
    upcoming = [:]
    for (name, job) in jobs where !definitions.contains(job.definition) && !elsewhere.contains(name) {
      let former = decidedFormerly(name)
      jobs[name]?.since = nil
      jobs[name]?.hasChanged = true
      jobs[name]?.settledFormerly = former
      jobs[name]?.waitsSince = nil
    }
    for definition in definitions where jobs[definition.name]?.definition != definition {
      var job = jobs[definition.name] ?? Watched(definition: definition)
      job.definition = definition
      (job.since, job.hasChanged, job.waitsSince) = (nil, true, nil)
      job.settledFormerly = decidedFormerly(definition.name)
      jobs[definition.name] = job
      // What is too fast to be claimed is nobody's, whoever was granted an entry of the former schedule at its instant.
      if definition.schedule.hasMoreThanOneEntryPerSecond {
        denied = denied.filter { $0.job != definition.name }
      }
    }
  }

  /// Returns the entries of a job that its former definition has decided: those that are settled, those that run, and those in records of
  /// several that the ledger has not cut yet.
  private func decidedFormerly(_ name: JobName) -> Set<WallInstant> {
    let running = inFlight.values.filter { $0.entry.job == name }.map(\.entry.nominal)
    let uncut = uncommittedCuts.filter { $0.job == name }.flatMap(\.nominals)
    return (jobs[name]?.settled ?? []).union(running).union(uncut)
  }
}
