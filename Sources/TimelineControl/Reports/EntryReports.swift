package import TimelineCore

/// An entry that falls due (`NextEntry`).
package struct NextEntry: Codable, Sendable, Hashable {
  package var job: String
  /// The nominal instant.
  package var entry: Timestamp

  package init(job: String, entry: WallInstant) {
    self.job = job
    self.entry = Timestamp(entry)
  }
}

/// An active run (`Run`).
package struct RunReport: Codable, Sendable, Hashable {
  package var run: UInt64
  /// The nominal instant of the run's entry.
  package var entry: Timestamp
  /// Start of the latest attempt.
  package var startedAt: Timestamp
  /// Number of the latest attempt, from 1.
  package var attempt: Int
  /// Progress from 0 to 1,000,000, if the plugin has reported it.
  package var progressMillionths: UInt32?
  /// Description of the plugin's current work, if the plugin has reported it.
  package var progressText: String?

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
  package var job: String
  /// The nominal instant.
  package var entry: Timestamp
  /// The run; `nil` for an entry without a run.
  package var run: UInt64?
  /// Name of the outcome; text, so that an older client can show an outcome of a newer daemon.
  package var outcome: String
  /// The reason in one line of text; may be empty.
  package var reason: String
  /// Start of the first attempt; `nil` for none.
  package var startedAt: Timestamp?
  /// Instant at which the entry was settled.
  package var endedAt: Timestamp
  /// Time from the start of the first attempt to the end; `nil` without an attempt.
  package var durationNanoseconds: Int64?
  /// Time from the nominal instant to the start of the first attempt; `nil` without an attempt.
  package var latenessNanoseconds: Int64?
  package var attempts: Int
  /// Number of consecutive entries that this record stands for.
  package var entryCount: Int

  /// Makes an end. Computes the lateness from the instants, and also the duration if `elapsed` is `nil`.
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
