import TimelineCore

/// Clock for irreversible deletions: a jump forward by more than 24 h is trusted only after 24 h.
struct TrustedClock {
  /// Largest jump forward that is trusted at once, and the time for which a larger jump is not trusted.
  static let patience = ElapsedTime.days(1)

  /// Instant that was trusted last, and the elapsed monotonic time at that moment; `nil` if no instant is known yet.
  private var last: WallInstant?
  private var lastAt = ElapsedTime.zero
  /// Elapsed time at which the clock was first seen too far ahead; `nil` while the clock is trusted.
  private var doubtedSince: ElapsedTime?

  /// Starts from an instant that an earlier daemon has recorded; `nil` for none.
  init(from instant: WallInstant?) { last = instant }

  /// Returns the trusted instant when the clock shows `now` and `elapsed` has passed since the start; never later than `now`.
  mutating func instant(for now: WallInstant, elapsed: ElapsedTime) -> WallInstant {
    let due = last.map { $0 + (elapsed - lastAt) } ?? now
    if now > due + Self.patience {
      let since = doubtedSince ?? elapsed
      doubtedSince = since
      if elapsed - since < Self.patience { return due + Self.patience }
    }
    doubtedSince = nil
    // A clock that went back does not make the right time doubtful.
    (last, lastAt) = (max(now, due), elapsed)
    return now
  }
}
