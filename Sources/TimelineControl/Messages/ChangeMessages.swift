package import TimelineCore

/// Parameters of `Pause`.
package struct PauseParameters: Codable, Sendable, Hashable {
  /// The jobs' names, at least one.
  package var jobs: [String]
  /// The reason, in the operator's words; at most ``ControlLimits/reasonBytesMax`` bytes.
  package var reason: String?

  /// Makes parameters.
  package init(jobs: [String], reason: String? = nil) {
    self.jobs = jobs
    self.reason = reason
  }
}

/// Reply to `Pause`.
package struct PauseReply: Codable, Sendable, Hashable {
  /// The jobs, in the order in which they were named.
  package var jobs: [PausedJob]

  /// Makes a reply.
  package init(jobs: [PausedJob]) {
    self.jobs = jobs
  }
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

/// Parameters of `Resume`.
package struct ResumeParameters: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// `latest`, `all` or `skip`; `nil` for the job's own policy for missed entries.
  package var catchUp: String?

  /// Makes parameters.
  package init(job: String, catchUp: String? = nil) {
    self.job = job
    self.catchUp = catchUp
  }
}

/// Reply to `Resume`.
package struct ResumeReply: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// Instant at which the pause had begun; `nil` when the job was not paused.
  package var pausedSince: Timestamp?
  /// Policy for the entries that fell due during the pause: `latest`, `all` or `skip`.
  package var catchUp: String
  /// Number of these entries.
  package var heldCount: Int
  /// Number of these entries that are run, at once or when their turn comes.
  package var takenCount: Int

  /// Makes a reply.
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

/// Parameters of `Cancel`.
package struct CancelParameters: Codable, Sendable, Hashable {
  /// The run's number.
  package var run: UInt64

  /// Makes parameters.
  package init(run: UInt64) {
    self.run = run
  }

  enum CodingKeys: CodingKey { case run }

  /// Reads parameters; a number that no run can have is reported as an error of `run`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let run = UInt64(exactly: try container.decode(Int64.self, forKey: .run)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .run, in: container, debugDescription: "a run's number is not negative")
    }
    self.run = run
  }
}

/// Reply to `Cancel`: one when the run has been asked to stop and, for a call with `more`, another when it has ended.
package struct CancelReply: Codable, Sendable, Hashable {
  /// The run's number.
  package var run: UInt64
  /// Its job.
  package var job: String
  /// End of the run's entry, when the run has ended.
  package var end: EntryEnd?

  /// Makes a reply.
  package init(run: UInt64, job: String, end: EntryEnd? = nil) {
    self.run = run
    self.job = job
    self.end = end
  }
}

/// Parameters of `Release`.
package struct ReleaseParameters: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String

  /// Makes parameters.
  package init(job: String) {
    self.job = job
  }
}

/// The reply to `Release`.
package struct ReleaseReply: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The entry that it waited for; `nil` when it did not wait for the clock.
  package var waitedUntil: Timestamp?
  /// Its next entry, if there is one.
  package var next: Timestamp?
  /// The number of entries ahead of the clock whose outcomes the ledger has deleted.
  package var forgottenCount: Int

  /// Makes a reply.
  package init(job: String, waitedUntil: WallInstant?, next: WallInstant?, forgottenCount: Int = 0) {
    self.job = job
    self.waitedUntil = waitedUntil.map(Timestamp.init)
    self.next = next.map(Timestamp.init)
    self.forgottenCount = forgottenCount
  }
}
