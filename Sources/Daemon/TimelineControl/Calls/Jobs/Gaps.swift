package import TimelineCore

extension Control {
  /// Entries of a job's schedule without a success. ``from`` and ``until`` are moments in text form.
  package struct Gaps: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = GapsReply

    package var job: String
    /// Start of the stretch, included; `nil` for ``ControlLimits/gapDaysDefault`` days before its end.
    package var from: String?
    /// End of the stretch, not included; `nil` for now.
    package var until: String?
    /// Largest number of lines, 1 to ``ControlLimits/gapsMax``; `nil` for this number.
    package var limit: Int?

    package init(job: String, from: String? = nil, until: String? = nil, limit: Int? = nil) {
      self.job = job
      self.from = from
      self.until = until
      self.limit = limit
    }

    /// Refuses a limit that is out of range.
    package func validate() throws(VarlinkError) {
      try require((1...ControlLimits.gapsMax).contains(limit ?? 1), "limit")
    }
  }
}

/// Reply to `Gaps`.
package struct GapsReply: Codable, Sendable, Equatable {
  /// Entries that have an outcome and no success, oldest first. Consecutive entries that share a record are one line.
  package var entries: [EntryReport]
  /// Number of entries of the schedule without a record in the ledger.
  package var unknownCount: Int
  /// Start of the stretch.
  package var from: Timestamp
  /// End of the stretch that was searched, not included.
  package var until: Timestamp
  /// Whether the search ended before the end of the stretch: ``until`` is where another call goes on.
  package var isCut: Bool
  /// The job's zone, in which moments without an offset are read.
  package var zone: String

  package init(
    entries: [EntryReport], unknownCount: Int, from: WallInstant, until: WallInstant, isCut: Bool,
    zone: String
  ) {
    (self.entries, self.unknownCount, self.isCut, self.zone) = (entries, unknownCount, isCut, zone)
    (self.from, self.until) = (Timestamp(from), Timestamp(until))
  }
}
