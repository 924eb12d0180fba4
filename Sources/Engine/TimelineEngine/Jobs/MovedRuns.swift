package import TimelineCore

/// A run of an entry that had moved, and the instants from which it moved, ascending.
package struct MovedEntry: Sendable, Hashable {
  /// The nominal instant of the run's entry.
  package var nominal: WallInstant
  package var origins: [WallInstant]

  package init(nominal: WallInstant, origins: [WallInstant]) {
    self.nominal = nominal
    self.origins = origins
  }
}

/// Runs of one job whose entries had moved. An instant from which an entry has moved and run does not run again if another schedule
/// has an entry there, or moves it elsewhere.
struct MovedRuns: Sendable {
  /// The runs, by nominal instant.
  private(set) var entries: [MovedEntry] = []
  /// Entries of the present schedule that do not run, because all that they stand for has run; ascending.
  private(set) var decided: [WallInstant] = []

  /// Number of runs that are kept: ten on each of the 93 days of ``EngineLimits/movedSpan``, with room.
  private static let countMax = 1_000

  /// Whether nothing has moved.
  var isEmpty: Bool { entries.isEmpty }

  /// The instants for which there was a run: those from which entries have moved, and those where they lay.
  var instants: [WallInstant] { entries.flatMap { $0.origins + [$0.nominal] } }

  /// Returns the instants from which the entry at `nominal` has moved; `nil` if it is unknown.
  func origins(of nominal: WallInstant) -> [WallInstant]? {
    entries.first { $0.nominal == nominal }?.origins
  }

  /// Adds a run, and removes those that are too long ago to have any effect on a later entry.
  mutating func insert(_ entry: MovedEntry, at now: WallInstant) {
    entries.removeAll { $0.nominal < now - EngineLimits.movedSpan || $0.nominal == entry.nominal }
    entries.append(entry)
    entries.sort { $0.nominal < $1.nominal }
    if entries.count > Self.countMax { entries.removeFirst(entries.count - Self.countMax) }
  }

  /// Removes a run whose plugin was not called.
  mutating func remove(_ nominal: WallInstant) { entries.removeAll { $0.nominal == nominal } }

  /// Removes the runs after `now`, because an operator released the job.
  mutating func release(at now: WallInstant) { entries.removeAll { $0.nominal > now } }

  /// Sets the entries of the present schedule that do not run.
  mutating func decide(_ nominals: [WallInstant]) { decided = nominals }
}
