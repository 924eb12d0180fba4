import TimelineCore
import TimelineEngine
import TimelineTestSupport

/// Jobs that other nodes own for a while.
extension Ordeal {
  /// The jobs that the engine has, in the order of the configuration.
  var ownJobs: [JobDefinition] { jobs.filter { !elsewhere.contains($0.name) } }

  /// The node loses some of its jobs, or becomes the owner of some again.
  mutating func changeOwners() {
    if elsewhere.isEmpty || dice.happens(percent: 40, "hands over more") {
      // Which outcomes a clock that is behind takes back, other nodes do not know.
      let names = some(of: ownJobs.map(\.name))
      if !names.isEmpty, !invariants.wentBack { handOver(names) }
    } else {
      // A node whose clock is behind owns nothing.
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

  /// Becomes the owner of jobs, of which another node may have run some entries meanwhile.
  mutating func takeOver(_ names: Set<JobName>) {
    // Another attempt of them is due, and what the store knows of is written.
    pass(until: now + .microseconds(1))
    // The shell drops answers to what was asked for before.
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

  /// The job's first entry that has passed and is not decided was granted to another node, which does not answer.
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

  /// Returns a token that is higher than all before.
  mutating func nextToken(for key: EntryKey) -> Int64 {
    lastToken += 1
    tokens[key] = lastToken
    return lastToken
  }
}
