package import TimelineCore

extension Control {
  /// The next entries of a job.
  package struct Next: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = NextReply

    /// The job's name.
    package var job: String
    /// The instant after which entries are requested; `nil` for now.
    package var from: Timestamp?
    /// The maximum number of entries, 1 to ``ControlLimits/nextMax``; `nil` for that maximum.
    package var limit: Int?

    package init(job: String, from: WallInstant? = nil, limit: Int? = nil) {
      self.job = job
      self.from = from.map(Timestamp.init)
      self.limit = limit
    }

    /// Refuses a limit that is out of range.
    package func validate() throws(VarlinkError) {
      try require((1...ControlLimits.nextMax).contains(limit ?? 1), "limit")
    }
  }
}

/// The reply to `Next`.
package struct NextReply: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The zone of the job.
  package var zone: String
  /// The schedule in words.
  package var schedule: String
  /// The current time of the daemon's clock.
  package var now: Timestamp
  /// The entries; fewer than requested if the schedule has no more.
  package var entries: [Timestamp]
  /// Words for further entries whose instants are unknown.
  package var withoutNext: String?

  /// Makes a reply.
  package init(
    job: String, zone: String, schedule: String, now: WallInstant, entries: [WallInstant],
    withoutNext: String? = nil
  ) {
    self.job = job
    self.zone = zone
    self.schedule = schedule
    self.now = Timestamp(now)
    self.entries = entries.map(Timestamp.init)
    self.withoutNext = withoutNext
  }
}
