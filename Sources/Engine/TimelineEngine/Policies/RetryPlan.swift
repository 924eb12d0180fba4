import TimelineCore

/// Plan of the attempts of one run.
struct RetryPlan: Sendable {
  private let policy: RetryPolicy?

  /// The plan of a job with this policy; `nil` for no retries.
  init(_ policy: RetryPolicy?) { self.policy = policy }

  /// Returns the back-off after the failed attempt with this number; `nil` if there is no further attempt.
  ///
  /// The back-off doubles from attempt to attempt up to its limit. Jitter then shortens the back-off by a hash of the run's
  /// key and the attempt number, so that a rehearsal gets the same value.
  func backoff(after attempt: Int, of entry: EntryKey) -> ElapsedTime? {
    guard let policy, attempt < policy.attempts else { return nil }
    let doublings = min(attempt - 1, 62)
    let pause = max(.zero, min(policy.backoffFrom * (Int64(1) << Int64(doublings)), policy.backoffTo))
    guard policy.jitterPercent > 0 else { return pause }
    var hash = StableHash()
    hash.combine(entry.job.text)
    hash.combine(UInt64(bitPattern: entry.nominal.nanosecondsSinceEpoch))
    hash.combine(UInt64(attempt))
    let span = UInt64(pause.nanoseconds / 100 * Int64(min(policy.jitterPercent, 100)))
    return pause - .nanoseconds(Int64(hash.value % (span + 1)))
  }

  /// Returns the instant of the next attempt of a run that an earlier daemon left after `attempts` attempts, with the next
  /// attempt due at `instant`. Returns `nil` if there is no further attempt.
  ///
  /// The clock may have been set since, so the wait is at most the longest back-off.
  func resumption(after attempts: Int, dueAt instant: WallInstant, _ now: WallInstant) -> WallInstant? {
    guard let policy, attempts < policy.attempts else { return nil }
    return max(now, min(instant, now + policy.backoffTo))
  }

  /// Longest back-off; `.max` without a retry policy.
  var longestBackoff: ElapsedTime { policy?.backoffTo ?? .max }

  /// Maximum number of starts of a run that dies with its daemon each time.
  var startsMax: Int { policy?.attempts ?? EngineLimits.recoveryAttemptsMax }
}
