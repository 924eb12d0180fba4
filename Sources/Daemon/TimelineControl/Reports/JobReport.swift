package import TimelineCore

/// A group of jobs that share a limit, and its current load (`Group`).
package struct GroupReport: Codable, Sendable, Equatable {
  package var name: String
  /// Largest number of active runs of the group's jobs at a time.
  package var limit: Int
  package var runningCount: Int
  /// Number of waiting due entries of the group's jobs.
  package var waitingCount: Int

  package init(name: String, limit: Int, runningCount: Int, waitingCount: Int) {
    self.name = name
    self.limit = limit
    self.runningCount = runningCount
    self.waitingCount = waitingCount
  }
}

/// A job's configuration and current state (`Job`).
package struct JobReport: Codable, Sendable, Equatable {
  package var name: String
  /// Name or path of the plugin.
  package var plugin: String
  /// The schedule in words, such as `every 30s`.
  package var schedule: String
  /// The job's zone. This version always sets it.
  package var zone: String?
  /// The job's next entry; `nil` for none.
  package var next: Timestamp?
  /// Start of the pause; `nil` if the job is not paused.
  package var pausedSince: Timestamp?
  /// The operator who paused the job; `nil` if unknown.
  package var pausedBy: OperatorReport?
  /// The operator's reason, if there was one.
  package var pauseReason: String?
  /// Progress of the job's open backfill in words, such as `12 of 60 entries`; `nil` for none.
  package var backfill: String?
  /// The missing requirement of the job on this machine. While ``next`` is `nil`, the job does not run because of this
  /// requirement.
  package var fault: String?
  /// Active runs, oldest first.
  package var running: [RunReport]
  /// Waiting entries, oldest first. A long list is cut to the first few.
  package var waiting: [WaitReport]
  /// Number of due entries that wait.
  package var waitingCount: Int
  /// End of the job's most recent entry; `nil` for none. Read from the ledger if no entry has ended since the daemon's start.
  package var last: EntryReport?
  /// Number of entries since the daemon's start, by outcome.
  package var outcomes: [String: Int]
  /// Whether entries before ``next`` were already decided while the clock was ahead of its current time.
  package var waitsForClock: Bool
  /// The node that runs a job of the cluster; empty if no node runs the job at present; `nil` for other jobs.
  package var node: String?
  /// Whether another node of the cluster runs the job, or no node does.
  package var isElsewhere: Bool
  /// The reason why cron runs the job at present; `nil` if cron does not run the job.
  package var leftToCron: String?

  package init(
    name: String, plugin: String, schedule: String, zone: String? = nil, next: WallInstant?,
    pausedSince: WallInstant? = nil, pausedBy: OperatorReport? = nil, pauseReason: String? = nil,
    fault: String? = nil, running: [RunReport] = [], waiting: [WaitReport] = [], waitingCount: Int = 0,
    last: EntryReport? = nil,
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
  /// Counts above zero, by the names of the outcomes.
  var named: [String: Int] {
    reduce(into: [:]) { if $1.value != 0 { $0[$1.key.rawValue] = $1.value } }
  }
}
