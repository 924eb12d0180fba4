import TimelineCore

/// Pause of a job.
struct Pause: Sendable, Hashable {
  var since: WallInstant
  /// Instant after which entries of the schedule are undecided.
  var origin: WallInstant
}
