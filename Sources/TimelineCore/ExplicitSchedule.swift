/// Entries at given instants and no others; TimelineView's `ExplicitTimelineSchedule`.
public struct ExplicitSchedule: Sendable, Hashable {
  /// The entries, strictly ascending; none is a schedule that never comes due.
  public let instants: [WallInstant]
  /// The shortest time between two neighbours, or `nil` for fewer than two dates.
  public let shortestGap: ElapsedTime?
  /// Whether its one entry is the start of the machine, which is another after every start.
  public let isStartOfMachine: Bool

  /// Makes the schedule of `instants`; refuses the first one that is not later than the one before it.
  public init(_ instants: [WallInstant]) throws(ScheduleError) {
    var shortestGap: ElapsedTime?
    for index in instants.indices.dropFirst() {
      let (previous, date) = (instants[index - 1], instants[index])
      guard date > previous else {
        throw .datesNotAscending(index: index, date: date, previous: previous)
      }
      shortestGap = Swift.min(shortestGap ?? .max, date - previous)
    }
    self.instants = instants
    self.shortestGap = shortestGap
    self.isStartOfMachine = false
  }

  /// Makes the schedule of what comes once after each start of the machine; without entries where nobody knows when that was.
  public init(startOfMachine instant: WallInstant?) {
    self.instants = instant.map { [$0] } ?? []
    self.shortestGap = nil
    self.isStartOfMachine = true
  }

  /// Makes the schedule that never comes due.
  public init() {
    self.instants = []
    self.shortestGap = nil
    self.isStartOfMachine = false
  }

  /// How many entries are not later than `instant`: where the first later one stands.
  @usableFromInline
  func rank(of instant: WallInstant) -> Int {
    var (low, high) = (0, instants.count)
    while low < high {
      let middle = (low + high) / 2
      if instants[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ExplicitSchedule: Schedule {
  /// The dates as given: neither the start nor the mode changes anything.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> [WallInstant] { instants }

  /// The first date strictly later than `instant`, by binary search, or `nil` after the last.
  @inlinable
  public func next(after instant: WallInstant) -> WallInstant? {
    let rank = rank(of: instant)
    return rank < instants.count ? instants[rank] : nil
  }

  /// The last date that is not later than `instant`, by binary search, or `nil` before the first.
  @inlinable
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    let rank = rank(of: instant)
    return rank > 0 ? instants[rank - 1] : nil
  }

  /// How many dates lie in (`start`, `end`], by two binary searches.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    end > start ? rank(of: end) - rank(of: start) : 0
  }
}

extension ExplicitSchedule: CustomStringConvertible {
  /// The rule for people, such as `3 dates, the first 2026-12-24T17:00:00Z`.
  public var description: String {
    if isStartOfMachine { return "at the start of the machine" }
    guard let first = instants.first else { return "on demand" }
    return instants.count == 1 ? "once at \(first)" : "\(instants.count) dates, the first \(first)"
  }
}
