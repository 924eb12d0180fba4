import TimelineCore

/// Nominal instants of a job's entries outside its schedule: triggers, reactions, and all entries of a closed loop.
struct OwnEntries: Sendable {
  /// Nominal instant of the last trigger or reaction.
  private(set) var lastTrigger: WallInstant?
  /// Nominal instant of the last of these entries that another daemon has. Kept beside the last trigger, because it may be
  /// earlier or later by any length of time.
  private var lastOfOthers: WallInstant?
  /// Earliest and latest of these instants.
  private var (first, last): (WallInstant, WallInstant) = (.max, .min)
  /// Number of clock steps since the first of these instants, modulo 1,000.
  private var steps: Int64 = 0

  mutating func setLastTrigger(_ nominal: WallInstant?) {
    lastTrigger = nominal
    if let nominal { note(nominal) }
  }

  /// Records the last entry that another daemon has.
  mutating func setLastOfOthers(_ nominal: WallInstant) {
    lastOfOthers = nominal
    note(nominal)
  }

  /// Records an entry that another daemon has, unless a later one is known.
  mutating func noteOthers(_ nominal: WallInstant) { setLastOfOthers(max(lastOfOthers ?? .min, nominal)) }

  /// Returns the last entry at `instant` or less than 1 ms later; `nil` for none. Several triggers at one instant have successive
  /// nanoseconds. An entry that is further ahead is from before the clock was set back, or a planned start of another daemon.
  func last(following instant: WallInstant) -> WallInstant? {
    func following(_ last: WallInstant?) -> WallInstant? {
      last.flatMap { $0 >= instant && $0 - instant < .milliseconds(1) ? $0 : nil }
    }
    guard let last = following(lastTrigger) else { return following(lastOfOthers) }
    return max(last, following(lastOfOthers) ?? last)
  }

  mutating func note(_ nominal: WallInstant) { (first, last) = (min(first, nominal), max(last, nominal)) }

  mutating func noteStep() {
    if first <= last { steps = (steps + 1) % 1_000 }
  }

  /// Returns `instant`, or an instant at most 2 µs later if there may be an entry at it.
  func free(at instant: WallInstant) -> WallInstant {
    distance(from: instant).map { instant + .nanoseconds(1_000 + $0) } ?? instant
  }

  /// Returns `instant`, or an instant less than 1 µs earlier if there may be an entry at it.
  func free(atOrBefore instant: WallInstant) -> WallInstant {
    distance(from: instant).map { instant + .nanoseconds($0 > 0 ? $0 - 1_000 : $0) } ?? instant
  }

  /// Distance in nanoseconds, less than 1 µs in either direction, from `instant` to the offset within its microsecond that all
  /// entries since the last clock step share. These entries therefore coincide with earlier entries only by chance. `nil` if
  /// there can be no earlier entry at `instant`.
  private func distance(from instant: WallInstant) -> Int64? {
    guard steps > 0, first <= instant, instant <= last else { return nil }
    func beyondMicrosecond(_ instant: WallInstant) -> Int64 {
      instant.nanosecondsSinceEpoch - instant.nanosecondsSinceEpoch.flooredQuotient(by: 1_000) * 1_000
    }
    return (beyondMicrosecond(last) + steps) % 1_000 - beyondMicrosecond(instant)
  }
}
