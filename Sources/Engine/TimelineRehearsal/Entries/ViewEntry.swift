package import TimelineCore
package import TimelineEngine

/// One entry of a job in a view: recorded, active, or in the future.
package struct ViewEntry: Sendable, Equatable {
  /// Nominal instant of the entry, or of the last of consecutive entries.
  package var entry: WallInstant
  /// Nominal instant of the first of consecutive entries.
  package var firstEntry: WallInstant
  /// Number of consecutive entries.
  package var count = 1
  /// Start of the first attempt; `nil` without an attempt.
  package var start: WallInstant?
  /// End of the run, or expected end of an active run.
  package var end: WallInstant?
  /// Outcome; `nil` for an active run, and for a future entry without a simulation.
  package var outcome: Outcome?
  package var cause = RunCause.schedule
  /// Nominal instant of the entry that a rerun repeats; `nil` for other causes, and if unknown.
  package var of: WallInstant?
  /// One line; may be empty.
  package var reason = ""
  /// Number of the run; `nil` without a run.
  package var run: UInt64?
  package var attempts = 0

  /// Usage of the run and all its processes, if known.
  package var usage = RunUsage()

  /// Other node of the cluster that settled or claimed the entry; `nil` for none.
  package var node: String?

  /// Makes an entry without a run.
  package init(_ entry: WallInstant, outcome: Outcome? = nil) {
    self.entry = entry
    firstEntry = entry
    self.outcome = outcome
  }

  /// Whether the entry or its run waits.
  package var isWaiting: Bool { outcome == nil && start == nil }

  /// Returns the row of the drawing for this entry. An active run lasts at least until `now`.
  package func row(job: Int, now: WallInstant) -> DryRunEntry {
    guard let outcome else {
      // No more is known about a future entry: it is drawn as a zero-length run.
      let begin = start ?? entry
      let end = start == nil ? begin : max(end ?? begin, begin, now)
      return DryRunEntry(job: job, entry: entry, start: begin, end: end, outcome: .succeeded)
    }
    var row = DryRunEntry(job: job, entry: entry, start: start, end: end ?? start, outcome: outcome)
    row.firstEntry = firstEntry
    row.count = count
    return row
  }
}
