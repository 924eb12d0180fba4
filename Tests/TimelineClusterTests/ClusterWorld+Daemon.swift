import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineStoreWire
import TimelineTestSupport

/// The daemon on a machine: it passes events to engine and node, and performs their effects.
extension ClusterWorld {
  mutating func startDaemon(_ index: Int) {
    nodes[index].livesCount += 1
    var former = fault == .epochOnDisk ? nodes[index].disk.formerLife : nodes[index].keptLife
    former.store = nodes[index].disk.formerLife.store
    if fault == .reassignedTokensAreNotKept { former.reassigned = [] }
    let settings = ClusterSettings(cluster: "c", node: nodes[index].name, lease: Self.lease)
    let cluster = ClusterNode(
      settings, epoch: NodeEpoch(dice.identity(), UInt32(truncatingIfNeeded: dice.identity())),
      following: former)
    let engine = EngineState(
      jobs: [], startedAt: nodes[index].wall(now), lastRun: nodes[index].disk.lastRun)
    nodes[index].life = WorldNode.Life(
      number: nodes[index].livesCount, engine: engine, cluster: cluster, openAtStart: nodes[index].disk.open,
      unclaimedAtStart: nodes[index].disk.unclaimed, askedAtStart: nodes[index].disk.asked)
    post(index, .engine(.wake))
    if !nodes[index].disk.uploads.isEmpty { post(index, .cluster(.hasRecords(true))) }
    post(index, .cluster(.configured(clusterJobs(index))))
  }

  private func clusterJobs(_ index: Int) -> [ClusterJob] {
    jobs.map { job in
      let goesOn = judge.ownerRuns.contains(job.name.text) || fault == .everyJobGoesOn
      return ClusterJob(
        name: job.name, delivery: job.policies.delivery, storeDown: goesOn ? .ownerRuns : .hold,
        countedSchedule: judge.counted.contains(job.name.text) ? job.schedule : nil,
        digest: nodes[index].digest)
    }
  }

  mutating func reconfigure(_ index: Int, digest: String) {
    nodes[index].digest = digest
    if nodes[index].life?.isStopping ?? true { return }
    post(index, .cluster(.configured(clusterJobs(index))))
  }

  /// Stops the daemon in order: it gives up its jobs, waits for its runs and leaves.
  mutating func stopDaemon(_ index: Int) {
    nodes[index].life?.isStopping = true
    post(index, .cluster(.configured([])))
  }

  private mutating func leaveIfIdle(_ index: Int) {
    guard let life = nodes[index].life, life.isStopping, !life.isLeaving, life.engine.runCount == 0 else {
      return
    }
    nodes[index].life?.isLeaving = true
    post(index, .cluster(.leave))
  }

  /// Kills the daemon with its runs.
  mutating func crash(_ index: Int) { nodes[index].life = nil }

  mutating func post(_ index: Int, _ work: WorldNode.Work) {
    nodes[index].life?.inbox.append(work)
    drain(index)
  }

  mutating func drain(_ index: Int) {
    while nodes[index].frozenUntil <= now, let life = nodes[index].life, !life.inbox.isEmpty {
      let (time, work) = (nodes[index].time(now), nodes[index].life?.inbox.removeFirst())
      switch work {
      case .engine(let event):
        if closesWindow(index, before: event) { continue }
        let effects = nodes[index].life?.engine.handle(event, at: time.wall) ?? []
        if isTraced { print(now - Self.begin, nodes[index].name, event, effects) }
        nodes[index].life?.inbox.insert(contentsOf: effects.map { .effect($0, mayFreeze: true) }, at: 0)
      case .cluster(let event):
        let effects = handle(event, index, at: time)
        if isTraced { print(now - Self.begin, nodes[index].name, event, effects) }
        for effect in effects { perform(effect, index) }
        releaseWithheld(index)
      case .effect(let effect, let mayFreeze):
        if mayFreeze, case .start = effect, !isQuiet, dice.happens(oneIn: 60, "freezes before a start") {
          // The freeze is between the decision and the start.
          nodes[index].frozenUntil = now + dice.number(in: 1...5 * Self.second, "length of that freeze")
          nodes[index].life?.inbox.insert(.effect(effect, mayFreeze: false), at: 0)
        } else {
          perform(effect, index)
        }
      case nil: break
      }
    }
    if nodes[index].frozenUntil <= now { leaveIfIdle(index) }
  }

  /// Passes an event to the node, with the state of jobs in the daemon.
  private mutating func handle(_ event: ClusterEvent, _ index: Int, at time: NodeTime) -> [ClusterEffect] {
    guard let life = nodes[index].life else { return [] }
    let isBusy = { (job: JobName) in
      life.engine.has(job) || life.running.values.contains { $0.attempt.entry.job == job }
    }
    let openEntries = { (job: JobName) -> [WallInstant] in
      let dead = life.openAtStart.values.filter { $0.attempts > 0 }.map(\.entry)
      let active = life.running.values.map(\.attempt).filter(\.cause.isOfSchedule).map(\.entry)
      return (dead + active).filter { $0.job == job }.map(\.nominal)
    }
    let disk = nodes[index].disk
    let local = LocalEntries(open: openEntries) { disk.hasOutcome(of: $0) }
    return nodes[index].life?.cluster.handle(event, at: time, isBusy: isBusy, local: local) ?? []
  }

  /// Hands over the jobs if the lease has ended, before the engine decides anything about them. Returns whether the event was
  /// put into the inbox to wait for that.
  private mutating func closesWindow(_ index: Int, before event: EngineEvent) -> Bool {
    if case .handOver = event { return false }
    guard fault != .noLeaseCheck, let life = nodes[index].life,
      life.cluster.isLate(at: nodes[index].time(now))
    else { return false }
    // Takeovers that are in the inbox already come first.
    let work = [.engine(event)] + life.inbox
    nodes[index].life?.inbox = work.filter(\.comesBeforeHandOver)
    let time = nodes[index].time(now)
    for effect in handle(.wake, index, at: time) { perform(effect, index) }
    nodes[index].life?.inbox += work.filter { !$0.comesBeforeHandOver }
    return true
  }

  private mutating func perform(_ effect: EngineEffect, _ index: Int) {
    switch effect {
    case .arm(let instant): nodes[index].life?.engineArmed = instant
    case .claim(let keys):
      let isKnown = { [disk = nodes[index].disk] (key: EntryKey) in disk.hasOutcome(of: key) }
      let denied = keys.filter(isKnown).map { ClaimAnswer(entry: $0, verdict: .denied) }
      if !denied.isEmpty { nodes[index].life?.inbox.append(.engine(.claimsAnswered(denied))) }
      let asked = keys.filter { !isKnown($0) }
      nodes[index].disk.asked.formUnion(asked.filter { !judge.counted.contains($0.job.text) })
      nodes[index].life?.inbox.append(.cluster(.claim(asked)))
    case .withdraw(let keys):
      nodes[index].disk.unclaimed.subtract(keys)
      nodes[index].disk.asked.subtract(keys)
      nodes[index].life?.inbox.append(.cluster(.withdraw(keys)))
    case .start(let attempt): start(attempt, index)
    case .dequeue(let run):
      if nodes[index].life?.waiting.removeValue(forKey: run) != nil { cancelled(run, index) }
    case .askToStop(let run, _), .kill(let run, _):
      if nodes[index].life?.running.removeValue(forKey: run) != nil { cancelled(run, index) }
    case .settle(let record): settle(record, index)
    case .noteWaiting(let waiting):
      var open = OpenRun(
        run: RunID(number: 0), entry: waiting.entry, cause: waiting.cause, attempts: 0,
        startedAt: waiting.entry.nominal)
      (open.hasWaited, open.isAskedFor) = (true, waiting.isAskedFor)
      nodes[index].disk.open[waiting.entry] = open
    case .drained, .notePause, .noteRerun, .noteRetry, .cutRanges, .noteWatermarks, .noteIncidents: break
    }
  }

  private mutating func cancelled(_ run: RunID, _ index: Int) {
    nodes[index].life?.inbox.append(.engine(.attemptEnded(run, AttemptResult(status: .cancelled))))
  }

  private mutating func start(_ attempt: Attempt, _ index: Int) {
    guard let life = nodes[index].life else { return }
    let time = nodes[index].time(now)
    let token = life.cluster.token(of: attempt.entry, at: time.wall) ?? attempt.token
    guard life.cluster.mayStart(attempt.entry.job, at: time) || fault == .noLeaseCheck else {
      // The lease may have ended: the entry waits until the job is handed over.
      nodes[index].life?.waiting[attempt.run] = attempt.entry.job
      nodes[index].life?.inbox.append(.engine(.attemptWaits(attempt.run)))
      nodes[index].life?.inbox.append(.cluster(.wake))
      return
    }
    let key = attempt.entry
    let owner = store.jobs[key.job.text]?.owner
    let place = judge.start(
      ClusterJudge.Start(key: key, node: index, at: now - Self.begin, token: token),
      isInLease: store.isLive(life.cluster.epoch, at: now), isOwner: owner == life.cluster.epoch,
      isAlone: life.cluster.isDetached(attempt.entry.job) || life.cluster.isUnclaimed(attempt.entry))
    if judge.counted.contains(key.job.text) {
      // The node must have the present window, and no other node may start entries of this entry's window.
      let present = EntryKey(job: key.job, nanoseconds: Self.windowEnd(time.wall.nanosecondsSinceEpoch))
      judge.startInWindow(
        EntryKey(job: key.job, nanoseconds: Self.windowEnd(key.nanoseconds)), of: life.cluster.epoch,
        isClaimed: store.claims[present]?.epoch == life.cluster.epoch)
    }
    var open = OpenRun(
      run: attempt.run, entry: attempt.entry, cause: attempt.cause, attempts: attempt.number,
      startedAt: attempt.startedAt, entryCount: attempt.entryCount)
    open.token = token
    nodes[index].disk.open[attempt.entry] = open
    nodes[index].disk.tokens[key] = token
    nodes[index].disk.lastRun = max(nodes[index].disk.lastRun, attempt.run)
    let isRefused = refuses(key, token)
    nodes[index].life?.running[attempt.run] = (place, attempt, isRefused)
    // The node gets this event before any other.
    nodes[index].life?.inbox.insert(.cluster(.started(attempt.entry)), at: 0)
    let length =
      dice.happens(oneIn: 20, "a long run")
      ? 2_000_000_000 : dice.number(in: 1...300_000_000, "length of a run")
    plan(.attemptEnds(node: index, life: life.number, attempt.run), after: length)
  }

  /// Whether the resource of a job whose owner goes on refuses a run, because a run with a higher token was there before. The
  /// resource of each of these jobs keeps the highest token. A run without a token is not compared, and
  /// neither is one after the loss of writes: a standby may lack an owner whose tokens the resource has.
  private mutating func refuses(_ key: EntryKey, _ token: Int64?) -> Bool {
    let job = key.job.text
    guard judge.ownerRuns.contains(job), !judge.hasLostWrites, let token else { return false }
    let highest = register[job] ?? token
    register[job] = max(highest, token)
    return token < highest
  }

  private static func windowEnd(_ instant: Int64) -> Int64 {
    (instant + 2 * second - 1) / (2 * second) * 2 * second
  }

  private mutating func settle(_ record: EntryRecord, _ index: Int) {
    guard let cluster = nodes[index].life?.cluster else { return }
    let key = record.entry
    nodes[index].disk.open[record.entry] = nil
    if judge.counted.contains(key.job.text) {
      nodes[index].life?.cluster.counted(record)
      if !cluster.running.contains(record.entry.job) {
        nodes[index].life?.inbox.append(.cluster(.hasRecords(true)))
      }
      return
    }
    nodes[index].disk.outcomes.insert(key)
    if record.firstNominal < record.entry.nominal {
      nodes[index].disk.spans[record.entry.job, default: []].append(
        record.firstNominal...record.entry.nominal)
    }
    if record.cause.isOfSchedule, !record.isAhead {
      let former = nodes[index].disk.watermarks[record.entry.job] ?? .min
      nodes[index].disk.watermarks[record.entry.job] = max(former, record.entry.nominal)
    }
    let token =
      cluster.isUnclaimed(record.entry)
      ? 0 : cluster.token(of: record.entry, at: nodes[index].wall(now)) ?? nodes[index].disk.tokens[key]
    let isWithheld = cluster.withholds(record) && fault != .failuresAreNotWithheld
    nodes[index].life?.cluster.ended(record.entry)
    nodes[index].disk.unclaimed.remove(record.entry)
    nodes[index].disk.asked.remove(record.entry)
    let stored = StoredRecord(record, node: nodes[index].name, epoch: cluster.epoch, token: token)
    if isWithheld { nodes[index].disk.withheld.append(stored) } else { upload([stored], index) }
  }

  private mutating func upload(_ records: [StoredRecord], _ index: Int) {
    nodes[index].disk.uploads += records
    nodes[index].disk.recent += records.map { (now, $0) }
    nodes[index].life?.inbox.append(.cluster(.hasRecords(true)))
  }

  /// Queues withheld outcomes of jobs that the node owns by now.
  private mutating func releaseWithheld(_ index: Int) {
    guard let cluster = nodes[index].life?.cluster else { return }
    let isReleased = { (record: StoredRecord) in cluster.releasesWithheld(of: record.key.job) }
    let released = nodes[index].disk.withheld.filter(isReleased)
    if released.isEmpty { return }
    nodes[index].disk.withheld.removeAll(where: isReleased)
    upload(released, index)
  }

  private mutating func perform(_ effect: ClusterEffect, _ index: Int) {
    switch effect {
    case .arm(let instant): nodes[index].life?.clusterArmed = instant
    case .send(let request): send(request, index)
    case .sendRecords(let number):
      releaseWithheld(index)
      if let cluster = nodes[index].life?.cluster, let call = nodes[index].recordCall {
        nodes[index].life?.sentRecords = (number, call.records.map(\.key))
        send(StoreRequest(id: number, cluster.caller, .record(call)), index)
      } else {
        nodes[index].life?.inbox.append(.cluster(.hasRecords(false)))
        nodes[index].life?.inbox.append(
          .cluster(.answered(number, .success(.conflicts(ConflictReply(conflicts: []))))))
      }
    case .replaceAdapter: nodes[index].life?.call = nil
    case .takeOver(let owned):
      let taken = owned.map { nodes[index].taken($0, at: nodes[index].wall(now), fault) }
      let names = (nodes[index].life?.cluster.running ?? []).union(owned.map(\.name))
      let definitions = jobs.filter { names.contains($0.name) }
      nodes[index].life?.inbox.append(.engine(.takeOver(taken, among: definitions)))
    case .handOver(let names, let isGivenUp):
      if fault == .noLeaseCheck { break }
      let inbox = nodes[index].life?.inbox ?? []
      let first = inbox.lastIndex(where: \.comesBeforeHandOver).map { $0 + 1 } ?? 0
      nodes[index].life?.inbox.insert(
        .engine(.handOver(names, isGivenUp: isGivenUp)), at: fault == .handOverWaits ? inbox.count : first)
    case .answer(let answers):
      let alone = answers.map(\.entry).filter { nodes[index].life?.cluster.isUnclaimed($0) ?? false }
      nodes[index].disk.unclaimed.formUnion(alone)
      nodes[index].life?.inbox.append(.engine(.claimsAnswered(answers)))
    case .tell(.goesOnAlone(let names)):
      for (run, job) in (nodes[index].life?.waiting ?? [:]).sorted(by: { $0.key < $1.key })
      where names.contains(job.text) {
        nodes[index].life?.waiting[run] = nil
        var result = AttemptResult(status: .cancelled)
        result.isUncalled = true
        nodes[index].life?.inbox.append(.engine(.attemptEnded(run, result)))
      }
    case .keep(let life):
      nodes[index].disk.formerLife = life
      if nodes[index].hasManager { nodes[index].keptLife = life }
    case .tell(.split(let conflict)):
      judge.noteSplit(conflict.entry)
    case .tell(.failedOver):
      // The standby may lack outcomes that the store had.
      nodes[index].disk.recent.removeAll { $0.at < now - 20 * Self.second }
      let recent = nodes[index].disk.recent.map(\.record)
      nodes[index].disk.uploads += recent.filter { !nodes[index].disk.uploads.contains($0) }
      nodes[index].life?.inbox.append(.cluster(.hasRecords(true)))
    case .tell: break
    case .left: nodes[index].life = nil
    }
  }
}
