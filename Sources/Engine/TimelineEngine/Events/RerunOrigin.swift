package import TimelineCore

/// The entry of the schedule that a rerun repeats, and the number of the rerun. The rerun has an entry of its own.
package struct RerunOrigin: Sendable, Hashable {
  /// Nominal instant of the repeated entry.
  package var of: WallInstant
  /// Number among all reruns of this entry, from 1.
  package var number: Int

  package init(of nominal: WallInstant, number: Int) {
    of = nominal
    self.number = number
  }
}
