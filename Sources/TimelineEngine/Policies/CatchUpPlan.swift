import TimelineCore

/// Plan of what runs of the entries that fell due in a pause, by the choice of the operator who ends it.
///
/// A pause holds entries that waited when it began, and later ranges of entries of the schedule, with entries between them that were decided
/// before the clock was set back.
struct CatchUpPlan: Sendable, Hashable {
  /// Number of held entries that run: the last ones.
  let heldCount: Int
  private let choice: MissedPolicy.Choice
  private let rangeCount: Int

  /// The plan for a pause that holds `held` entries and `ranges` ranges.
  init(_ choice: MissedPolicy.Choice, held: Int, ranges: Int) {
    self.choice = choice
    rangeCount = ranges
    heldCount =
      switch choice {
      case .skip: 0
      // The latest entry of all is one of the schedule's, where there is one.
      case .latest: ranges == 0 ? min(held, 1) : 0
      case .all: held
      }
  }

  /// Returns what runs of the range at `position`: of several ranges the last one has the latest entry.
  func choice(forRange position: Int) -> MissedPolicy.Choice {
    choice == .latest && position < rangeCount - 1 ? .skip : choice
  }
}
