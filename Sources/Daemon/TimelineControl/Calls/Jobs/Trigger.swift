extension Control {
  /// Runs a job now, independently of its schedule.
  package struct Trigger: ChangingCall {
    /// Reply when the run is started or waits. A call with `more` also gets the run's progress and end.
    package typealias Reply = TriggerReply

    package var job: String

    package init(job: String) { self.job = job }
  }
}

/// Reply to `Trigger` and `Rerun`. A call with `more` gets several replies.
package struct TriggerReply: Codable, Sendable, Equatable {
  /// Number of the run; 0 while the entry waits, and if the job's policies did not allow the run (see ``end``).
  package var run: UInt64
  /// Progress from 0 to 1,000,000, if the plugin has reported it.
  package var progressMillionths: UInt32?
  /// Description of the plugin's current work, if the plugin has reported it.
  package var progressText: String?
  /// End of the entry, in the last reply to a call with `more`, or if the entry has already ended.
  package var end: EntryReport?
  /// Nominal instant of the entry that is repeated; `nil` in a reply to `Trigger`; not set by the initializer.
  package var of: Timestamp?

  package init(
    run: UInt64, progressMillionths: UInt32? = nil, progressText: String? = nil, end: EntryReport? = nil
  ) {
    self.run = run
    self.progressMillionths = progressMillionths
    self.progressText = progressText
    self.end = end
  }
}
