/// Entries at given instants and no others; TimelineView's `ExplicitTimelineSchedule`. Copies share their storage.
public struct ExplicitSchedule: Sendable {
  private let storage: Storage

  private final class Storage: Sendable {
    let instants: [WallInstant]
    let shortestGap: ElapsedTime?
    /// Time from the start of the machine to the one entry; `nil` for dates.
    let delay: ElapsedTime?

    init(_ instants: [WallInstant], shortestGap: ElapsedTime? = nil, delay: ElapsedTime? = nil) {
      self.instants = instants
      self.shortestGap = shortestGap
      self.delay = delay
    }
  }

  /// The entries, strictly ascending; empty for a schedule that never comes due.
  public var instants: [WallInstant] { storage.instants }
  /// The shortest time between two neighbors, or `nil` for fewer than two dates.
  public var shortestGap: ElapsedTime? { storage.shortestGap }
  /// Whether the one entry depends on the start of the machine, and therefore differs after every start.
  public var isStartOfMachine: Bool { storage.delay != nil }
  /// Time from the start of the machine to its one entry; `nil` for dates.
  package var delayAfterStart: ElapsedTime? { storage.delay }

  /// Makes the schedule of `instants`; throws for the first one that is not later than the previous one.
  public init(_ instants: [WallInstant]) throws(ScheduleError) {
    var shortestGap: ElapsedTime?
    for index in instants.indices.dropFirst() {
      let (previous, date) = (instants[index - 1], instants[index])
      guard date > previous else {
        throw .datesNotAscending(index: index, date: date, previous: previous)
      }
      shortestGap = Swift.min(shortestGap ?? .max, date - previous)
    }
    storage = Storage(instants, shortestGap: shortestGap)
  }

  /// Makes the schedule with one entry after each start of the machine, `delay` after it. If the instant of the start
  /// is unknown, the schedule has no entries.
  public init(startOfMachine instant: WallInstant?, delay: ElapsedTime = .zero) {
    storage = Storage(instant.map { [$0 + delay] } ?? [], delay: delay)
  }

  /// Makes the schedule that never comes due.
  public init() {
    storage = Storage([])
  }

  /// Returns the number of entries not later than `instant`, which is the index of the first later one.
  private func rank(of instant: WallInstant) -> Int {
    let instants = storage.instants
    var (low, high) = (0, instants.count)
    while low < high {
      let middle = (low + high) / 2
      if instants[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ExplicitSchedule: Schedule {
  /// The given dates. `start` and `mode` have no effect.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> [WallInstant] { instants }

  /// The first date strictly later than `instant`, by binary search, or `nil` after the last.
  public func next(after instant: WallInstant) -> WallInstant? {
    let rank = rank(of: instant)
    return rank < storage.instants.count ? storage.instants[rank] : nil
  }

  /// The last date that is not later than `instant`, by binary search, or `nil` before the first.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    let rank = rank(of: instant)
    return rank > 0 ? storage.instants[rank - 1] : nil
  }

  /// Returns the number of dates in (`start`, `end`], by two binary searches.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    end > start ? rank(of: end) - rank(of: start) : 0
  }
}

extension ExplicitSchedule: Hashable {
  /// Whether the dates and the delay after the start of the machine are the same.
  public static func == (left: ExplicitSchedule, right: ExplicitSchedule) -> Bool {
    left.storage === right.storage
      || left.instants == right.instants && left.storage.delay == right.storage.delay
  }

  /// Feeds the dates into `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.instants) }
}

extension ExplicitSchedule: RuleKind {
  static var name: ScheduleRule.KindName { .explicit }
  var grids: [EntryGrid] { [] }

  var isOnWholeSeconds: Bool {
    instants.allSatisfy { $0.nanosecondsSinceEpoch % ElapsedTime.seconds(1).nanoseconds == 0 }
  }

  /// Nothing for the start of the machine: the rule stays the same after a restart.
  var undescribedParts: [String] { isStartOfMachine ? [] : instants.map(\.description) }

  var occasion: String? {
    guard let delay = delayAfterStart else { return instants.isEmpty ? "only when it is triggered" : nil }
    return (delay > .zero ? "\(delay) after" : "at") + " the next start of the machine"
  }

  func resolved(startOfMachine instant: WallInstant) -> ScheduleRule? {
    delayAfterStart.map { .explicit(ExplicitSchedule(startOfMachine: instant, delay: $0)) }
  }
}

extension ExplicitSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `3 dates, the first 2026-12-24T17:00:00Z`.
  public var description: String {
    if let delay = storage.delay {
      return delay == .zero ? "at the start of the machine" : "\(delay) after the start of the machine"
    }
    guard let first = instants.first else { return "on demand" }
    return instants.count == 1 ? "once at \(first)" : "\(instants.count) dates, the first \(first)"
  }
}
