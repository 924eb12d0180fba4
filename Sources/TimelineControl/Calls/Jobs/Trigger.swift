extension Control {
  /// Runs a job now, independently of its schedule.
  package struct Trigger: ChangingCall {
    /// The run when it is started or waits; to a call with `more` also its progress and its end.
    package typealias Reply = TriggerReply

    /// The job's name.
    package var job: String

    package init(job: String) { self.job = job }
  }
}

/// Reply to `Trigger`: one or, for a call with `more`, several.
package struct TriggerReply: Codable, Sendable, Hashable {
  /// The run's number; 0 while it waits for its turn, and if the job's policies did not allow it (see ``end``).
  package var run: UInt64
  /// Progress from 0 to 1,000,000, if the plugin has reported it.
  package var progressMillionths: UInt32?
  /// Description of the plugin's current work, if the plugin has reported it.
  package var progressText: String?
  /// End of the entry; in the last reply to a call with `more`, or when it has already ended.
  package var end: EntryEnd?

  package init(
    run: UInt64, progressMillionths: UInt32? = nil, progressText: String? = nil, end: EntryEnd? = nil
  ) {
    self.run = run
    self.progressMillionths = progressMillionths
    self.progressText = progressText
    self.end = end
  }
}
