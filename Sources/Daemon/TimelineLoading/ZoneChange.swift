import TimelineConfiguration
package import TimelineCore

/// The effects of a new edition of the zone database on a configuration.
package struct ZoneChange: Sendable {
  /// The first entry of a job that has moved.
  package struct Move: Sendable, Equatable {
    package var job: JobName
    /// Former instant; `nil` if there was no entry.
    package var before: WallInstant?
    /// New instant; `nil` if there is no entry any more.
    package var after: WallInstant?
  }

  /// Zones with changed rules, sorted by name.
  package var zones: [String]
  /// Whether the machine's zone has changed and is the configuration's default zone.
  package var isOtherZone: Bool
  /// One entry for each job, in the order of the configuration.
  package var moves: [Move]
  /// Instant at which the change was detected.
  package var at: WallInstant
  /// The configuration with the new rules.
  package var loaded: LoadedConfiguration

  /// Compared entries of each job. A new edition usually moves clock changes within a year or two.
  private static let comparedEntriesMax = 1_000
  /// Compared entries of all jobs together. The comparison then takes 0.1 to 0.2 s, in which no run is started.
  private static let comparedInAllMax = 500_000

  static func moves(from old: Configuration, to new: Configuration, after now: WallInstant) -> [Move] {
    let affected = zip(old.jobs, new.jobs).filter { before, after in
      before.isEnabled && before.schedule != after.schedule
    }
    // With ten thousand jobs, the next fifty entries of each are compared, which is enough to find the first moves.
    let count = min(comparedEntriesMax, max(1, comparedInAllMax / max(1, affected.count)))
    return affected.compactMap { before, after in
      var instant: (before: WallInstant?, after: WallInstant?) = (now, now)
      for _ in 0..<count {
        instant = (
          instant.before.flatMap(before.schedule.next(after:)),
          instant.after.flatMap(after.schedule.next(after:))
        )
        if instant.before != instant.after {
          return Move(job: before.name, before: instant.before, after: instant.after)
        }
        if instant.before == nil { break }
      }
      return nil
    }
  }
}

extension ZoneChange: CustomStringConvertible {
  /// A message such as
  /// `the zone database has changed (Europe/Berlin): the entry of report at 2027-03-28T00:30:00Z moves to ...`.
  package var description: String {
    let names =
      zones.isEmpty && !isOtherZone
      ? "files of time zones have come or gone"
      : zones.isEmpty
        ? "the machine's zone is \(loaded.configuration.daemon.zone.name) now"
        : "the zone database has changed (\(zones.joined(separator: ", ")))"
    // The message is short. The list of next entries shows all moves.
    let told = moves.prefix(5).map { move in
      switch (move.before, move.after) {
      case (let before?, let after?): "the entry of \(move.job) at \(before) moves to \(after)"
      case (let before?, nil): "the entry of \(move.job) at \(before) is gone"
      case (nil, let after?): "\(move.job) has an entry at \(after)"
      case (nil, nil): "\(move.job) stays"
      }
    }
    let rest = moves.count > told.count ? ["\(moves.count - told.count) more jobs move"] : []
    return "\(names): \(told.isEmpty ? "no entry moves" : (told + rest).joined(separator: "; "))"
  }
}
