package import TimelineCore
import TimelineEngine

/// Effects of a configuration change on one job.
package struct PlanJob: Sendable, Hashable {
  /// Change of the job itself.
  package enum JobChange: String, Sendable, Hashable {
    /// It is new.
    case added
    /// It is removed.
    case removed
    /// Its schedule, its policies or its plugin's work have changed.
    case changed
    /// The job is unchanged; other jobs may still change the outcomes of its entries.
    case kept
  }

  /// Change of one entry.
  package struct EntryChange: Sendable, Hashable {
    /// Part of an entry that changes.
    package enum Aspect: Sendable, Hashable {
      /// Its instant.
      case instant
      /// Its start, which is what ``before`` and ``after`` are; the entry keeps its instant.
      case start(of: WallInstant)
      /// Its outcome; `nil` for a run that is not rehearsed.
      case end(before: Outcome?, after: Outcome?)
    }

    /// The entry as it was; `nil` for a new one.
    package var before: WallInstant?
    /// The new entry; `nil` for a removed one.
    package var after: WallInstant?
    /// Part that changes.
    package var aspect = Aspect.instant
  }

  /// The job.
  package var name: JobName
  /// Change of the job itself.
  package var change: JobChange
  /// Entries that only the new configuration has.
  package var addedCount = 0
  /// Entries that only the old configuration has.
  package var removedCount = 0
  /// Entries that have another instant.
  package var movedCount = 0
  /// Entries that would be newly dropped because a run is still active.
  package var newOverlapCount = 0
  /// Entries that would end in another way, including the newly overlapping ones.
  package var otherEndCount = 0
  /// Entries that have the same instant and another start: jitter, accuracy or a wait.
  package var otherStartCount = 0
  /// The longest distance between two such starts.
  package var startShift = ElapsedTime.zero
  /// The first entry with another start.
  package var start: EntryChange?
  /// The first few entries that were added, removed or moved, or end otherwise without a new overlap, in order of time.
  package var examples: [EntryChange] = []
  /// The first entry after the compared time that differs, for a job without a difference in the compared time; `nil`
  /// if none was found.
  package var later: EntryChange?
  /// The first few newly overlapping entries.
  package var overlaps: [WallInstant] = []

  /// Largest number of examples of a kind on a terminal; the counts cover the rest.
  package static let examplesMax = 3
  /// Largest number of examples of a kind of this job.
  private let examplesMax: Int
  /// Entries of ``otherEndCount`` that overlap newly.
  private var overlappedEndCount = 0
  /// Whether its jitter or its accuracy changes.
  let hasOtherTiming: Bool

  /// Whether anything about the job or its entries changes.
  package var isChanged: Bool { change != .kept || hasOtherEntries || otherStartCount > 0 }
  /// Whether any entry of the compared time changes its instant or its end.
  var hasOtherEntries: Bool { addedCount + removedCount + movedCount + otherEndCount > 0 }
  /// Entries that end otherwise, without those that overlap newly.
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
      // Of a row with several the last one is named: the other side has it by itself, or as its last one too.
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

  /// Adds an example, unless there are enough earlier ones. A row with several comes after those that it is compared with.
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
