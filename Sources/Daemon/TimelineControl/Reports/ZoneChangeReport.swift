package import TimelineCore

/// Effects of a new edition of the zone database, or of another zone of the machine (`ZoneChange`).
package struct ZoneChangeReport: Codable, Sendable, Equatable {
  /// The change of a job's first entry (`EntryMove`).
  package struct Move: Codable, Sendable, Equatable {
    package var job: String
    /// Instant of the entry before the change; `nil` if there was none.
    package var before: Timestamp?
    /// Instant of the entry after the change; `nil` if there is none.
    package var after: Timestamp?

    package init(job: String, before: WallInstant?, after: WallInstant?) {
      self.job = job
      self.before = before.map(Timestamp.init)
      self.after = after.map(Timestamp.init)
    }
  }

  /// Instant at which the change was noticed.
  package var at: Timestamp
  /// The zones with new rules, in order of their names; empty if the machine's zone has changed.
  package var zones: [String]
  /// Number of jobs with entries that moved.
  package var movedCount: Int
  /// The first moves, in the order of the configuration, at most ``ControlLimits/zoneMovesMax``.
  package var moves: [Move]

  /// Makes a report. Keeps only the first of many moves.
  package init(at: WallInstant, zones: [String], moves: [Move]) {
    self.at = Timestamp(at)
    self.zones = zones
    self.movedCount = moves.count
    self.moves = Array(moves.prefix(ControlLimits.zoneMovesMax))
  }
}
