package import TimelineCore

/// Consecutive entries of one job, at least one, that passed while no daemon could run them.
package struct MissedRange: Sendable, Hashable {
  /// The oldest.
  package var first: WallInstant
  /// The most recent.
  package var latest: WallInstant
  /// The number of entries.
  package var count: Int

  /// Makes a range of `count` entries from `first` through `latest`.
  package init(first: WallInstant, latest: WallInstant, count: Int) {
    (self.first, self.latest, self.count) = (first, latest, count)
  }
}
