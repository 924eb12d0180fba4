import TimelineCore

/// What a change of the configuration would do: two dry runs side by side, compared entry by entry.
///
/// Both run through the real engine, so overlaps, groups and policies count. Memory does not grow with the length of the
/// stretch: at most one entry of each job waits for its counterpart.
package struct Plan {
  private var old: PlanSide
  private var new: PlanSide
  private var jobs: [PlanJob] = []
  private var places: [JobName: Int] = [:]
  private var unpaired: [Unpaired?] = []

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
    old = PlanSide(oldRun)
    new = PlanSide(newRun)
    let before = Dictionary(oldJobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(newJobs.map(\.name))
    // The new configuration's order, then what is not in it any more.
    for job in newJobs { add(PlanJob(job.name, before: before[job.name], after: job)) }
    for job in oldJobs where !after.contains(job.name) { add(PlanJob(job.name, before: job, after: nil)) }
  }

  private mutating func add(_ job: PlanJob) {
    places[job.name] = jobs.count
    jobs.append(job)
    unpaired.append(nil)
  }

  /// Goes through both to the end; what became of each job, in the order of the new configuration, removed jobs last.
  package mutating func run() -> [PlanJob] {
    while let instant = [old.upcoming, new.upcoming].compactMap(\.self).min() {
      let (oldRows, newRows) = (old.take(at: instant), new.take(at: instant))
      for row in oldRows where !newRows.contains(where: { $0.job == row.job }) { alone(row, isNew: false) }
      for row in newRows {
        if let former = oldRows.first(where: { $0.job == row.job }) {
          together(former, row)
        } else {
          alone(row, isNew: true)
        }
      }
    }
    for place in jobs.indices { letGo(place) }
    return jobs
  }

  private mutating func together(_ former: DryRunRow, _ row: DryRunRow) {
    guard let place = places[row.job] else { return }
    letGo(place)
    jobs[place].compare(former, row)
  }

  /// An entry that one side alone has: the other's entry next to it, if it is alone too, is the same one moved.
  private mutating func alone(_ row: DryRunRow, isNew: Bool) {
    guard let place = places[row.job] else { return }
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
  private var rows: [DryRunRow] = []
  private var taken = 0
  private var isOver = false

  init(_ run: DryRun) {
    self.run = run
    fill()
  }

  /// The instant of the next row; `nil` at the end.
  var upcoming: WallInstant? { taken < rows.count ? rows[taken].entry : nil }

  /// The rows of that instant, if they come next.
  mutating func take(at instant: WallInstant) -> [DryRunRow] {
    var result: [DryRunRow] = []
    while upcoming == instant {
      result.append(rows[taken])
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
      isOver = !run.step { next.append($0) }
      rows = next
    }
  }
}
