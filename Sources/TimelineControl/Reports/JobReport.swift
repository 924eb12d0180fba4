package import TimelineCore

/// A group of jobs that share a limit, and its current load (`Group`).
package struct GroupReport: Codable, Sendable, Hashable {
  /// The group's name.
  package var name: String
  /// Largest number of active runs of its jobs at a time.
  package var limit: Int
  /// Number of active runs of its jobs.
  package var runningCount: Int
  /// Number of due entries of its jobs that wait for their turn.
  package var waitingCount: Int

  package init(name: String, limit: Int, runningCount: Int, waitingCount: Int) {
    self.name = name
    self.limit = limit
    self.runningCount = runningCount
    self.waitingCount = waitingCount
  }
}

/// A job's configuration and current state (`Job`).
package struct JobReport: Codable, Sendable, Hashable {
  /// The job's name.
  package var name: String
  /// The plugin by its name or path.
  package var plugin: String
  /// The schedule in words, such as `every 30s`.
  package var schedule: String
  /// The zone of its civil times, if the schedule depends on one.
  package var zone: String?
  /// Its next entry, if there is one.
  package var next: Timestamp?
  /// Instant at which its pause began, if it is paused.
  package var pausedSince: Timestamp?
  /// The operator who paused it, if that is known.
  package var pausedBy: OperatorReport?
  /// The operator's reason, if there was one.
  package var pauseReason: String?
  /// The missing requirement of the job on this machine; while ``next`` is `nil` the job does not run because of it.
  package var fault: String?
  /// Active runs, oldest first.
  package var running: [RunReport]
  /// Waiting entries, oldest first; if there are many, the first few.
  package var waiting: [WaitReport]
  /// Number of due entries that wait.
  package var waitingCount: Int
  /// End of its most recent entry, if there is one; from the ledger if none has ended since the daemon's start.
  package var last: EntryEnd?
  /// Number of entries since the daemon's start, by outcome.
  package var outcomes: [String: Int]
  /// Whether entries before ``next`` were already decided because the clock was ahead of its current time.
  package var waitsForClock: Bool
  /// The node of the cluster that runs the job, for a job that one node runs; empty if no node runs it at present.
  package var node: String?
  /// Whether this daemon is not ``node``.
  package var isElsewhere: Bool
  /// The reason why cron runs the job at present; `nil` when it does not.
  package var leftToCron: String?

  /// Makes a report.
  package init(
    name: String, plugin: String, schedule: String, zone: String? = nil, next: WallInstant?,
    pausedSince: WallInstant? = nil, pausedBy: OperatorReport? = nil, pauseReason: String? = nil,
    fault: String? = nil, running: [RunReport] = [], waiting: [WaitReport] = [], waitingCount: Int = 0,
    last: EntryEnd? = nil,
    outcomes: [Outcome: Int] = [:], waitsForClock: Bool = false, node: String? = nil,
    isElsewhere: Bool = false
  ) {
    self.name = name
    self.plugin = plugin
    self.schedule = schedule
    self.zone = zone
    self.next = next.map(Timestamp.init)
    self.pausedSince = pausedSince.map(Timestamp.init)
    self.pausedBy = pausedBy
    self.pauseReason = pauseReason
    self.fault = fault
    self.running = running
    self.waiting = waiting
    self.waitingCount = waitingCount
    self.last = last
    self.outcomes = outcomes.named
    self.waitsForClock = waitsForClock
    self.node = node
    self.isElsewhere = isElsewhere
  }
}

extension [Outcome: Int] {
  /// The counts that are not zero, by the outcomes' names.
  var named: [String: Int] {
    reduce(into: [:]) { if $1.value != 0 { $0[$1.key.rawValue] = $1.value } }
  }
}
