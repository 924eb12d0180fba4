import TimelineCore

/// When the loop's one thread may do what holds it for a while, such as dropping what is old.
enum QuietMoment {
  /// How long after a deadline: its runs are to be on their way.
  private static let pause = ElapsedTime.milliseconds(2)
  /// How long after a moment in which answers are expected to look again: a turn of the loop is over by then.
  private static let answerPause = ElapsedTime.milliseconds(5)

  /// How long to put off at `now` what takes up to `length`, so that it is not in the way of the next `deadline`, nor of runs
  /// that answer at once if the loop is `expectingAnswers`; `nil` to do it now, as from `latest` on, whatever is due.
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
