import TimelineCore

/// A due entry that neither runs nor is settled.
struct DueEntry: Sendable, Hashable {
  var nominal: WallInstant
  var cause: RunCause
  /// Number of entries that the run will stand for.
  var entryCount = 1
  /// Whether the operator who resumed the job requested the entry. The choice of the missed policy then does not apply.
  var isAskedFor = false
  /// Instant from which the wait for room counts: the entry's own instant, or the instant of the first entry that it
  /// superseded. `.min` before the wait.
  var waitingSince: WallInstant = .min
  /// Fencing token of the claim.
  var token: Int64?
}
