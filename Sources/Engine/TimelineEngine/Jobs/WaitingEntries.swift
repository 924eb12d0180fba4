import TimelineCore

/// Due entries of one job that have neither a run nor an outcome.
struct WaitingEntries: Sendable, Hashable {
  /// Entries whose claim has not been answered, oldest first.
  private(set) var unclaimed: [DueEntry] = []
  /// Entries that wait for room in the job or its groups: those of a backfill last, the others before them, each oldest first.
  private(set) var buffered: [DueEntry] = []
  /// Entries that a pause keeps from running, oldest first.
  private(set) var held: [DueEntry] = []

  init() {}

  var count: Int { unclaimed.count + buffered.count + held.count }
  var isEmpty: Bool { unclaimed.isEmpty && buffered.isEmpty && held.isEmpty }
  /// Number of entries that wait for room, without those of a backfill.
  var reportedCount: Int { buffered.isEmpty ? 0 : buffered.count(where: \.cause.isReported) }
  /// All entries, in the order in which they are settled.
  var all: [DueEntry] { unclaimed + held + buffered }

  /// Adds an entry whose claim has been requested.
  mutating func awaitClaim(_ entry: DueEntry) { unclaimed.append(entry) }

  /// Adds an entry that waits for room, after the others or, if `isFirst`, before them. Its rank counts from `instant`.
  mutating func awaitRoom(_ entry: DueEntry, since instant: WallInstant, isFirst: Bool = false) {
    var entry = entry
    entry.waitingSince = instant
    buffered.insert(entry, at: isFirst ? 0 : entry.cause.isReported ? reportedCount : buffered.count)
  }

  /// Adds an entry that a pause keeps from running, after the others or, if `isFirst`, before them.
  mutating func hold(_ entry: DueEntry, isFirst: Bool = false) {
    held.insert(entry, at: isFirst ? 0 : held.count)
  }

  /// Holds the entries of the schedule that wait for room, because a pause begins.
  mutating func beginPause() {
    held = buffered.filter(\.cause.isOfSchedule)
    buffered.removeAll(where: \.cause.isOfSchedule)
  }

  /// Removes and returns the held entries, because a pause ends.
  mutating func endPause() -> [DueEntry] {
    defer { held = [] }
    return held
  }

  /// Removes and returns the entry at `nominal` whose claim is answered; `nil` for none.
  mutating func takeUnclaimed(at nominal: WallInstant) -> DueEntry? {
    unclaimed.firstIndex { $0.nominal == nominal }.map { unclaimed.remove(at: $0) }
  }

  /// Removes and returns the entries of the schedule whose claims have not been answered.
  mutating func takeUnclaimedOfSchedule() -> [DueEntry] {
    defer { unclaimed.removeAll(where: \.cause.isOfSchedule) }
    return unclaimed.filter(\.cause.isOfSchedule)
  }

  /// Removes and returns the entry that has waited longest for room.
  mutating func takeFirstBuffered() -> DueEntry { buffered.removeFirst() }

  /// Removes and returns all entries that wait for room, without those of a backfill.
  mutating func takeReported() -> [DueEntry] {
    defer { buffered.removeAll(where: \.cause.isReported) }
    return buffered.filter(\.cause.isReported)
  }

  /// Removes and returns the entries of the schedule that lie ahead of `now` and are not held.
  mutating func takeAhead(of now: WallInstant) -> [DueEntry] {
    let isAhead = { (entry: DueEntry) in entry.cause.isOfSchedule && entry.nominal > now }
    defer {
      unclaimed.removeAll(where: isAhead)
      buffered.removeAll(where: isAhead)
    }
    return (unclaimed + buffered).filter(isAhead)
  }

  /// Removes and returns all entries.
  mutating func takeAll() -> [DueEntry] {
    defer { self = WaitingEntries() }
    return all
  }

  /// Adapts the instants from which waits for room count to a clock step of `length`. `now` is the time after the step.
  mutating func clockStepped(by length: ElapsedTime, _ now: WallInstant) {
    for position in buffered.indices {
      buffered[position].waitingSince = min(buffered[position].waitingSince + length, now)
    }
  }
}
