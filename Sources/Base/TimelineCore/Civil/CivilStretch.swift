/// The entries of a rule in one stretch of equal offset of its zone, in whole ticks since the epoch.
///
/// Every entry belongs to the stretch that it lies in. A clock change lies between two stretches: skipped times belong
/// to the later one, and repeated times to the one that the policy chooses.
struct CivilStretch<Rule: CivilRule> {
  private let rule: Rule
  /// The first and the last tick of the stretch.
  let start: Int
  private(set) var end: Int
  private let offset: Int
  /// The local times shown in the stretch, without repeated times that count in the other stretch.
  private var shown: ClosedRange<Int>?
  /// The local times that clocks skip at the start of the stretch; `nil` if there are none, or if the policy skips
  /// them, too.
  private var skipped: ClosedRange<Int>?
  /// The offset before the stretch.
  private var offsetBefore = 0
  private let gap: DaylightSavingPolicy.Gap

  /// The stretch at an index of the zone's table.
  init(_ search: CivilSearch<Rule>, _ index: Int) {
    let (storage, policy) = (search.zone.storage, search.daylightSaving)
    let hasLater = index + 1 < storage.starts.count
    rule = search.rule
    offset = Int(storage.offsets[index]) * Rule.ticksPerSecond
    gap = policy.gap
    start = index == 0 ? Ticks<Rule>.all.lowerBound : storage.startTick(of: index, Rule.self)
    end = hasLater ? storage.startTick(of: index + 1, Rule.self) - 1 : Ticks<Rule>.all.upperBound
    var (first, last) = (start + offset, end + offset)
    if rule.fixesTimeOfDay {
      if index > 0 {
        offsetBefore = Int(storage.offsets[index - 1]) * Rule.ticksPerSecond
        if offsetBefore < offset, policy.gap != .skip { skipped = start + offsetBefore...start + offset - 1 }
        if offsetBefore > offset, policy.fold == .first { first += offsetBefore - offset }
      }
      if hasLater, policy.fold == .second {
        last -= max(0, offset - Int(storage.offsets[index + 1]) * Rule.ticksPerSecond)
      }
    }
    shown = first <= last ? first...last : nil
  }
}

extension ZoneStorage {
  /// The tick at which a stretch starts; `index` must not be the first stretch.
  func startTick<Rule: CivilRule>(of index: Int, _ rule: Rule.Type) -> Int {
    // Every change falls on a whole second.
    Ticks<Rule>.atOrBefore(WallInstant(nanosecondsSinceEpoch: starts[index]))
  }
}

extension CivilStretch {
  /// The first entry from `tick` on, which must lie in the stretch.
  func first(atOrAfter tick: Int) -> Int? {
    let regular = firstShown(atOrAfter: tick)
    guard let skipped else { return regular }
    switch gap {
    case .skip: return regular
    case .runAtEnd: return tick <= start && runsAtStart(skipped) ? start : regular
    case .shift:
      guard let local = firstSkipped(skipped, atOrAfter: tick) else { return regular }
      return regular.map { min($0, local) } ?? local
    }
  }

  /// The last entry up to `tick`, which must lie in the stretch.
  func last(atOrBefore tick: Int) -> Int? {
    let regular = shown.flatMap {
      rule.last(atOrBefore: min($0.upperBound, tick + offset), from: $0.lowerBound)
    }.map { $0 - offset }
    guard let skipped else { return regular }
    switch gap {
    case .skip: return regular
    case .runAtEnd: return regular ?? (runsAtStart(skipped) ? start : nil)
    case .shift:
      let latest = min(skipped.upperBound, tick + offsetBefore)
      guard let local = rule.last(atOrBefore: latest, from: skipped.lowerBound) else { return regular }
      return regular.map { max($0, local - offsetBefore) } ?? local - offsetBefore
    }
  }

  /// Returns the number of entries from `first` through `last`, both in the stretch.
  func count(from first: Int, through last: Int) -> Int {
    let regular = shown.map {
      rule.count(
        from: max($0.lowerBound, first + offset), through: min($0.upperBound, last + offset))
    }
    var total = regular ?? 0
    guard let skipped else { return total }
    switch gap {
    case .skip: break
    case .runAtEnd:
      if first <= start, firstShown(atOrAfter: start) != start, runsAtStart(skipped) { total += 1 }
    case .shift:
      var tick = first
      while let found = firstSkipped(skipped, atOrAfter: tick), found <= last {
        let part = shifted(from: found, through: last, of: skipped)
        total += part.count
        tick = part.end + 1
      }
    }
    return total
  }

  /// Counts the shifted entries from `tick`, which must be an entry, through `last` or the end of its minute. Entries that
  /// coincide with one that clocks show at that instant are not counted again.
  private func shifted(from tick: Int, through last: Int, of skipped: ClosedRange<Int>) -> (
    count: Int, end: Int
  ) {
    let minute = 60 * Rule.ticksPerSecond
    let local = tick + offsetBefore
    let localEnd = min(local - local % minute + (local < 0 ? 0 : minute) - 1, skipped.upperBound)
    let end = min(max(localEnd - offsetBefore, tick), last)
    let count = rule.count(from: local, through: end + offsetBefore)
    if rule.count(from: tick + offset, through: end + offset) == 0 { return (count, end) }
    // With the same seconds in every minute, all entries coincide or none does.
    if Rule.hasSameSecondsInEveryMinute, (offset - offsetBefore) % minute == 0 { return (0, end) }
    return (firstShown(atOrAfter: tick) == tick ? 0 : 1, tick)
  }

  /// The first entry that clocks show from `tick` on.
  func firstShown(atOrAfter tick: Int) -> Int? {
    guard let shown else { return nil }
    return rule.first(atOrAfter: max(shown.lowerBound, tick + offset), through: shown.upperBound)
      .map { $0 - offset }
  }

  /// Returns the first skipped time of the rule from `tick` on, read by the offset before the gap; `nil` if it lies
  /// after the stretch.
  private func firstSkipped(_ skipped: ClosedRange<Int>, atOrAfter tick: Int) -> Int? {
    let limit = min(skipped.upperBound, end + offsetBefore)
    return rule.first(atOrAfter: max(skipped.lowerBound, tick + offsetBefore), through: limit)
      .map { $0 - offsetBefore }
  }

  private func runsAtStart(_ skipped: ClosedRange<Int>) -> Bool {
    rule.first(atOrAfter: skipped.lowerBound, through: skipped.upperBound) != nil
  }
}
