import TimelineCore

/// Selection of the entries to run among the entries that fell due in a pause. The operator who ends the pause makes the
/// choice.
///
/// A pause holds entries that waited when it began, and later ranges of entries of the schedule. Between the ranges lie entries
/// that were decided before the clock was set back.
struct CatchUpPlan: Sendable, Hashable {
  /// Number of held entries that run. These are the last ones.
  let heldCount: Int
  private let choice: MissedPolicy.Choice
  private let rangeCount: Int

  /// Makes the plan for a pause that holds `held` entries and `ranges` ranges.
  init(_ choice: MissedPolicy.Choice, held: Int, ranges: Int) {
    self.choice = choice
    rangeCount = ranges
    heldCount =
      switch choice {
      case .skip: 0
      // If there are ranges, the latest entry of all is in the last range.
      case .latest: ranges == 0 ? min(held, 1) : 0
      case .all: held
      }
  }

  /// Returns the choice for the range at `position`. The last range has the latest entry.
  func choice(forRange position: Int) -> MissedPolicy.Choice {
    choice == .latest && position < rangeCount - 1 ? .skip : choice
  }
}
