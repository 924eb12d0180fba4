/// A description of a rule for people: in words, with the effects of clock changes.
public struct ScheduleExplanation: Sendable, Hashable {
  /// The rule as a sentence without a full stop, such as `at 02:30 on every day, in Europe/Berlin`.
  public var words: String
  /// The rule in the canonical form of its language; `nil` for rules without one.
  public var canonicalForm: String?
  /// The effect of daylight saving on the rule, as a sentence without a full stop; `nil` if there is none.
  public var daylightSaving: String?
  /// Every clock change that affects the rule, ascending.
  public var changes: [ClockChangeEffect]

  /// The most years that are explained: the whole range of instants.
  public static let yearsMax = 292

  /// The end of `years` of 365.25 days after `start`, with at most ``yearsMax``.
  static func end(of years: Int, after start: WallInstant) -> WallInstant {
    start + .hours(8_766) * Int64(min(max(years, 0), yearsMax))
  }
}

/// A clock change that skips or repeats times of a rule.
public struct ClockChangeEffect: Sendable, Hashable {
  /// Whether clocks are put forward or back.
  public enum Kind: String, Sendable, Hashable {
    /// Forward: times are skipped.
    case gap
    /// Back: times come twice.
    case fold
  }

  /// The instant of the change.
  public var instant: WallInstant
  /// Whether clocks are put forward or back.
  public var kind: Kind
  /// The number of times of the rule that are skipped or repeated.
  public var timeCount: Int
  /// The instants at which the rule runs for these times: at most ``entryCountMax``, the first ones.
  public var entries: [WallInstant]
  /// The effect, as a sentence without a full stop.
  public var words: String
  /// The times and the effect of the change on them, such as `02:30 does not exist on 2027-03-28 in Europe/Berlin`.
  var subject = ""
  /// The times of the rule that are skipped or repeated, in seconds since 1970 on a clock that is never changed: at
  /// most the first of each minute of an hour.
  var times: [Int] = []
  /// Whether the rule names no times of the day, so that it follows real time.
  var followsRealTime = false
  /// Whether windows exclude the entries of the change although they allow the entries of other days at these times.
  public var isLeftOut = false

  /// The maximum number of entries listed for one change.
  public static let entryCountMax = 8

  /// The effect of a gap on a rule that follows real time, whose next entry is `next`.
  func realTimeWords(next: WallInstant?, in zone: Zone) -> String {
    let rest = next.map { "goes on at \($0.text(in: zone))" } ?? "has no later entry"
    return "\(subject): the rule follows real time and \(rest)"
  }
}

extension RuleSchedule where Rule: CivilRule {
  /// The effect of the policy on the rule; `nil` in a zone without clock changes.
  var policyWords: String? {
    guard zone.storage.starts.count > 1 else { return nil }
    return rule.fixesTimeOfDay
      ? daylightSaving.words
      : "follows real time; a time that clocks skip has no entry; one that comes twice runs both times"
  }

  /// Every change in (`start`, `end`] that skips or repeats times of the rule.
  func effects(after start: WallInstant, through end: WallInstant) -> [ClockChangeEffect] {
    guard start < end else { return [] }
    let first = search.zone.storage.index(at: start.nanosecondsSinceEpoch) + 1
    let last = search.zone.storage.index(at: end.nanosecondsSinceEpoch)
    guard first <= last else { return [] }
    return (first...last).compactMap { effect(of: ClockChange(zone: search.zone, index: $0)) }
  }

  private func effect(of change: ClockChange) -> ClockChangeEffect? {
    let (gap, fold) = (change.skipped(Rule.self), change.repeated(Rule.self))
    guard let range = gap ?? fold,
      let first = rule.first(atOrAfter: range.lowerBound, through: range.upperBound),
      let last = rule.last(atOrBefore: range.upperBound, from: range.lowerBound)
    else { return nil }
    // A gap takes no time, but its times can be shifted past it by its length; the times of a fold are passed twice.
    let length = ElapsedTime.seconds(Int64(abs(change.offset - change.offsetBefore)))
    let from = gap != nil ? change.instant : change.instant - length
    let through = gap != nil && daylightSaving.gap != .shift ? change.instant : change.instant + length
    var entries: [WallInstant] = []
    var instant = from - .nanoseconds(1)
    while rule.fixesTimeOfDay || gap == nil, entries.count < ClockChangeEffect.entryCountMax,
      let next = next(after: instant), next <= through, gap != nil || next < through
    {
      entries.append(next)
      instant = next
    }
    var effect = ClockChangeEffect(
      change, CivilTimes(first: search.civil(first), last: search.civil(last)), in: zone,
      by: rule.fixesTimeOfDay ? daylightSaving : nil)
    effect.timeCount = rule.count(from: first, through: last)
    effect.entries = entries
    effect.times = times(from: first, through: range.upperBound)
    if gap != nil, !rule.fixesTimeOfDay {
      effect.words = effect.realTimeWords(next: next(after: from - .nanoseconds(1)), in: zone)
    }
    return effect
  }

  /// The first time of the rule in each minute from `first` through `last`, in seconds; at most 1,440 times, because
  /// no clock change is longer.
  private func times(from first: Int, through last: Int) -> [Int] {
    var (times, local) = ([Int](), Optional(first))
    while let time = local, times.count < 24 * 60 {
      let second = time.flooredQuotient(by: Rule.ticksPerSecond)
      times.append(second)
      let next = (second.flooredQuotient(by: 60) + 1) * 60 * Rule.ticksPerSecond
      local = next <= last ? rule.first(atOrAfter: next, through: last) : nil
    }
    return times
  }
}

// Words that are the same for all kinds of rules: not generic, so that the program has them once.
extension ClockChangeEffect {
  /// Makes the effect on times of a rule, without the times; `policy` is `nil` for a rule that follows real time.
  @inline(never)
  fileprivate init(
    _ change: ClockChange, _ span: CivilTimes, in zone: Zone, by policy: DaylightSavingPolicy?
  ) {
    let isGap = change.offset > change.offsetBefore
    let verb = isGap ? ("does not exist", "do not exist") : ("comes twice", "come twice")
    let subject = "\(span.text(verb: verb)) in \(zone.name)"
    let outcome = Self.outcome(isGap: isGap, isOne: span.isOne, end: change.instant.text(in: zone), policy)
    self.init(
      instant: change.instant, kind: isGap ? .gap : .fold, timeCount: 0, entries: [],
      words: "\(subject): \(outcome)", subject: subject, followsRealTime: policy == nil)
  }

  private static func outcome(
    isGap: Bool, isOne: Bool, end: String, _ policy: DaylightSavingPolicy?
  ) -> String {
    guard let policy else { return "the rule follows real time and runs both times" }
    let it = isOne ? "it runs" : "they run"
    switch (isGap, policy.gap, policy.fold) {
    case (true, .runAtEnd, _): return isOne ? "it runs at \(end)" : "they run once, at \(end)"
    case (true, .shift, _): return "\(it) as long after midnight as on other days"
    case (true, .skip, _): return isOne ? "it does not run" : "they do not run"
    case (false, _, .first): return "\(it) the first time"
    case (false, _, .second): return "\(it) the second time"
    case (false, _, .both): return "\(it) both times"
    }
  }
}

extension DaylightSavingPolicy {
  /// The effect on a rule that fixes the time of the day.
  fileprivate var words: String {
    let gap =
      switch gap {
      case .runAtEnd: "runs once, when the gap ends"
      case .shift: "runs as long after midnight as on other days"
      case .skip: "does not run"
      }
    let fold =
      switch fold {
      case .first: "the first time"
      case .second: "the second time"
      case .both: "both times"
      }
    return "a fixed time of day; a time that clocks skip \(gap); one that comes twice runs \(fold)"
  }
}
