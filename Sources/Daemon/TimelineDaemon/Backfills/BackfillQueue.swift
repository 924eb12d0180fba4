import TimelineCore
import TimelineLedger

/// The entries that an open backfill has still to begin. They are searched for in portions, the next one when the last is used up.
struct BackfillQueue {
  /// Entries of the schedule in one portion: few, because each of them is read from the ledger, and a start waits meanwhile.
  static let portionMax = 200

  private var from: WallInstant
  private var until: WallInstant
  private let isNewestFirst: Bool
  /// Entries that were found, the next one last.
  private var found: [WallInstant] = []

  /// Begins with the part of the stretch that the backfill has not begun.
  init(_ backfill: Backfill) {
    (from, until) = backfill.rest
    isNewestFirst = backfill.request.isNewestFirst
  }

  /// Whether no entry is left.
  var isEmpty: Bool { found.isEmpty && from >= until }

  /// The part of the stretch to be searched next; `nil` while entries of the last part are left, and at the end.
  func portion(of schedule: ScheduleRule) -> Range<WallInstant>? {
    guard found.isEmpty, from < until else { return nil }
    var bound = isNewestFirst ? until : from - .nanoseconds(1)
    for _ in 1...Self.portionMax {
      let next =
        isNewestFirst ? schedule.latest(atOrBefore: bound - .nanoseconds(1)) : schedule.next(after: bound)
      guard let next, from <= next, next < until else { return from..<until }
      bound = next
    }
    return isNewestFirst ? bound..<until : from..<bound + .nanoseconds(1)
  }

  /// Adds the entries, ascending, that were found in a portion.
  mutating func add(_ entries: [WallInstant], from portion: Range<WallInstant>) {
    found = isNewestFirst ? entries : entries.reversed()
    if isNewestFirst { until = portion.lowerBound } else { from = portion.upperBound }
  }

  /// Removes and returns the next entry that was found.
  mutating func next() -> WallInstant? { found.popLast() }

  /// Puts an entry back that could not be begun.
  mutating func putBack(_ entry: WallInstant) { found.append(entry) }
}
