package import TimelineCore

extension Control {
  /// Pauses jobs: no entry of these jobs starts until they are resumed.
  package struct Pause: ChangingCall {
    /// Reply of the daemon.
    package typealias Reply = PauseReply

    /// The jobs' names, at least one.
    package var jobs: [String]
    /// The reason, in the operator's words; at most ``ControlLimits/reasonBytesMax`` bytes.
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
package struct PauseReply: Codable, Sendable, Hashable {
  /// The jobs, in the order in which they were named.
  package var jobs: [PausedJob]

  /// Makes a reply.
  package init(jobs: [PausedJob]) { self.jobs = jobs }
}

/// A job that is paused (`PausedJob`).
package struct PausedJob: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// Instant at which the pause began.
  package var pausedSince: Timestamp
  /// Whether it was already paused before the request.
  package var wasPaused: Bool
  /// Number of its runs that are still active.
  package var runningCount: Int
  /// The operator who paused it, if known.
  package var by: OperatorReport?
  /// The operator's reason, if there was one.
  package var reason: String?

  /// Makes a paused job.
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
