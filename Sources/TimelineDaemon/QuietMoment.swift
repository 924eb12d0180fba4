import TimelineCore

/// Times at which the loop's one thread may do work that holds it for a while, for example removing old records.
enum QuietMoment {
  /// Pause after a deadline: its runs are to be on their way.
  private static let pause = ElapsedTime.milliseconds(2)
  /// Pause after a moment in which answers are expected: a turn of the loop is over after it.
  private static let answerPause = ElapsedTime.milliseconds(5)

  /// Returns the time for which to put off at `now` work that takes up to `length`, so that it delays neither the next
  /// `deadline` nor runs that answer at once if the loop is `expectingAnswers`. `nil` to do it now, as from `latest` on
  /// in any case.
  static func delay(
    of length: ElapsedTime, at now: WallInstant, before deadline: WallInstant?, atLatest latest: WallInstant,
    expectingAnswers: Bool = false
  ) -> ElapsedTime? {
    guard now < latest else { return nil }
    if let deadline, deadline - now <= length {
      return min(max(deadline - now, .zero) + pause, latest - now)
    }
    return expectingAnswers ? min(answerPause, latest - now) : nil
  }
}
