import TimelineCore

/// Times at which the loop's one thread may do work that holds it for a while, for example removing old records.
enum IdleWindow {
  /// Pause after a deadline: its runs are to be on their way.
  private static let pause = ElapsedTime.milliseconds(2)

  /// Returns the time for which to put off at `now` work that takes up to `length`, so that it does not delay the next `deadline`.
  /// `nil` to do it now, as from `latest` on in any case.
  static func delay(
    of length: ElapsedTime, at now: WallInstant, before deadline: WallInstant?, atLatest latest: WallInstant
  ) -> ElapsedTime? {
    guard now < latest, let deadline, deadline - now <= length else { return nil }
    return min(max(deadline - now, .zero) + pause, latest - now)
  }
}
