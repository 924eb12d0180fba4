import TimelineCore

/// The begin of this node's ownership of jobs: each goes on after what earlier owners decided.
///
/// It is a ``Takeover`` as at the start of a daemon, with what the cluster's store knows in place of the ledger. Neither the ledger's
/// watermarks and pauses count then, nor that it was lost: other nodes have owned the jobs since.
struct Acquisition {
  /// The jobs, by their names; those that the engine had already are not among them.
  private let taken: [JobName: TakenJob]
  /// Instant of the event.
  private let now: WallInstant

  /// The begin of the ownership of some jobs, of which `jobs` has some already.
  init(of taken: [TakenJob], without jobs: JobTable, now: WallInstant) {
    let new = taken.filter { jobs.index(named: $0.name) == nil }
    self.taken = Dictionary(new.map { ($0.name, $0) }) { first, _ in first }
    self.now = now
  }

  /// Whether it begins the ownership of a job.
  func contains(_ name: JobName) -> Bool { taken[name] != nil }

  /// Has the jobs begin with what earlier owners decided; runs that are active here go on.
  func begin(_ dispatch: inout Dispatch) {
    for index in indices(dispatch.jobs) {
      let name = dispatch.jobs[index].definition.name
      dispatch.timetable.watermarks.release(name)
      let watermark = watermark(of: dispatch.jobs[index].definition)
      dispatch.jobs[index].beginOwnership(decided: watermark, at: now)
      dispatch.jobs[index].noteFormerStart(watermark, now)
      for span in taken[name]?.decided ?? [] {
        dispatch.jobs[index].watermark.decide(span)
        dispatch.jobs[index].noteSettled(span.upperBound)
      }
    }
  }

  /// Takes over what earlier owners left, and plans the first entry of each job.
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

  /// The instant up to which entries of a job are decided; `nil` for a job that is new. One of which an entry was granted is not: its
  /// first owner has not lived to tell of any outcome.
  private func watermark(of definition: JobDefinition) -> WallInstant? {
    guard let job = taken[definition.name], job.watermark == nil, !definition.schedule.isClosedLoop else {
      return taken[definition.name]?.watermark
    }
    let granted = job.open.map(\.entry.nominal).filter {
      $0 <= now && definition.schedule.latest(atOrBefore: $0) == $0
    }
    return granted.min().map { $0 - .nanoseconds(1) }
  }

  /// Returns the entries that the store names and of which no run is active here; those that are go on.
  private func goOnWithActive(_ index: Int, _ open: [OpenRun], _ execution: inout Execution) -> [OpenRun] {
    var active: Set<WallInstant> = []
    for slot in Array(execution.runs.occupied) where execution.runs[slot].job == index {
      let run = execution.runs[slot]
      active.insert(run.nominal)
      if let left = open.first(where: { $0.entry.nominal == run.nominal }) {
        execution.takeBack(slot, token: left.token)
      }
      // What is left to an owner that has decided about it is nothing to this one.
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
