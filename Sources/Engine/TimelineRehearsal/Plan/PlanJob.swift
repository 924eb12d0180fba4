package import TimelineCore
import TimelineEngine

/// Effects of a configuration change on one job.
package struct PlanJob: Sendable, Equatable {
  /// Change of the job itself.
  package enum JobChange: String, Sendable, Hashable {
    case added
    case removed
    /// The schedule, the policies or the plugin's work of the job has changed.
    case changed
    /// The job is unchanged; other jobs may still change the outcomes of its entries.
    case kept
  }

  /// Change of one entry.
  package struct EntryChange: Sendable, Equatable {
    /// Part of an entry that changes.
    package enum Aspect: Sendable, Equatable {
      case instant
      /// Start of the entry at this instant. ``before`` and ``after`` are starts. The entry keeps its instant.
      case start(of: WallInstant)
      /// Outcome of the entry; `nil` for a run that is not rehearsed.
      case end(before: Outcome?, after: Outcome?)
    }

    /// Old instant; `nil` for a new entry.
    package var before: WallInstant?
    /// New instant; `nil` for a removed entry.
    package var after: WallInstant?
    package var aspect = Aspect.instant
  }

  package var name: JobName
  package var change: JobChange
  /// Entries that only the new configuration has.
  package var addedCount = 0
  /// Entries that only the old configuration has.
  package var removedCount = 0
  /// Entries with another instant.
  package var movedCount = 0
  /// Entries that would be newly dropped because a run is still active.
  package var newOverlapCount = 0
  /// Entries with another outcome, including newly overlapping entries.
  package var otherEndCount = 0
  /// Entries with the same instant and another start, because of jitter, accuracy or a wait.
  package var otherStartCount = 0
  /// Longest distance between the old and the new start of an entry.
  package var startShift = ElapsedTime.zero
  /// The first entry with another start.
  package var start: EntryChange?
  /// First few entries, in order of time, that were added, removed or moved, or that have another outcome without a new
  /// overlap.
  package var examples: [EntryChange] = []
  /// First entry after the compared time that differs; `nil` if none was found. Only for a job without a difference within the
  /// compared time.
  package var later: EntryChange?
  /// The first few newly overlapping entries.
  package var overlaps: [WallInstant] = []

  /// Maximum number of examples of a kind on a terminal. The counts cover the rest.
  package static let examplesMax = 3
  /// Maximum number of examples of a kind of this job.
  private let examplesMax: Int
  /// Newly overlapping entries within ``otherEndCount``.
  private var overlappedEndCount = 0
  /// Whether the jitter or the accuracy of the job changes.
  let hasOtherTiming: Bool

  /// Whether anything about the job or its entries changes.
  package var isChanged: Bool { change != .kept || hasOtherEntries || otherStartCount > 0 }
  /// Whether the instant or the outcome of any entry of the compared time changes.
  var hasOtherEntries: Bool { addedCount + removedCount + movedCount + otherEndCount > 0 }
  /// Entries with another outcome that do not newly overlap.
  var plainEndCount: Int { otherEndCount - overlappedEndCount }
  /// Number of changes; ``examples`` has the first ones.
  package var changeCount: Int { addedCount + removedCount + movedCount + plainEndCount }

  init(_ name: JobName, before: JobDefinition?, after: JobDefinition?, examplesMax: Int) {
    self.name = name
    self.examplesMax = examplesMax
    change =
      switch (before, after) {
      case (nil, _): .added
      case (_, nil): .removed
      case (let before?, let after?): before == after ? .kept : .changed
      }
    hasOtherTiming = change == .changed && before?.timing != after?.timing
  }

  mutating func note(_ row: DryRunRow, isNew: Bool) {
    let count: Int
    switch row {
    case .entry(let entry):
      count = entry.count
      if isNew, entry.outcome == .overlapped { overlapped(count, at: entry.entry) }
    case .minute(let minute): count = minute.outcomes.total
    }
    if isNew { addedCount += count } else { removedCount += count }
    show(isNew ? EntryChange(before: nil, after: row.entry) : EntryChange(before: row.entry, after: nil))
  }

  mutating func moved(from former: DryRunEntry, to entry: DryRunEntry) {
    movedCount += 1
    show(EntryChange(before: former.entry, after: entry.entry))
    compareEnds(former, entry, count: 1)
  }

  mutating func compare(_ former: DryRunMinute, _ minute: DryRunMinute) {
    let (before, after) = (former.outcomes, minute.outcomes)
    let difference = after.total - before.total
    if difference > 0 { addedCount += difference } else { removedCount -= difference }
    let alike = after.sorted.reduce(0) { $0 + min($1.count, before[$1.outcome]) }
    otherEndCount += min(before.total, after.total) - alike
  }

  /// Compares the outcomes of `count` entries that both configurations have.
  mutating func compareEnds(_ former: DryRunEntry, _ entry: DryRunEntry, count: Int) {
    guard count > 0, former.outcome != entry.outcome else { return }
    otherEndCount += count
    guard entry.outcome == .overlapped else {
      // For a row with several entries, the last entry is named. The other side has this entry alone, or also as the last of
      // several.
      let instant = min(former.entry, entry.entry)
      return show(
        EntryChange(
          before: instant, after: instant, aspect: .end(before: former.outcome, after: entry.outcome)))
    }
    overlappedEndCount += count
    overlapped(count, at: entry.entry)
  }

  /// Compares the starts of an entry that both configurations have.
  mutating func compareStarts(_ former: DryRunEntry, _ entry: DryRunEntry) {
    guard let before = former.start, let after = entry.start, before != after else { return }
    otherStartCount += 1
    startShift = max(startShift, max(before, after) - min(before, after))
    start = start ?? EntryChange(before: before, after: after, aspect: .start(of: entry.entry))
  }

  private mutating func overlapped(_ count: Int, at instant: WallInstant) {
    newOverlapCount += count
    if overlaps.count < examplesMax { overlaps.append(instant) }
  }

  /// Adds an example, unless there are enough earlier examples. A row with several entries comes after the rows that it is
  /// compared with.
  private mutating func show(_ change: EntryChange) {
    let place = examples.lastIndex { $0.instant <= change.instant }.map { $0 + 1 } ?? 0
    guard place < examplesMax else { return }
    examples.insert(change, at: place)
    if examples.count > examplesMax { examples.removeLast() }
  }
}

extension PlanJob.EntryChange {
  /// The instant by which examples are ordered.
  fileprivate var instant: WallInstant { before ?? after ?? .min }
}
