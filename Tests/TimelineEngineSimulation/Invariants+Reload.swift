import TimelineCore
import TimelineEngine

extension Invariants {
  /// Applies the new configuration. For a job that has changed, not all entries can be accounted for.
  mutating func reloaded(_ definitions: [JobDefinition], _ groups: [GroupName: Int]) {
    self.groups = groups
    upcoming = [:]
    // A job that comes back has no past.
    for name in moved.keys where !definitions.contains(where: { $0.name == name }) { moved[name] = nil }
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
      // A schedule that is too fast to be claimed has no denied entries, even if a former entry at the same instant was denied.
      if definition.schedule.hasMoreThanOneEntryPerSecond {
        denied = denied.filter { $0.job != definition.name }
      }
    }
  }

  /// Returns the entries of a job that its former definition has decided: settled entries, active entries, and entries whose
  /// withdrawal from a record of several is not written yet.
  private func decidedFormerly(_ name: JobName) -> Set<WallInstant> {
    let running = inFlight.values.filter { $0.entry.job == name }.map(\.entry.nominal)
    let uncut = uncommittedCuts.filter { $0.job == name }.flatMap(\.nominals)
    return (jobs[name]?.settled ?? []).union(running).union(uncut)
  }
}
