import TimelineCore
import TimelineEngine
import TimelineTestSupport

/// Jobs that other nodes own for a while.
extension EngineSimulation {
  /// The jobs that the engine has, in the order of the configuration.
  var ownJobs: [JobDefinition] { jobs.filter { !elsewhere.contains($0.name) } }

  /// Hands over some of the node's jobs, or takes some back.
  mutating func changeOwners() {
    if elsewhere.isEmpty || dice.happens(percent: 40, "hands over more") {
      // No handover once the clock was set back: outcomes may be withdrawn then, and other nodes have no record of that.
      let names = some(of: ownJobs.map(\.name))
      if !names.isEmpty, !invariants.wentBack { handOver(names) }
    } else {
      // A node does not become an owner while its clock is behind.
      let names = some(of: elsewhere.sorted())
      if !names.isEmpty, now >= furthest { takeOver(names) }
    }
  }

  private mutating func some(of names: [JobName]) -> Set<JobName> {
    Set(names.filter { _ in dice.happens(percent: 60, quietly: true, "this job moves") })
  }

  private mutating func handOver(_ names: Set<JobName>) {
    elsewhere.formUnion(names)
    invariants.stories.isExact = false
    var told = names
    fault.handedOver(&told)
    invariants.handsOver(names)
    handle(.handOver(told))
  }

  /// Becomes the owner of jobs; another node may have run some of their entries meanwhile.
  mutating func takeOver(_ names: Set<JobName>) {
    // The takeover is later than the handover. The state from the store includes lines that are not committed yet.
    pass(until: now + .microseconds(1))
    // The shell drops answers to earlier requests.
    unanswered.removeAll { names.contains($0.entry.job) }
    invariants.asked = invariants.asked.filter { !names.contains($0.job) }
    elsewhere.subtract(names)
    var taken = names.sorted().map { ledger.taken($0) }
    for place in taken.indices {
      taken[place].incidents = incidents.notes(of: taken[place].name)
      if dice.happens(percent: 40, "is run elsewhere") { beRunElsewhere(&taken[place]) }
      for position in taken[place].open.indices {
        taken[place].open[position].token = nextToken(for: taken[place].open[position].entry)
      }
    }
    invariants.takesOver(taken)
    fault.taken(&taken)
    handle(.takeOver(taken, among: ownJobs.map(fault.disguise)))
  }

  /// Grants the job's first entry that is due and undecided to another node, which does not answer.
  private mutating func beRunElsewhere(_ taken: inout TakenJob) {
    guard let job = jobs.first(where: { $0.name == taken.name }), let watermark = taken.watermark,
      taken.pausedSince == nil, !job.schedule.isClosedLoop, !job.schedule.hasMoreThanOneEntryPerSecond,
      let nominal = job.schedule.next(after: watermark), invariants.dueInstant(of: nominal, job) < now
    else { return }
    let key = EntryKey(job: job.name, nominal: nominal)
    guard ledger.verdict(on: key) == .granted, !denied.contains(key),
      !taken.open.contains(where: { $0.entry == key }),
      invariants.mayBeOf(another: key)
    else { return }
    grantedElsewhere.insert(key)
    var run = OpenRun(run: RunID(number: 0), entry: key, cause: .schedule, attempts: 1, startedAt: nominal)
    run.node = "b"
    taken.open.append(run)
  }

  /// Returns a token that is higher than all earlier tokens.
  mutating func nextToken(for key: EntryKey) -> Int64 {
    lastToken += 1
    tokens[key] = lastToken
    return lastToken
  }
}
