import TimelineCore

/// When the loop's one thread may do what holds it for a while, such as dropping what is old.
enum QuietMoment {
  /// How long after a deadline: its runs are to be on their way.
  private static let pause = ElapsedTime.milliseconds(2)

  /// How long to put off at `now` what takes up to `length`, so that it is not in the way of the next `deadline`; `nil` to do it
  /// now, as from `latest` on, whatever is due.
  static func delay(
    of length: ElapsedTime, at now: WallInstant, before deadline: WallInstant?, atLatest latest: WallInstant
  ) -> ElapsedTime? {
    guard let deadline, now < latest, deadline - now <= length else { return nil }
    return min(max(deadline - now, .zero) + pause, latest - now)
  }
}
