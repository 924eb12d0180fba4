extension Control {
  /// Outcomes of entries in the ledger. ``since`` and ``until`` are moments in text form.
  package struct History: ReadingCall, Equatable {
    /// Reply of the daemon.
    package typealias Reply = HistoryReply

    /// `nil` for all jobs.
    package var job: String?
    /// Start of the range of nominal instants, included.
    package var since: String?
    /// End of the range of nominal instants, not included.
    package var until: String?
    package var onlyFailures: Bool?
    /// Number of the latest entries to return, 1 to ``ControlLimits/historyMax``.
    package var limit: Int?

    package init(
      job: String? = nil, since: String? = nil, until: String? = nil, onlyFailures: Bool? = nil,
      limit: Int? = nil
    ) {
      self.job = job
      self.since = since
      self.until = until
      self.onlyFailures = onlyFailures
      self.limit = limit
    }

    /// Pages of entries.
    package static var replies: ReplyForm<HistoryReply> {
      .pages { whole, page in
        whole.entries += page.entries
        if let zones = page.zones { whole.zones = (whole.zones ?? [:]).merging(zones) { $1 } }
      }
    }

    /// Refuses a limit that is out of range.
    package func validate() throws(VarlinkError) { try validate(limitMax: ControlLimits.historyMax) }

    func validate(limitMax: Int) throws(VarlinkError) {
      try require((1...limitMax).contains(limit ?? 1), "limit")
    }
  }
}

/// Reply to `History`.
package struct HistoryReply: Codable, Sendable, Equatable {
  /// The last entries, oldest first.
  package var entries: [EntryReport]
  /// Whether there are earlier entries.
  package var isCut: Bool
  /// Whether the request names a counted job, whose scheduled entries have no records; `nil` for no.
  package var isCounted: Bool?
  /// The zone for moments in the request that have no UTC offset.
  package var zone: String
  /// The zone of each job in ``entries``, by the job's name; not set by the initializer.
  package var zones: [String: String]?

  package init(entries: [EntryReport], isCut: Bool, isCounted: Bool? = nil, zone: String) {
    self.entries = entries
    self.isCut = isCut
    self.isCounted = isCounted
    self.zone = zone
  }
}
