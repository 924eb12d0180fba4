package import TimelineCore

/// A due entry that waits, with the reason.
package struct EntryWait: Sendable, Hashable {
  /// Cause of a wait.
  package enum Reason: Sendable, Hashable {
    /// A plugin host for an attempt of its run.
    case pluginHost
    /// Groups that are full, or in which other jobs are before it.
    case groups([GroupPlace])
    /// Runs of its own job, which has no room for another run.
    case previousRuns([RunID])
    /// The next attempt of its run, which comes at this instant.
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
    /// The group.
    package var name: GroupName
    /// Largest number of runs of its jobs at a time.
    package var limit: Int
    /// The runs that hold its places, oldest first.
    package var holders: [RunID]

    /// Makes a place.
    package init(name: GroupName, limit: Int, holders: [RunID]) {
      (self.name, self.limit, self.holders) = (name, limit, holders)
    }
  }

  /// The entry's nominal instant.
  package var nominal: WallInstant
  /// Its run, if it has one.
  package var run: RunID?
  /// Instant at which it began to wait, if that is known.
  package var since: WallInstant?
  /// Cause of the wait.
  package var reason: Reason

  /// Makes a wait.
  package init(nominal: WallInstant, run: RunID? = nil, since: WallInstant? = nil, reason: Reason) {
    (self.nominal, self.run, self.since, self.reason) = (nominal, run, since, reason)
  }
}

/// Active runs by their jobs and groups, collected once for several queries.
struct RunSurvey {
  /// The slots of each job's runs, oldest first.
  var slots: [Int: [Int]] = [:]
  /// The runs that hold places of each group, oldest first.
  var holders: [Int: [RunID]] = [:]

  init(of execution: Execution) {
    for slot in execution.runs.occupied {
      let (job, id) = (execution.runs[slot].job, execution.runs[slot].id)
      slots[job, default: []].append(slot)
      for group in execution.groupGate.groups(of: job) { holders[group.place, default: []].append(id) }
    }
  }
}
