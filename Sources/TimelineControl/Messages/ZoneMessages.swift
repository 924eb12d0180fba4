package import TimelineCore

/// Effects of a new edition of the zone database, or of another zone of the machine (`ZoneChange`).
package struct ZoneChangeReport: Codable, Sendable, Hashable {
  /// The first entry of a job that lies elsewhere now (`EntryMove`).
  package struct Move: Codable, Sendable, Hashable {
    /// The job's name.
    package var job: String
    /// Instant of the entry before the change; `nil` when there was none any more.
    package var before: Timestamp?
    /// Instant of the entry after the change; `nil` when there is none any more.
    package var after: Timestamp?

    /// Makes a move.
    package init(job: String, before: WallInstant?, after: WallInstant?) {
      self.job = job
      self.before = before.map(Timestamp.init)
      self.after = after.map(Timestamp.init)
    }
  }

  /// Instant at which the change was noticed.
  package var at: Timestamp
  /// The zones whose rules are others, in order of their names; none when the machine has got another zone.
  package var zones: [String]
  /// Number of jobs with entries that moved.
  package var movedCount: Int
  /// The first of them, in the order of the configuration, at most ``ControlLimits/zoneMovesMax``.
  package var moves: [Move]

  /// Makes a report; of many moves it keeps the first.
  package init(at: WallInstant, zones: [String], moves: [Move]) {
    self.at = Timestamp(at)
    self.zones = zones
    self.movedCount = moves.count
    self.moves = Array(moves.prefix(ControlLimits.zoneMovesMax))
  }
}
