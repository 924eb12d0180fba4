import TimelineConfiguration
package import TimelineCore

/// The effects of a new edition of the zone database on a configuration.
package struct ZoneChange: Sendable {
  /// The first entry of a job that lies elsewhere now.
  package struct Move: Sendable, Hashable {
    /// The job.
    package var job: JobName
    /// The former instant of the entry; `nil` when there was none any more.
    package var before: WallInstant?
    /// The new instant of the entry; `nil` when there is none any more.
    package var after: WallInstant?
  }

  /// The zones whose rules are others, in order of their names.
  package var zones: [String]
  /// Whether the machine, which no configuration contradicts, is in another zone.
  package var isOtherZone: Bool
  /// The moved entries, one for each job, in the order of the configuration.
  package var moves: [Move]
  /// The instant at which the change was noticed.
  package var at: WallInstant
  /// The configuration by the new rules.
  package var loaded: LoadedConfiguration

  /// Entries of each job that are compared: a new edition mostly concerns a change of the clocks within a year or two.
  private static let comparedEntriesMax = 1_000
  /// Entries of all jobs together that are compared, for nothing is started meanwhile: a tenth of a second or two.
  private static let comparedInAllMax = 500_000

  static func moves(from old: Configuration, to new: Configuration, after now: WallInstant) -> [Move] {
    let affected = zip(old.jobs, new.jobs).filter { before, after in
      before.isEnabled && before.schedule != after.schedule
    }
    // With ten thousand jobs the next fifty entries of each, which is enough to tell what moves first.
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
  /// A sentence such as `the zone database has changed (Europe/Berlin): the entry of report at 2027-03-28T00:30:00Z moves to ...`.
  package var description: String {
    let names =
      zones.isEmpty && !isOtherZone
      ? "files of time zones have come or gone"
      : zones.isEmpty
        ? "the machine's zone is \(loaded.configuration.daemon.zone.name) now"
        : "the zone database has changed (\(zones.joined(separator: ", ")))"
    // A person reads this; who wants to know of all asks for the next entries.
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
