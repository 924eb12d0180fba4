import TimelineCore

// Instants of a job: when entries fall due, and which ones are free.
extension JobState {
  /// `instant`, or the first one after it that no manual trigger and no entry decided last has taken.
  func freeInstant(at instant: WallInstant) -> WallInstant {
    var free = instant == watermark.decided ? instant + .nanoseconds(1) : instant
    if let last = lastTrigger, lastTriggerFollows(free) { free = last + .nanoseconds(1) }
    return besideFormerEntries(of: free)
  }

  /// `instant`, or one less than 1 µs before it, so that what starts now is not early; where those are taken, the first free one
  /// after it.
  func freeTriggerInstant(at instant: WallInstant) -> WallInstant {
    let nominal = besideFormerEntries(atOrBefore: instant)
    let isTaken = lastTriggerFollows(nominal) || nominal == watermark.decided
    return isTaken ? freeInstant(at: instant) : nominal
  }

  /// Whether the last trigger is at `instant` or less than 1 ms later: several at one instant follow one another, and one far ahead is of
  /// before the clock went back.
  func lastTriggerFollows(_ instant: WallInstant) -> Bool {
    lastTrigger.map { $0 >= instant && $0 - instant < .milliseconds(1) } ?? false
  }

  /// Returns a nominal instant for an entry that is not of the schedule, which no other entry of the job has from then on.
  mutating func takeTriggerInstant(at now: WallInstant) -> WallInstant {
    var nominal = freeTriggerInstant(at: now)
    if hasEntry(at: nominal) { nominal = nominal + .nanoseconds(1) }
    lastTrigger = nominal
    return nominal
  }

  /// Whether the schedule has an entry at this very instant; a closed loop's only one is the next.
  func hasEntry(at instant: WallInstant) -> Bool {
    if isClosedLoop {
      return next == instant || watermark.decided == instant
        || leftOut(before: instant + .nanoseconds(1))?.latest == instant
    }
    return definition.schedule.latest(atOrBefore: instant) == instant
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

  /// Whether a closed loop stands still.
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

  /// Whether nothing is undecided between the watermark and the entry at `nominal`, which is later.
  func isNext(_ nominal: WallInstant) -> Bool {
    guard let decided = watermark.decided, nominal > decided else { return false }
    var watermark = watermark
    let first = watermark.firstUndecided(from: definition.next(after: decided), of: definition)
    return first.map { nominal <= $0 } ?? true
  }

  /// Returns the entries of the schedule after `origin`, up to `end`, that nothing has been decided about.
  func undecided(after origin: WallInstant, through end: WallInstant) -> [MissedRange] {
    isClosedLoop ? [] : watermark.undecided(after: origin, through: end, of: definition.schedule)
  }

  /// Whether the next entry is later than the schedule's, because those before it were decided while the clock was ahead.
  func waitsForClock(at now: WallInstant) -> Bool {
    guard let next, !isClosedLoop, watermark.isAhead || watermark.instant > now else { return false }
    return definition.next(after: now).map { $0 < next } ?? false
  }

  /// Last instant before the next entry up to which entries are decided.
  var decidedBeforeNext: WallInstant {
    let ahead = next.flatMap { next in watermark.ahead.last { $0.upperBound < next }?.upperBound }
    return max(watermark.instant, ahead ?? .min)
  }
}
