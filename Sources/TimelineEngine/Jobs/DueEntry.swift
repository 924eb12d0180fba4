import TimelineCore

/// An entry whose time has come and that is neither running nor settled.
struct DueEntry: Sendable, Hashable {
  /// Its nominal instant.
  var nominal: WallInstant
  /// Cause of its run.
  var cause: RunCause
  /// Number of entries that the run will stand for.
  var entryCount = 1
  /// Whether the operator who resumed the job requested it, so that the choice of the missed policy does not apply.
  var isAskedFor = false
  /// Instant from which its wait for room counts: its own instant, or the instant of the first entry that it superseded. `.min`
  /// before it waits.
  var waitingSince: WallInstant = .min
  /// Fencing token of its claim.
  var token: Int64?
}
