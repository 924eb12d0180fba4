package import TimelineCore

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
