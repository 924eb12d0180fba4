package import TimelineCore
package import TimelineEngine

/// Effects of a configuration change: two dry runs, compared entry by entry.
///
/// Both run through the real engine, so overlaps, groups and policies count. Memory does not grow with the length of
/// the compared time: rows come in batches, and at most ``waitingMax`` entries of each job wait for their
/// counterparts. A plan runs only once.
package struct Plan: ~Copyable {
  private var old: PlanSide
  private var new: PlanSide
  private var jobs: [PlanJob] = []
  /// Entries of each job that only one side has had since the last entry of the other side.
  private var waiting: [Waiting] = []
  /// First row of each job at the compared instant on the old side.
  private var formers: [DryRunRow?] = []
  /// Whether each job has a row at the compared instant on the new side.
  private var isInNew: [Bool] = []
  /// Definitions of each job before and after the change.
  private let definitions: [(before: JobDefinition?, after: JobDefinition?)]
  /// End of the compared time.
  private let until: WallInstant

  /// Entries of a job that only one side has so far. The other side may have the last entry at another instant, or report all
  /// entries later, in one row.
  private struct Waiting {
    var rows: [DryRunEntry] = []
    var isNew = false
    /// Whether the other side may report several entries in one row. More than the last entry must then wait.
    let isPatient: (old: Bool, new: Bool)
  }

  /// Maximum number of entries of a job that wait for a single row of the other side: every minute for six weeks, in 5 MB. If
  /// the row covers more entries, the earlier ones count as added or removed.
  package static let waitingMax = 65_536
  /// Maximum number of entries after the compared time that are compared in total: about a second of work.
  private static let laterEntriesMax = 1_000_000

  /// Makes the comparison of two dry runs over the same time.
  ///
  /// - Parameters:
  ///   - oldJobs: The active configuration.
  ///   - newJobs: The proposed configuration.
  ///   - examplesMax: Maximum number of examples of a kind for each job.
  package init(
    from oldJobs: [JobDefinition], _ oldRun: DryRun, to newJobs: [JobDefinition], _ newRun: DryRun,
    examplesMax: Int = PlanJob.examplesMax
  ) {
    let before = Dictionary(oldJobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(newJobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    // The order of the new configuration, followed by the removed jobs.
    jobs = newJobs.map {
      PlanJob($0.name, before: before[$0.name], after: $0, examplesMax: examplesMax)
    }
    jobs += oldJobs.filter { after[$0.name] == nil }.map {
      PlanJob($0.name, before: $0, after: nil, examplesMax: examplesMax)
    }
    waiting = jobs.map { job in
      Waiting(
        isPatient: (
          old: after[job.name]?.schedule.mayOmit ?? false, new: before[job.name]?.schedule.mayOmit ?? false
        ))
    }
    definitions = jobs.map { (before[$0.name], after[$0.name]) }
    until = oldRun.summary.until
    formers = jobs.map { _ in nil }
    isInNew = jobs.map { _ in false }
    let places = Dictionary(uniqueKeysWithValues: jobs.enumerated().map { ($1.name, $0) })
    old = PlanSide(oldRun, places)
    new = PlanSide(newRun, places)
  }

  /// Runs both sides to the end and returns the changes of each job in the order of the new configuration, removed jobs last.
  ///
  /// - Parameter reached: Called for each instant with entries, ascending.
  package mutating func run(reached: (WallInstant) -> Void = { _ in }) -> [PlanJob] {
    while let instant = [old.upcoming, new.upcoming].compactMap(\.self).min() {
      reached(instant)
      let (oldRows, newRows) = (old.take(at: instant), new.take(at: instant))
      for (place, row) in oldRows where formers[place] == nil { formers[place] = row }
      for (place, _) in newRows { isInNew[place] = true }
      for (place, row) in oldRows where !isInNew[place] { alone(place, row, isNew: false) }
      for (place, row) in newRows {
        if let former = formers[place] {
          together(place, former, row)
        } else {
          alone(place, row, isNew: true)
        }
      }
      for (place, _) in oldRows { formers[place] = nil }
      for (place, _) in newRows { isInNew[place] = false }
    }
    for place in jobs.indices { letGo(place) }
    findLaterChanges()
    return jobs
  }

  /// Compares later entries if nothing changes within the compared time. A job may have its next entry in a year.
  private mutating func findLaterChanges() {
    var budget = Self.laterEntriesMax
    for place in jobs.indices where jobs[place].change != .kept && !jobs[place].hasOtherEntries {
      let (before, after) = (definitions[place].before?.schedule, definitions[place].after?.schedule)
      guard before != after else { continue }
      jobs[place].later = .first(between: before, after, from: until, budget: &budget)
    }
  }

  private mutating func together(_ place: Int, _ former: DryRunRow, _ row: DryRunRow) {
    switch (former, row) {
    case (.entry(var former), .entry(var entry)):
      let count = min(former.count, entry.count)
      jobs[place].compareEnds(former, entry, count: count)
      jobs[place].compareStarts(former, entry)
      former.count -= count
      entry.count -= count
      takeCounterparts(place, of: &former, isNew: false)
      takeCounterparts(place, of: &entry, isNew: true)
      letGo(place)
      if former.count > 0 { jobs[place].note(.entry(former), isNew: false) }
      if entry.count > 0 { jobs[place].note(.entry(entry), isNew: true) }
    case (.minute(let former), .minute(let minute)):
      letGo(place)
      jobs[place].compare(former, minute)
    case (.entry, .minute), (.minute, .entry):
      // Only one side counts the job by the minute, so that single entries cannot be compared.
      letGo(place)
      jobs[place].note(former, isNew: false)
      jobs[place].note(row, isNew: true)
    }
  }

  /// Handles an entry at an instant at which the other side has none. If the previous entry of the other side has no
  /// counterpart either, the entry was moved. Otherwise the other side had the entry before, has it later, or does not have
  /// it.
  private mutating func alone(_ place: Int, _ row: DryRunRow, isNew: Bool) {
    guard case .entry(var entry) = row else { return jobs[place].note(row, isNew: isNew) }
    if entry.isOne, waiting[place].isNew != isNew, waiting[place].rows.last?.isOne == true,
      let other = waiting[place].rows.popLast()
    {
      letGo(place)
      return jobs[place].moved(from: isNew ? other : entry, to: isNew ? entry : other)
    }
    takeCounterparts(place, of: &entry, isNew: isNew)
    let isPatient = isNew ? waiting[place].isPatient.new : waiting[place].isPatient.old
    if waiting[place].isNew != isNew || !isPatient || waiting[place].rows.count >= Self.waitingMax {
      letGo(place)
    }
    guard entry.count > 0 else { return }
    waiting[place].isNew = isNew
    waiting[place].rows.append(entry)
  }

  /// Pairs the entries of a row with the entries that the other side has had since the first entry of the row.
  private mutating func takeCounterparts(_ place: Int, of entry: inout DryRunEntry, isNew: Bool) {
    guard waiting[place].isNew != isNew else { return }
    while entry.count > 0, var other = waiting[place].rows.last, other.entry >= entry.firstEntry {
      let count = min(entry.count, other.count)
      jobs[place].compareEnds(isNew ? other : entry, isNew ? entry : other, count: count)
      entry.count -= count
      other.count -= count
      waiting[place].rows.removeLast()
      if other.count > 0 { waiting[place].rows.append(other) }
    }
  }

  /// Counts the waiting entries of a job, which have no counterparts, as added or removed.
  private mutating func letGo(_ place: Int) {
    for row in waiting[place].rows { jobs[place].note(.entry(row), isNew: waiting[place].isNew) }
    waiting[place].rows.removeAll(keepingCapacity: true)
  }
}

/// A dry run whose rows are consumed instant by instant.
private struct PlanSide: ~Copyable {
  private var run: DryRun
  /// Index of each job of the dry run in the plan.
  private let places: [Int]
  private var rows: [DryRunRow] = []
  private var taken = 0
  private var isOver = false

  init(_ run: DryRun, _ places: [JobName: Int]) {
    self.run = run
    self.places = run.summary.jobs.map { places[$0.name] ?? 0 }
    fill()
  }

  /// Instant of the next row; `nil` at the end.
  var upcoming: WallInstant? { taken < rows.count ? rows[taken].entry : nil }

  /// Removes and returns the rows of `instant`, if they come next, each with the place of its job in the plan.
  mutating func take(at instant: WallInstant) -> [(place: Int, row: DryRunRow)] {
    var result: [(place: Int, row: DryRunRow)] = []
    while upcoming == instant {
      result.append((places[rows[taken].job], rows[taken]))
      taken += 1
      if taken == rows.count { fill() }
    }
    return result
  }

  private mutating func fill() {
    rows.removeAll(keepingCapacity: true)
    taken = 0
    while rows.isEmpty, !isOver {
      var next: [DryRunRow] = []
      isOver = !run.stepThroughBatch { next.append($0) }
      rows = next
    }
  }
}
