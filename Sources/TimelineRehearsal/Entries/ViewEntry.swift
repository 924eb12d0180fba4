package import TimelineCore
package import TimelineEngine

/// One entry of a job as a view shows it: recorded, active, or to come.
package struct ViewEntry: Sendable, Hashable {
  /// The nominal instant, of several in a row the last.
  package var entry: WallInstant
  /// The nominal instant of the first.
  package var firstEntry: WallInstant
  /// Number of consecutive entries.
  package var count = 1
  /// Start of the first attempt; `nil` when there was none.
  package var start: WallInstant?
  /// End of the run, of an active one the expected end.
  package var end: WallInstant?
  /// Outcome; `nil` for an active run, and for an entry to come that nothing simulates.
  package var outcome: Outcome?
  /// Cause of the run.
  package var cause = RunCause.schedule
  /// Reason for the outcome, one line; may be empty.
  package var reason = ""
  /// Number of the run, if there is one.
  package var run: UInt64?
  /// Number of attempts.
  package var attempts = 0

  /// Usage of the run and all that it started, as far as it is known.
  package var usage = RunUsage()

  /// The node of the cluster that settled or claimed it, if that is another one.
  package var node: String?

  /// Makes an entry without a run.
  package init(_ entry: WallInstant, outcome: Outcome? = nil) {
    self.entry = entry
    firstEntry = entry
    self.outcome = outcome
  }

  /// Whether its run waits, or the entry itself.
  package var isWaiting: Bool { outcome == nil && start == nil }

  /// The row of the drawing for this entry; an active run lasts until `now` at least.
  package func row(job: Int, now: WallInstant) -> DryRunEntry {
    guard let outcome else {
      // Nothing else is known of an entry to come: it is drawn as a run without a length.
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
