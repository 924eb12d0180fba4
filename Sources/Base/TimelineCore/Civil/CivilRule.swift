/// A rule for the date and time on a clock that is never changed: the part of a rule without a zone.
///
/// Times are *local ticks*, counted from 1970-01-01T00:00:00 on that clock.
protocol CivilRule: LocalTimeRule {
  /// Ticks in a second: the finest resolution of the rule.
  static var ticksPerSecond: Int { get }

  /// Whether the rule names times of the day, which a clock change can skip or repeat.
  var fixesTimeOfDay: Bool { get }

  /// Whether every minute that a rule names has the same seconds.
  static var hasSameSecondsInEveryMinute: Bool { get }

  /// The first match from `local` on, if it is not later than `limit`; never allocates.
  func first(atOrAfter local: Int, through limit: Int) -> Int?

  /// The last match up to `local`, if it is not earlier than `limit`; never allocates.
  func last(atOrBefore local: Int, from limit: Int) -> Int?

  /// Returns the number of matches from `first` through `last`.
  func count(from first: Int, through last: Int) -> Int

  /// The name of the rule's kind in a configuration.
  static var kindName: ScheduleRule.KindName { get }

  /// See ``ScheduleRule/hasMoreThanOneEntryPerSecond``.
  var hasMoreThanOneEntryPerSecond: Bool { get }

  var isOnWholeSeconds: Bool { get }

  /// See ``RuleKind/grids``.
  var grids: [EntryGrid] { get }

  /// The rule as a sentence without a full stop, without its zone.
  var words: String { get }

  /// Whether a clock change can leave a day without entries.
  var canSkipDay: Bool { get }

  /// See ``RuleKind/portable``.
  func portable(in zone: Zone) -> PortableSchedule?
}

extension CivilRule {
  var hasMoreThanOneEntryPerSecond: Bool { false }
  var isOnWholeSeconds: Bool { true }
  var canSkipDay: Bool { !fixesTimeOfDay }
  func portable(in zone: Zone) -> PortableSchedule? { nil }

  /// None: the rule matches times that clocks show.
  public var ownZone: Zone? { nil }

  /// Returns the rule and its zone on one line.
  public func summary(in zone: Zone) -> String { "\(Self.kindName.rawValue) \(self) in \(zone.name)" }
}

/// A rule on the clocks of a zone: answers the queries of a schedule, stretch by stretch of the zone.
struct CivilSearch<Rule: LocalTimeRule>: Sendable {
  let zone: Zone
  let rule: Rule
  let daylightSaving: DaylightSavingPolicy
}

extension CivilSearch where Rule: CivilRule {
  /// The first entry strictly later than `instant`; never allocates.
  func next(after instant: WallInstant) -> WallInstant? {
    guard let quiet = zone.storage.quietStretch(around: instant) else { return searchNext(after: instant) }
    // Usually there is no clock change nearby, and the rule alone decides.
    let offset = quiet.offset * Rule.ticksPerSecond
    let lower = Ticks<Rule>.atOrBefore(instant) + 1 + offset
    let found = rule.first(atOrAfter: lower, through: Ticks<Rule>.all.upperBound + offset)
    let entry = found.map { Ticks<Rule>.instant($0 - offset) } ?? .max
    if found != nil, entry.nanosecondsSinceEpoch <= quiet.end { return entry }
    // With the current offset there is no earlier entry. A later offset can make the entry earlier by less than
    // `offsetsDiffer`, so that no entry lies before `nothingUntil`.
    let nothingUntil = entry - Self.offsetsDiffer
    guard quiet.end - instant.nanosecondsSinceEpoch >= Self.offsetsDiffer.nanoseconds, nothingUntil > instant
    else { return searchNext(after: instant) }
    return next(after: nothingUntil)
  }

  /// A length greater than the difference of any two offsets of a zone, by ``ZoneLimits/offsets``.
  private static var offsetsDiffer: ElapsedTime { .days(3) }

  /// Returns the first entry strictly later than `instant`, near or after a clock change: searches stretch by
  /// stretch.
  @inline(never)
  private func searchNext(after instant: WallInstant) -> WallInstant? {
    var lower = Ticks<Rule>.atOrBefore(instant) + 1
    guard lower <= Ticks<Rule>.all.upperBound else { return nil }
    var index = zone.storage.index(at: Ticks<Rule>.nanoseconds(lower))
    while true {
      let stretch = CivilStretch(self, index)
      if let found = stretch.first(atOrAfter: lower) { return Ticks<Rule>.instant(found) }
      index += 1
      guard index < zone.storage.starts.count else { return nil }
      lower = stretch.end + 1
    }
  }

  /// The last entry that is not later than `instant`; never allocates.
  func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    if let quiet = zone.storage.quietStretch(around: instant) {
      let offset = quiet.offset * Rule.ticksPerSecond
      let upper = Ticks<Rule>.atOrBefore(instant) + offset
      let limit = Ticks<Rule>.atOrBefore(WallInstant(nanosecondsSinceEpoch: quiet.start)) + offset
      if let found = rule.last(atOrBefore: upper, from: limit) { return Ticks<Rule>.instant(found - offset) }
    }
    return searchLatest(atOrBefore: instant)
  }

  /// Returns the last entry that is not later than `instant`, near or before a clock change: searches stretch by
  /// stretch.
  @inline(never)
  private func searchLatest(atOrBefore instant: WallInstant) -> WallInstant? {
    var upper = Ticks<Rule>.atOrBefore(instant)
    guard upper >= Ticks<Rule>.all.lowerBound else { return nil }
    var index = zone.storage.index(at: Ticks<Rule>.nanoseconds(upper))
    while true {
      let stretch = CivilStretch(self, index)
      if let found = stretch.last(atOrBefore: upper) { return Ticks<Rule>.instant(found) }
      guard index > 0 else { return nil }
      index -= 1
      upper = stretch.start - 1
    }
  }

  /// Returns the number of entries in (`start`, `end`].
  func count(after start: WallInstant, through end: WallInstant) -> Int {
    var lower = Ticks<Rule>.atOrBefore(start) + 1
    let upper = Ticks<Rule>.atOrBefore(end)
    guard lower <= upper else { return 0 }
    lower = max(lower, Ticks<Rule>.all.lowerBound)
    var total = 0
    var index = zone.storage.index(at: Ticks<Rule>.nanoseconds(lower))
    while lower <= upper {
      let stretch = CivilStretch(self, index)
      total += stretch.count(from: lower, through: min(upper, stretch.end))
      lower = stretch.end + 1
      index += 1
    }
    return total
  }
}

/// Instants in the ticks of a type of rule.
enum Ticks<Rule: CivilRule> {
  private static var nanosecondsPerTick: Int64 { 1_000_000_000 / Int64(Rule.ticksPerSecond) }

  /// The whole ticks of all instants.
  static var all: ClosedRange<Int> {
    Int(Int64.min / nanosecondsPerTick)...Int(Int64.max / nanosecondsPerTick)
  }

  /// The last whole tick that is not later than `instant`; it can lie one below ``all``.
  static func atOrBefore(_ instant: WallInstant) -> Int {
    Int(instant.nanosecondsSinceEpoch.flooredQuotient(by: nanosecondsPerTick))
  }

  /// A tick, one of ``all``, in nanoseconds since the epoch, saturating.
  static func nanoseconds(_ tick: Int) -> Int64 {
    Int64(tick).multipliedSaturating(by: nanosecondsPerTick)
  }

  /// The instant of a tick.
  static func instant(_ tick: Int) -> WallInstant { WallInstant(nanosecondsSinceEpoch: nanoseconds(tick)) }
}
