/// Reasons not to repeat an entry.
package enum RerunRefusal: Sendable, Hashable, CaseIterable {
  /// The job's next entry depends on the end of its last run, so its schedule has no entry to repeat.
  case closedLoop
  /// The job's entries are counted and have no records of their own.
  case counted
  /// The schedule has no entry at the instant.
  case notOfSchedule
  /// The entry lies ahead, waits or runs, so its outcome is still to come.
  case undecided
  /// Another rerun of the entry waits or runs.
  case active

  /// Facts about a job and one instant.
  struct Facts: Sendable {
    var isClosedLoop = false
    var isCounted = false
    /// Whether the schedule has an entry at the instant.
    var isOfSchedule = true
    /// Whether the outcome of this entry is still to come.
    var isUndecided = false
    /// Whether a rerun of this entry waits or runs.
    var isActive = false
  }

  /// Decides by facts about the job and the entry; `nil` if the entry can be repeated.
  init?(_ facts: Facts) {
    if facts.isClosedLoop {
      self = .closedLoop
    } else if facts.isCounted {
      self = .counted
    } else if !facts.isOfSchedule {
      self = .notOfSchedule
    } else if facts.isUndecided {
      self = .undecided
    } else if facts.isActive {
      self = .active
    } else {
      return nil
    }
  }
}
