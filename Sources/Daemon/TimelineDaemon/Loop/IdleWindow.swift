import TimelineCore

/// Times at which the loop's thread may do work that takes a while, for example removing old records.
enum IdleWindow {
  /// Pause after a deadline, in which its runs are started.
  private static let pause = ElapsedTime.milliseconds(2)

  /// Returns the time for which to defer at `now` work that takes up to `length`, so that it does not delay the next
  /// `deadline`. Returns `nil` if the work is to be done now, as always from `latest` on.
  static func delay(
    of length: ElapsedTime, at now: WallInstant, before deadline: WallInstant?, atLatest latest: WallInstant
  ) -> ElapsedTime? {
    guard now < latest, let deadline, deadline - now <= length else { return nil }
    return min(max(deadline - now, .zero) + pause, latest - now)
  }
}
