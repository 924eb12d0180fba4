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
    /// The old entry; `nil` for a new one.
    package var before: WallInstant?
    /// The new entry; `nil` for a removed one.
    package var after: WallInstant?
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
  /// The first few entries that were added, removed or moved, in order of time.
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

  /// Whether anything about the job or its entries changes.
  package var isChanged: Bool { change != .kept || hasOtherEntries }
  /// Whether any entry of the compared time changes.
  var hasOtherEntries: Bool { addedCount + removedCount + movedCount + otherEndCount > 0 }

  init(_ name: JobName, before: JobDefinition?, after: JobDefinition?, examplesMax: Int) {
    self.name = name
    self.examplesMax = examplesMax
    change =
      switch (before, after) {
      case (nil, _): .added
      case (_, nil): .removed
      case (let before?, let after?): before == after ? .kept : .changed
      }
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
    if entry.outcome == .overlapped { overlapped(count, at: entry.entry) }
  }

  private mutating func overlapped(_ count: Int, at instant: WallInstant) {
    newOverlapCount += count
    if overlaps.count < examplesMax { overlaps.append(instant) }
  }

  private mutating func show(_ change: EntryChange) {
    if examples.count < examplesMax { examples.append(change) }
  }
}
