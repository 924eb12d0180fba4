import TimelineCore

/// The begin of this node's ownership of jobs: each job goes on after the last decisions of earlier owners.
///
/// The acquisition is a ``Takeover`` as at the start of a daemon, with the state in the cluster's store in place of the
/// ledger. The ledger's watermarks, pauses and loss do not count, because other nodes have owned the jobs since.
struct Acquisition {
  /// Jobs by name, without the jobs that the engine already had.
  private let taken: [JobName: TakenJob]
  private let now: WallInstant

  /// Makes the acquisition of the jobs in `taken` that are not in `jobs` yet.
  init(of taken: [TakenJob], without jobs: JobTable, now: WallInstant) {
    let new = taken.filter { jobs.index(named: $0.name) == nil }
    self.taken = Dictionary(new.map { ($0.name, $0) }) { first, _ in first }
    self.now = now
  }

  /// Whether the acquisition includes a job.
  func contains(_ name: JobName) -> Bool { taken[name] != nil }

  /// Resets the state of the jobs, so that they begin after the last decisions of earlier owners. Runs that are active here go
  /// on.
  func begin(_ dispatch: inout Dispatch) {
    for index in indices(dispatch.jobs) {
      let name = dispatch.jobs[index].definition.name
      dispatch.timetable.watermarks.release(name)
      let watermark = watermark(of: dispatch.jobs[index].definition)
      dispatch.jobs[index].beginOwnership(decided: watermark, at: now)
      dispatch.jobs[index].noteFormerStart(watermark, now)
      if dispatch.jobs[index].isClosedLoop { continue }
      let open = Set((taken[name]?.open ?? []).map(\.entry.nominal)).sorted()
      for span in taken[name]?.decided ?? []
      where dispatch.jobs[index].definition.hasEntries(atEndsOf: span) {
        for part in span.parts(between: open) { dispatch.jobs[index].watermark.decide(part) }
        dispatch.jobs[index].noteSettled(span.upperBound)
      }
    }
  }

  /// Takes over the work that earlier owners left, and plans the first entry of each job.
  func takeOver(_ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    let indices = indices(dispatch.jobs)
    if indices.isEmpty { return }
    let open = indices.flatMap { index in
      goOnWithActive(index, taken[dispatch.jobs[index].definition.name]?.open ?? [], &dispatch.execution)
    }
    let watermarks = indices.compactMap { index -> (JobName, WallInstant)? in
      let definition = dispatch.jobs[index].definition
      return watermark(of: definition).map { (definition.name, $0) }
    }
    var takeover = Takeover(
      watermarks: Dictionary(uniqueKeysWithValues: watermarks), repeated: RepeatedTime(), open: open,
      paused: taken.compactMapValues(\.pausedSince),
      failing: Set(taken.values.filter(\.isFailing).map(\.name)),
      incidents: indices.flatMap { taken[dispatch.jobs[$0].definition.name]?.incidents ?? [] },
      at: now, isOfCluster: true)
    var inherited = takeover.perform(&dispatch.execution, of: indices)
    inherited.settle(&dispatch, now, &effects)
  }

  /// Returns the instant up to which entries of a job are decided; `nil` for a new job. A job with a granted entry is not new:
  /// its first owner died before it recorded an outcome.
  private func watermark(of definition: JobDefinition) -> WallInstant? {
    guard let job = taken[definition.name], job.watermark == nil, !definition.schedule.isClosedLoop else {
      return taken[definition.name]?.watermark
    }
    let granted = job.open.map(\.entry.nominal).filter {
      $0 <= now && definition.schedule.latest(atOrBefore: $0) == $0
    }
    return granted.min().map { $0 - .nanoseconds(1) }
  }

  /// Returns the entries in the store that have no active run here. Entries with an active run go on.
  private func goOnWithActive(_ index: Int, _ open: [OpenRun], _ execution: inout Execution) -> [OpenRun] {
    var active: Set<WallInstant> = []
    for slot in Array(execution.runs.occupied) where execution.runs[slot].job == index {
      let run = execution.runs[slot]
      active.insert(run.nominal)
      if let left = open.first(where: { $0.entry.nominal == run.nominal }) {
        execution.takeBack(slot, token: left.token)
      }
      // An entry that was left to an owner who has decided about it does not count here.
      let isLeft = execution.runs[slot].unstartedOwner == .next
      if run.cause.isOfSchedule, !isLeft {
        execution.jobs[index].watermark.decide(run.nominal)
        execution.timetable.noteDecided(run.nominal, of: index)
      }
    }
    return open.filter { !active.contains($0.entry.nominal) }
  }

  private func indices(_ jobs: JobTable) -> [Int] {
    taken.keys.compactMap { jobs.index(named: $0) }.sorted()
  }
}

extension ClosedRange<WallInstant> {
  /// Returns the parts of the span without some instants, which ascend. A span of many outcomes may cover entries that are open.
  fileprivate func parts(between instants: [WallInstant]) -> [ClosedRange<WallInstant>] {
    var (parts, start) = ([ClosedRange<WallInstant>](), lowerBound)
    for instant in instants where contains(instant) {
      if start < instant { parts.append(start...instant - .nanoseconds(1)) }
      start = instant + .nanoseconds(1)
    }
    if start <= upperBound { parts.append(start...upperBound) }
    return parts
  }
}
