package import TimelineCore

/// An entry that falls due (`NextEntry`).
package struct NextEntry: Codable, Sendable, Equatable {
  package var job: String
  /// The nominal instant.
  package var entry: Timestamp

  package init(job: String, entry: WallInstant) {
    self.job = job
    self.entry = Timestamp(entry)
  }
}

/// An active run (`Run`).
package struct RunReport: Codable, Sendable, Equatable {
  package var run: UInt64
  /// The nominal instant of the run's entry.
  package var entry: Timestamp
  /// Start of the latest attempt.
  package var startedAt: Timestamp
  /// Number of the latest attempt, from 1.
  package var attempt: Int
  /// Cause of the run, as in `EntryReport`; `nil` in replies of older daemons; not set by the initializer.
  package var cause: String?
  /// Nominal instant of the entry that a rerun repeats; `nil` for other runs; not set by the initializer.
  package var of: Timestamp?
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
