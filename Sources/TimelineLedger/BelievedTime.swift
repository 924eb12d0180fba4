import TimelineCore

/// What time it is for what cannot be undone: a clock that is far ahead is believed only after it has been that for a day.
struct BelievedTime {
  /// How far a clock may go ahead of what has elapsed, and how long one that has gone further is not believed.
  static let patience = ElapsedTime.days(1)

  /// What was believed last, and when that was by a clock that nobody sets; `nil` when nothing is known yet.
  private var last: WallInstant?
  private var lastAt = ElapsedTime.zero
  /// Since when the clock has been too far ahead.
  private var doubtedSince: ElapsedTime?

  /// Begins with an instant that has come, of which an earlier daemon tells.
  init(from instant: WallInstant?) { last = instant }

  /// What to go by when a clock shows `now` and so much has elapsed since the beginning; never later than `now`.
  mutating func instant(for now: WallInstant, elapsed: ElapsedTime) -> WallInstant {
    let due = last.map { $0 + (elapsed - lastAt) } ?? now
    if now > due + Self.patience {
      let since = doubtedSince ?? elapsed
      doubtedSince = since
      if elapsed - since < Self.patience { return due + Self.patience }
    }
    doubtedSince = nil
    // A clock that goes back does not make the right time a doubtful one.
    (last, lastAt) = (max(now, due), elapsed)
    return now
  }
}
