import TimelineCore

/// An entry whose time has come and that is neither running nor settled.
struct DueEntry: Sendable, Hashable {
  /// Its nominal instant.
  var nominal: WallInstant
  /// Cause of its run.
  var cause: RunCause
  /// Number of entries that the run will stand for.
  var entryCount = 1
  /// Whether somebody who resumed the job asked for it, so that the missed policy's choice is not asked.
  var isAskedFor = false
  /// Instant from which its wait for room counts: its own, or that of the first entry that it superseded. `.min` before it waits.
  var waitingSince: WallInstant = .min
  /// Fencing token of its claim.
  var token: Int64?
}
