package import TimelineCore

extension Control {
  /// The next entries of a job.
  package struct Next: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = NextReply

    package var job: String
    /// The instant after which entries are requested; `nil` for now.
    package var from: Timestamp?
    /// Maximum number of entries, 1 to ``ControlLimits/nextMax``; `nil` for ``ControlLimits/nextMax``.
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
package struct NextReply: Codable, Sendable, Equatable {
  package var job: String
  /// The zone of the job.
  package var zone: String
  /// The schedule in words.
  package var schedule: String
  package var now: Timestamp
  /// The entries; fewer than requested if the schedule has no more.
  package var entries: [Timestamp]
  /// Occasion of further entries whose instants are unknown, in words; `nil` for none.
  package var withoutNext: String?

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
