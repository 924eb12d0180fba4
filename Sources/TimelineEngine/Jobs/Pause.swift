import TimelineCore

/// Pause of a job.
struct Pause: Sendable, Hashable {
  /// Instant at which the job was paused.
  var since: WallInstant
  /// Instant after which entries of the schedule have not been decided.
  var origin: WallInstant
}
