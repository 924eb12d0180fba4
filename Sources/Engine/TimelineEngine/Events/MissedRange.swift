package import TimelineCore

/// Consecutive entries of one job, at least one, that passed while no daemon could run them.
package struct MissedRange: Sendable, Hashable {
  package var first: WallInstant
  package var latest: WallInstant
  package var count: Int

  package init(first: WallInstant, latest: WallInstant, count: Int) {
    (self.first, self.latest, self.count) = (first, latest, count)
  }
}
