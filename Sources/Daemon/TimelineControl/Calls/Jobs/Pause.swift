package import TimelineCore

extension Control {
  /// Pauses jobs: no entry of these jobs starts until they are resumed.
  package struct Pause: ChangingCall {
    /// Reply of the daemon.
    package typealias Reply = PauseReply

    /// Names of at least one job.
    package var jobs: [String]
    /// The operator's words, at most ``ControlLimits/reasonBytesMax`` bytes.
    package var reason: String?

    package init(jobs: [String], reason: String? = nil) {
      self.jobs = jobs
      self.reason = reason
    }

    /// Refuses a call without jobs or with a long reason.
    package func validate() throws(VarlinkError) {
      try require(!jobs.isEmpty, "jobs")
      try require((reason ?? "").utf8.count <= ControlLimits.reasonBytesMax, "reason")
    }
  }
}

/// Reply to `Pause`.
package struct PauseReply: Codable, Sendable, Equatable {
  /// The jobs in the order of the request.
  package var jobs: [PausedJob]

  package init(jobs: [PausedJob]) { self.jobs = jobs }
}

/// A job that is paused (`PausedJob`).
package struct PausedJob: Codable, Sendable, Equatable {
  package var job: String
  package var pausedSince: Timestamp
  /// Whether the job was already paused before the request.
  package var wasPaused: Bool
  package var runningCount: Int
  /// The operator who paused the job; `nil` if unknown.
  package var by: OperatorReport?
  /// The operator's reason, if there was one.
  package var reason: String?

  package init(
    job: String, pausedSince: WallInstant, wasPaused: Bool, runningCount: Int, by: OperatorReport? = nil,
    reason: String? = nil
  ) {
    self.job = job
    self.pausedSince = Timestamp(pausedSince)
    self.wasPaused = wasPaused
    self.runningCount = runningCount
    self.by = by
    self.reason = reason
  }
}
