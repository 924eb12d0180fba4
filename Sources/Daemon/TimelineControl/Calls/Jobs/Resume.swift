package import TimelineCore

extension Control {
  /// Resumes a job.
  package struct Resume: ChangingCall {
    /// Reply of the daemon.
    package typealias Reply = ResumeReply

    package var job: String
    /// `latest`, `all` or `skip`; `nil` for the job's own policy for missed entries.
    package var catchUp: String?

    package init(job: String, catchUp: MissedPolicy.Choice? = nil) {
      self.job = job
      self.catchUp = catchUp?.rawValue
    }

    /// ``catchUp`` as a value; `nil` for none and for an unknown text.
    package var choice: MissedPolicy.Choice? { catchUp.flatMap(MissedPolicy.Choice.init(rawValue:)) }

    /// Refuses an unknown policy.
    package func validate() throws(VarlinkError) { try require(catchUp == nil || choice != nil, "catchUp") }
  }
}

/// Reply to `Resume`.
package struct ResumeReply: Codable, Sendable, Equatable {
  package var job: String
  /// Start of the pause; `nil` if the job was not paused.
  package var pausedSince: Timestamp?
  /// Policy for the entries that fell due during the pause: `latest`, `all` or `skip`.
  package var catchUp: String
  /// Number of entries that fell due during the pause.
  package var heldCount: Int
  /// Number of entries that fell due during the pause and are run, at once or after a wait.
  package var takenCount: Int

  package init(
    job: String, pausedSince: WallInstant?, catchUp: MissedPolicy.Choice, heldCount: Int, takenCount: Int
  ) {
    self.job = job
    self.pausedSince = pausedSince.map(Timestamp.init)
    self.catchUp = catchUp.rawValue
    self.heldCount = heldCount
    self.takenCount = takenCount
  }
}
