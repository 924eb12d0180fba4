extension Control {
  /// Outcomes of entries on all nodes of the cluster, from the cluster's store. The call has the parameters of ``History``.
  package struct ClusterHistory: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = ClusterHistoryReply

    /// The query, with a limit of 1 to ``ControlLimits/clusterHistoryMax``.
    package var history: History

    package init(_ history: History) { self.history = history }

    /// Reads the parameters.
    package init(from decoder: any Decoder) throws {
      history = try History(from: decoder)
    }

    /// Writes the parameters.
    package func encode(to encoder: any Encoder) throws {
      try history.encode(to: encoder)
    }

    /// Refuses a limit that is out of range.
    package func validate() throws(VarlinkError) {
      try history.validate(limitMax: ControlLimits.clusterHistoryMax)
    }
  }
}

/// Reply to `ClusterHistory`.
package struct ClusterHistoryReply: Codable, Sendable, Equatable {
  /// Entries in the store, oldest first.
  package var entries: [EntryReport]
  /// Whether there are earlier entries.
  package var isCut: Bool
  /// The zone for moments in the request that have no UTC offset.
  package var zone: String
  /// The zone of each job in ``entries``, by the job's name; not set by the initializer.
  package var zones: [String: String]?

  package init(entries: [EntryReport], isCut: Bool, zone: String) {
    (self.entries, self.isCut, self.zone) = (entries, isCut, zone)
  }
}
