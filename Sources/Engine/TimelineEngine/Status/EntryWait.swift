package import TimelineCore

/// A due entry that waits, with the reason.
package struct EntryWait: Sendable, Hashable {
  /// Event or resource that an entry waits for.
  package enum Reason: Sendable, Hashable {
    /// A plugin host for an attempt of its run.
    case pluginHost
    /// Groups that are full, or in which other jobs come first.
    case groups([GroupPlace])
    /// Runs of the entry's job, which has no room for another run.
    case previousRuns([RunID])
    /// The next attempt of its run, at this instant.
    case backOff(until: WallInstant)
    /// The end of its jitter.
    case jitter(until: WallInstant)
    /// The end of its job's pause.
    case pause(since: WallInstant)
    /// The ledger's answer to its claim.
    case ledger
    /// The answer of the cluster's store to its claim.
    case store
  }

  /// A group that an entry waits for.
  package struct GroupPlace: Sendable, Hashable {
    package var name: GroupName
    /// Maximum number of concurrent runs of its jobs.
    package var limit: Int
    /// Runs that hold places of the group, oldest first.
    package var holders: [RunID]

    package init(name: GroupName, limit: Int, holders: [RunID]) {
      (self.name, self.limit, self.holders) = (name, limit, holders)
    }
  }

  package var nominal: WallInstant
  /// `nil` without a run.
  package var run: RunID?
  /// Instant at which the wait began; `nil` if unknown.
  package var since: WallInstant?
  package var reason: Reason

  package init(nominal: WallInstant, run: RunID? = nil, since: WallInstant? = nil, reason: Reason) {
    (self.nominal, self.run, self.since, self.reason) = (nominal, run, since, reason)
  }
}

/// Active runs by their jobs and groups, collected once for several queries.
struct RunSurvey {
  /// Slots of each job's runs, oldest first.
  var slots: [Int: [Int]] = [:]
  /// Runs that hold places of each group, oldest first.
  var holders: [Int: [RunID]] = [:]

  init(of execution: Execution) {
    for slot in execution.runs.occupied {
      let (job, id) = (execution.runs[slot].job, execution.runs[slot].id)
      slots[job, default: []].append(slot)
      for group in execution.groupGate.groups(of: job) { holders[group.place, default: []].append(id) }
    }
  }
}
