import TimelineCore

// Instants of a job: due instants of entries, and free instants.
extension JobState {
  /// Returns `instant`, or the first later instant that is free: not used by the last manual trigger, the last entry of another
  /// daemon, the entry decided last, an entry from before a clock step, or an entry in `taken`, which ascends.
  func freeInstant(at instant: WallInstant, besides taken: [WallInstant] = []) -> WallInstant {
    let free = instant == watermark.decided ? instant + .nanoseconds(1) : instant
    let nominal = besideFormerEntries(of: lastOwn(following: free).map { $0 + .nanoseconds(1) } ?? free)
    return taken.includes(nominal) ? freeInstant(at: nominal + .nanoseconds(1), besides: taken) : nominal
  }

  /// Returns `instant`, or a free instant less than 1 µs before it. If these instants are taken, returns the first free
  /// instant after it. Earlier instants come first, because an entry with a later instant would start early.
  func freeTriggerInstant(at instant: WallInstant, besides taken: [WallInstant] = []) -> WallInstant {
    let nominal = besideFormerEntries(atOrBefore: instant)
    let isTaken =
      lastOwn(following: nominal) != nil || nominal == watermark.decided || taken.includes(nominal)
    return isTaken ? freeInstant(at: instant, besides: taken) : nominal
  }

  /// Reserves and returns a nominal instant for an entry outside the schedule. No other entry of the job gets this instant.
  /// `taken` are instants of the job's entries ahead of the clock, ascending.
  mutating func takeTriggerInstant(at now: WallInstant, besides taken: [WallInstant] = []) -> WallInstant {
    var nominal = freeTriggerInstant(at: now, besides: taken)
    while hasEntry(at: nominal) || taken.includes(nominal) { nominal = nominal + .nanoseconds(1) }
    lastTrigger = nominal
    return nominal
  }

  /// Whether the schedule has an entry at exactly this instant. For a closed loop: the next entry, the entry decided last, or
  /// the last entry that was left out.
  func hasEntry(at instant: WallInstant) -> Bool {
    if isClosedLoop {
      return next == instant || watermark.decided == instant
        || leftOut(before: instant + .nanoseconds(1))?.latest == instant
    }
    return definition.hasEntry(at: instant)
  }

  /// Returns the entries of a closed loop before `end` that low-frequency mode leaves out; `nil` for none.
  func leftOut(before end: WallInstant) -> MissedRange? {
    guard let first = leftOutSince, first < end else { return nil }
    let count = definition.schedule.count(after: first, through: end - .nanoseconds(1)) + 1
    return MissedRange(first: first, latest: first + loopInterval * Int64(count - 1), count: count)
  }

  /// The shortest time between two starts of a closed loop.
  var loopInterval: ElapsedTime {
    guard case .animation(let schedule) = definition.schedule else { return .zero }
    return schedule.interval
  }

  /// Whether a closed loop is stopped: its job or its schedule is paused.
  var isStoppedLoop: Bool {
    if pause != nil { return true }
    guard case .animation(let schedule) = definition.schedule else { return false }
    return schedule.isPaused
  }

  /// Returns the instant at which the entry at `nominal` falls due, with the jitter of the machine with `seed`.
  func dueInstant(_ seed: UInt64, of nominal: WallInstant) -> WallInstant {
    isExact ? nominal : definition.dueInstant(of: nominal, seed)
  }

  /// Returns the last entry of the schedule with a nominal instant up to `end` that has fallen due at `now`.
  func lastDue(_ seed: UInt64, through end: WallInstant, at now: WallInstant) -> WallInstant? {
    let latest = definition.schedule.latest(atOrBefore: end)
    guard let latest, dueInstant(seed, of: latest) > now else { return latest }
    return definition.schedule.latest(atOrBefore: latest - .nanoseconds(1))
  }

  /// Whether the entry at `nominal` is later than the watermark, and all entries in between are decided.
  func isNext(_ nominal: WallInstant) -> Bool {
    guard let decided = watermark.decided, nominal > decided else { return false }
    var watermark = watermark
    let first = watermark.firstUndecided(from: definition.next(after: decided), of: definition)
    return first.map { nominal <= $0 } ?? true
  }

  /// Returns the undecided entries of the schedule after `origin`, up to `end`.
  func undecided(after origin: WallInstant, through end: WallInstant) -> [MissedRange] {
    isClosedLoop ? [] : watermark.undecided(after: origin, through: end, of: definition.schedule)
  }

  /// Whether the job skips the next entry of its schedule, because this entry was decided while the clock was ahead.
  func waitsForClock(at now: WallInstant) -> Bool {
    guard let next, !isClosedLoop, watermark.isAhead || watermark.instant > now else { return false }
    // An entry that has run where it had moved does not wait.
    var first = definition.next(after: now)
    while let nominal = first, moves.decided.includes(nominal) { first = definition.next(after: nominal) }
    return first.map { $0 < next } ?? false
  }

  /// Last instant before the next entry up to which entries are decided.
  var decidedBeforeNext: WallInstant {
    let ahead = next.flatMap { next in watermark.ahead.last { $0.upperBound < next }?.upperBound }
    return max(watermark.instant, ahead ?? .min)
  }
}

// Instants that ascend.
extension [WallInstant] {
  /// Whether `instant` is one of the instants; O(log n).
  func includes(_ instant: WallInstant) -> Bool {
    if isEmpty { return false }
    let place = firstPlace(notBefore: instant)
    return place < count && self[place] == instant
  }

  /// Returns the index of the first instant that is not before `instant`, or the end; O(log n).
  func firstPlace(notBefore instant: WallInstant) -> Int {
    var (first, end) = (0, count)
    while first < end {
      let middle = first + (end - first) / 2
      if self[middle] < instant { first = middle + 1 } else { end = middle }
    }
    return first
  }
}
