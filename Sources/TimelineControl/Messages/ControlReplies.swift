package import TimelineCore

/// A wall instant in the format of the control interface: RFC 3339 in UTC, exact to the nanosecond.
package struct Timestamp: Sendable, Hashable, Codable {
  /// The instant.
  package var instant: WallInstant

  /// Makes a timestamp of `instant`.
  package init(_ instant: WallInstant) {
    self.instant = instant
  }

  /// Reads a timestamp with any offset and up to nine fraction digits.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      instant = try WallInstant(rfc3339: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the timestamp in UTC.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(instant.description)
  }
}

/// An entry that falls due (`NextEntry`).
package struct NextEntry: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The nominal instant.
  package var entry: Timestamp

  /// Makes a next entry.
  package init(job: String, entry: WallInstant) {
    self.job = job
    self.entry = Timestamp(entry)
  }
}

/// An active run (`Run`).
package struct RunReport: Codable, Sendable, Hashable {
  /// The run's number.
  package var run: UInt64
  /// The nominal instant of its entry.
  package var entry: Timestamp
  /// Instant at which its latest attempt began.
  package var startedAt: Timestamp
  /// Number of that attempt, from 1.
  package var attempt: Int
  /// Progress from 0 to 1,000,000, if the plugin has reported it.
  package var progressMillionths: UInt32?
  /// Description of the plugin's current work, if the plugin has reported it.
  package var progressText: String?

  /// Makes a report.
  package init(
    run: UInt64, entry: WallInstant, startedAt: WallInstant, attempt: Int = 1,
    progressMillionths: UInt32? = nil,
    progressText: String? = nil
  ) {
    self.run = run
    self.entry = Timestamp(entry)
    self.startedAt = Timestamp(startedAt)
    self.attempt = attempt
    self.progressMillionths = progressMillionths
    self.progressText = progressText
  }
}

/// End of an entry: its outcome, times and attempts (`EntryEnd`).
package struct EntryEnd: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The nominal instant.
  package var entry: Timestamp
  /// The run, if there was one.
  package var run: UInt64?
  /// Name of the outcome; text, so that an older client can show an outcome of a newer daemon.
  package var outcome: String
  /// One line for people that states the reason; may be empty.
  package var reason: String
  /// Instant at which the first attempt began, if there was one.
  package var startedAt: Timestamp?
  /// Instant at which the entry was settled.
  package var endedAt: Timestamp
  /// Time from the start of the first attempt to the end, if there was an attempt.
  package var durationNanoseconds: Int64?
  /// Time from the nominal instant to the start of the first attempt, if there was one.
  package var latenessNanoseconds: Int64?
  /// Number of attempts.
  package var attempts: Int
  /// Number of consecutive entries that this record stands for.
  package var entryCount: Int

  /// Makes an end; duration, unless it is given, and lateness follow from the instants.
  package init(
    job: String, entry: WallInstant, run: UInt64?, outcome: Outcome, reason: String,
    startedAt: WallInstant?, endedAt: WallInstant, elapsed: ElapsedTime? = nil, attempts: Int,
    entryCount: Int = 1
  ) {
    self.job = job
    self.entry = Timestamp(entry)
    self.run = run
    self.outcome = outcome.rawValue
    self.reason = reason
    self.startedAt = startedAt.map(Timestamp.init)
    self.endedAt = Timestamp(endedAt)
    durationNanoseconds = (elapsed ?? startedAt.map { endedAt - $0 })?.nanoseconds
    latenessNanoseconds = startedAt.map { ($0 - entry).nanoseconds }
    self.attempts = attempts
    self.entryCount = entryCount
  }
}

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

  /// Makes a report.
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
