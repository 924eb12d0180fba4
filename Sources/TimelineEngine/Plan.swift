import TimelineCore

/// What a change of the configuration would do: two dry runs side by side, compared entry by entry.
///
/// Both run through the real engine, so overlaps, groups and policies count. Memory does not grow with the length of the
/// stretch: at most one entry of each job waits for its counterpart, and rows come in batches.
package struct Plan {
  private var old: PlanSide
  private var new: PlanSide
  private var jobs: [PlanJob] = []
  private var unpaired: [Unpaired?] = []
  /// For each job, the first of its rows among the old side's of the instant that is compared.
  private var formers: [DryRunRow?] = []
  /// Which jobs have a row among the new side's of that instant.
  private var isInNew: [Bool] = []

  /// The entry of a job that only one side has and that the other may have at another instant.
  private struct Unpaired {
    var row: DryRunRow
    var isNew: Bool
  }

  /// Makes the comparison of two dry runs over the same stretch of time.
  ///
  /// - Parameters:
  ///   - oldJobs: The configuration in force.
  ///   - newJobs: The one that is to replace it.
  package init(
    from oldJobs: [JobDefinition], _ oldRun: DryRun, to newJobs: [JobDefinition], _ newRun: DryRun
  ) {
    let before = Dictionary(oldJobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(newJobs.map(\.name))
    // The new configuration's order, then what is not in it any more.
    jobs = newJobs.map { PlanJob($0.name, before: before[$0.name], after: $0) }
    jobs += oldJobs.filter { !after.contains($0.name) }.map { PlanJob($0.name, before: $0, after: nil) }
    unpaired = jobs.map { _ in nil }
    formers = jobs.map { _ in nil }
    isInNew = jobs.map { _ in false }
    let places = Dictionary(uniqueKeysWithValues: jobs.enumerated().map { ($1.name, $0) })
    old = PlanSide(oldRun, places)
    new = PlanSide(newRun, places)
  }

  /// Goes through both to the end; what became of each job, in the order of the new configuration, removed jobs last.
  package mutating func run() -> [PlanJob] {
    while let instant = [old.upcoming, new.upcoming].compactMap(\.self).min() {
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
    return jobs
  }

  private mutating func together(_ place: Int, _ former: DryRunRow, _ row: DryRunRow) {
    letGo(place)
    jobs[place].compare(former, row)
  }

  /// An entry that one side alone has: the other's entry next to it, if it is alone too, is the same one moved.
  private mutating func alone(_ place: Int, _ row: DryRunRow, isNew: Bool) {
    guard case .entry(let entry) = row else { return jobs[place].note(row, isNew: isNew) }
    if let waiting = unpaired[place], waiting.isNew != isNew, case .entry(let other) = waiting.row {
      unpaired[place] = nil
      jobs[place].moved(from: isNew ? other : entry, to: isNew ? entry : other)
    } else {
      letGo(place)
      unpaired[place] = Unpaired(row: row, isNew: isNew)
    }
  }

  private mutating func letGo(_ place: Int) {
    guard let waiting = unpaired[place] else { return }
    unpaired[place] = nil
    jobs[place].note(waiting.row, isNew: waiting.isNew)
  }
}

/// A dry run whose rows are taken instant by instant.
private struct PlanSide {
  private var run: DryRun
  /// Where each of its jobs is in the plan.
  private let places: [Int]
  private var rows: [DryRunRow] = []
  private var taken = 0
  private var isOver = false

  init(_ run: DryRun, _ places: [JobName: Int]) {
    self.run = run
    self.places = run.summary.jobs.map { places[$0.name] ?? 0 }
    fill()
  }

  /// The instant of the next row; `nil` at the end.
  var upcoming: WallInstant? { taken < rows.count ? rows[taken].entry : nil }

  /// The rows of that instant, if they come next, each with where its job is in the plan.
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
