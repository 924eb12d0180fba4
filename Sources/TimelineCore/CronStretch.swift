/// The entries of a rule in one stretch of equal offset of its zone, in whole seconds since the epoch.
///
/// Every entry belongs to the stretch that it lies in. A change of the clocks stands between two stretches: what
/// it skips belongs to the later one, and what it shows twice to the one that the policy chooses.
struct CronStretch {
  private let expression: CronExpression
  /// The first and the last second of the stretch.
  let start: Int
  private(set) var end: Int
  private let offset: Int
  /// What clocks show in the stretch, without what comes twice and counts in the other.
  private var shown: ClosedRange<Int>?
  /// What they skipped when the stretch began, where that counts.
  private var skipped: ClosedRange<Int>?
  /// The offset before the stretch.
  private var offsetBefore = 0
  private let gap: DaylightSavingPolicy.Gap

  /// The whole seconds of all instants.
  static let seconds = Int(Int64.min / 1_000_000_000)...Int(Int64.max / 1_000_000_000)

  /// The last whole second that is not later than `instant`; it can lie one below ``seconds``.
  static func wholeSecond(atOrBefore instant: WallInstant) -> Int { Int(instant.wholeSeconds.seconds) }

  /// A whole second as zones count.
  static func nanoseconds(_ second: Int) -> Int64 {
    WallInstant(secondsSinceEpoch: Int64(second)).nanosecondsSinceEpoch
  }

  fileprivate init(_ schedule: CronSchedule, _ index: Int) {
    let (storage, policy) = (schedule.zone.storage, schedule.daylightSaving)
    let hasLater = index + 1 < storage.starts.count
    expression = schedule.expression
    offset = Int(storage.offsets[index])
    gap = policy.gap
    start = index == 0 ? Self.seconds.lowerBound : Int(storage.starts[index] / 1_000_000_000)
    end = hasLater ? Int(storage.starts[index + 1] / 1_000_000_000) - 1 : Self.seconds.upperBound
    var (first, last) = (start + offset, end + offset)
    if expression.fixesTimeOfDay {
      if index > 0 {
        offsetBefore = Int(storage.offsets[index - 1])
        if offsetBefore < offset, policy.gap != .skip { skipped = start + offsetBefore...start + offset - 1 }
        if offsetBefore > offset, policy.fold == .first { first += offsetBefore - offset }
      }
      if hasLater, policy.fold == .second { last -= max(0, offset - Int(storage.offsets[index + 1])) }
    }
    shown = first <= last ? first...last : nil
  }
}

extension CronSchedule {
  /// The stretch at an index of the zone's table.
  func stretch(at index: Int) -> CronStretch { CronStretch(self, index) }
}

extension CronStretch {
  /// The first entry from `second` on, which must lie in the stretch.
  func first(atOrAfter second: Int) -> Int? {
    let regular = firstShown(atOrAfter: second)
    guard let skipped else { return regular }
    switch gap {
    case .skip: return regular
    case .runAtEnd: return second <= start && runsAtStart(skipped) ? start : regular
    case .shift:
      guard let local = firstSkipped(skipped, atOrAfter: second) else { return regular }
      return regular.map { min($0, local) } ?? local
    }
  }

  /// The last entry up to `second`, which must lie in the stretch.
  func last(atOrBefore second: Int) -> Int? {
    let regular = shown.flatMap {
      expression.last(atOrBefore: min($0.upperBound, second + offset), from: $0.lowerBound)
    }.map { $0 - offset }
    guard let skipped else { return regular }
    switch gap {
    case .skip: return regular
    case .runAtEnd: return regular ?? (runsAtStart(skipped) ? start : nil)
    case .shift:
      let latest = min(skipped.upperBound, second + offsetBefore)
      guard let local = expression.last(atOrBefore: latest, from: skipped.lowerBound) else { return regular }
      return regular.map { max($0, local - offsetBefore) } ?? local - offsetBefore
    }
  }

  /// How many entries lie from `first` through `last`, both in the stretch.
  func count(from first: Int, through last: Int) -> Int {
    let regular = shown.map {
      expression.count(
        from: max($0.lowerBound, first + offset), through: min($0.upperBound, last + offset))
    }
    var total = regular ?? 0
    guard let skipped else { return total }
    switch gap {
    case .skip: break
    case .runAtEnd:
      if first <= start, firstShown(atOrAfter: start) != start, runsAtStart(skipped) { total += 1 }
    case .shift:
      // Shifted entries can meet others, so they are looked at one by one; there are few.
      var second = first
      while let found = firstSkipped(skipped, atOrAfter: second), found <= last {
        if firstShown(atOrAfter: found) != found { total += 1 }
        second = found + 1
      }
    }
    return total
  }

  private func firstShown(atOrAfter second: Int) -> Int? {
    guard let shown else { return nil }
    return expression.first(atOrAfter: max(shown.lowerBound, second + offset), through: shown.upperBound)
      .map { $0 - offset }
  }

  /// The first entry of the gap, read by the offset before it, that lies in the stretch from `second` on.
  private func firstSkipped(_ skipped: ClosedRange<Int>, atOrAfter second: Int) -> Int? {
    let limit = min(skipped.upperBound, end + offsetBefore)
    return expression.first(atOrAfter: max(skipped.lowerBound, second + offsetBefore), through: limit)
      .map { $0 - offsetBefore }
  }

  private func runsAtStart(_ skipped: ClosedRange<Int>) -> Bool {
    expression.first(atOrAfter: skipped.lowerBound, through: skipped.upperBound) != nil
  }
}
