package import TimelineCore
import TimelineEngine
import TimelineStoreWire

/// A node of a cluster: a value that turns each event and its moment into effects.
///
/// The node reads no clock and performs no effect. It renews its lease, decides which jobs it owns, and claims their entries.
/// The engine runs these jobs only as long as the lease certainly lasts. This rule ensures at-most-once: no run is started
/// after ``trustEnd``.
package struct ClusterNode: Sendable {
  private(set) var membership: NodeMembership
  var ownership = JobOwnership()
  private var line = StoreLine()
  private var digests = DigestReport()
  /// Whether the membership was reported to the operator.
  private var hasToldOfMembership = false
  private var hasRecords = false
  /// Whether the node leaves the cluster as soon as no run of its jobs is active.
  private var isLeaving = false
  private var armedAt: BootInstant?
  package private(set) var counters = ClusterCounters()

  /// Makes a node that has not joined. Its first event must be ``ClusterEvent/configured(_:)``.
  ///
  /// - Parameters:
  ///   - settings: Identity and timing of the node.
  ///   - epoch: Identity of this daemon process.
  ///   - former: State from the previous daemon process.
  package init(_ settings: ClusterSettings, epoch: NodeEpoch, following former: FormerLife = FormerLife()) {
    membership = NodeMembership(settings, epoch, following: former)
    ownership.claims = ClaimQueue(following: former.reassigned)
  }

  /// Handles one event at `now` and returns its effects.
  ///
  /// - Parameters:
  ///   - isBusy: Whether the engine still has a job, a run of it is active, or a record of it is unsent. A busy job is not
  ///     released, because the next owner would treat its run as the run of a dead node. Records of its windows are not closed
  ///     either.
  ///   - local: Entries that this node has started or decided.
  package mutating func handle(
    _ event: ClusterEvent, at now: NodeTime, isBusy: (JobName) -> Bool = { _ in false },
    local: LocalEntries = LocalEntries()
  ) -> [ClusterEffect] {
    var effects: [ClusterEffect] = []
    closeWindow(now, &effects)
    switch event {
    case .wake: break
    case .answered(let number, let result): answered(number, result, now, local, &effects)
    case .configured(let jobs): configure(isLeaving ? [] : jobs, &effects)
    case .claim(let entries): ownership.ask(for: entries, &effects)
    case .withdraw(let entries): ownership.withdraw(entries)
    case .started(let entry): ownership.start(entry)
    case .paused(let job, let since): ownership.pause(job, since: since)
    case .activate(let jobs): ownership.activate(jobs)
    case .hasRecords(let hasRecords): self.hasRecords = hasRecords
    case .leave:
      isLeaving = true
      configure([], &effects)
    }
    leaveWhenIdle(isBusy, &effects)
    tendWindows(now, isBusy, &effects)
    giveUpLateCall(now, &effects)
    sendNext(now, isBusy, &effects)
    arm(now, &effects)
    if let state = membership.stateToKeep(ownership.claims.reassigned) { effects.insert(.keep(state), at: 0) }
    return effects
  }

  /// Hands over the jobs that need the lease, if the lease may have ended. Called before the event is handled.
  private mutating func closeWindow(_ now: NodeTime, _ effects: inout [ClusterEffect]) {
    if membership.trust.isOpen(at: now.boot) { return }
    ownership.doubtView()
    guard membership.phase == .member else { return }
    if line.isBroken { ownership.detach(&effects) }
    if ownership.loseAll(but: ownership.detached, &effects) {
      counters.add(.leasesEnded)
      effects.append(.tell(.leaseEnded))
    }
  }

  private mutating func configure(_ jobs: [ClusterJob], _ effects: inout [ClusterEffect]) {
    ownership.configure(jobs, &effects)
    digests.set(ownership.digests)
    membership.renewSoon()
  }

  private mutating func leaveWhenIdle(_ isBusy: (JobName) -> Bool, _ effects: inout [ClusterEffect]) {
    guard isLeaving, membership.phase == .member || membership.phase == .outside else { return }
    if membership.phase == .member, ownership.isBusy(as: membership.epoch.text, isBusy) { return }
    let wasMember = membership.phase == .member
    ownership.leaveAll(&effects)
    membership.leave()
    if !wasMember { end(&effects) }
  }

  private mutating func end(_ effects: inout [ClusterEffect]) {
    if membership.phase != .left { effects.append(.left) }
    membership.hasLeft()
  }

  private mutating func tendWindows(
    _ now: NodeTime, _ isBusy: (JobName) -> Bool, _ effects: inout [ClusterEffect]
  ) {
    let writer = WindowTable.Writer(
      epoch: membership.epoch.text, node: membership.settings.node, now: now.wall.nanosecondsSinceEpoch)
    if ownership.tendWindows(writer, isBusy, &effects) { membership.renewSoon() }
  }

  /// Whether the shell or the node has records that the store does not have.
  private var hasUnsent: Bool { hasRecords || !ownership.windows.records.isEmpty }

  private mutating func giveUpLateCall(_ now: NodeTime, _ effects: inout [ClusterEffect]) {
    let wasBroken = line.isBroken
    guard line.giveUpLate(at: now.boot, timing) else { return }
    counters.add(.callsFailed)
    effects.append(.replaceAdapter)
    if !wasBroken { effects.append(.tell(.storeSilent)) }
    if membership.phase == .leaving { end(&effects) }
  }

  private var timing: ClusterTiming { membership.settings.timing }
}

// Calls and replies.
extension ClusterNode {
  private mutating func sendNext(
    _ now: NodeTime, _ isBusy: (JobName) -> Bool, _ effects: inout [ClusterEffect]
  ) {
    guard line.isFree(at: now.boot), let (work, call) = nextCall(now, isBusy) else { return }
    if case .settle(let call) = work { ownership.settling(call) }
    let number = line.begin(work, at: now, timing)
    effects.append(
      call.map { .send(StoreRequest(id: number, membership.caller, $0)) } ?? .sendRecords(number))
  }

  /// Returns the most urgent call and its purpose. The call is `nil` for records, because the shell has them.
  private func nextCall(_ now: NodeTime, _ isBusy: (JobName) -> Bool) -> (
    StoreLine.Work, StoreCall?
  )? {
    switch membership.phase {
    case .left: return nil
    case .outside:
      guard membership.renewal.map({ $0 <= now.boot }) ?? true else { break }
      // Records are sent first: claims of the previous process that are not inherited would otherwise count as doubtful,
      // although this node has their outcomes. A record with a reassigned token settles its claim only while the claim is of
      // the record's epoch.
      let isFirst = !membership.inherits || !ownership.claims.reassigned.isEmpty
      if hasUnsent, isFirst, !line.isBroken { return (.records, nil) }
      return (.join, membership.joinCall)
    case .leaving:
      if hasUnsent { return (.records, nil) }
      if let (work, call) = ownership.withdrawCall { return (work, call) }
      return (.leave, .leave)
    case .member:
      if membership.isRenewalDue(at: now.boot) {
        return (.renew(digests.next), membership.renewCall(digests.next, ownership.view))
      }
      guard membership.isTrusted(at: now.boot) else { break }
      let mayClaim = { [failover = membership.failover, jobs = ownership.jobs] (key: EntryKey) in
        let first = jobs[key.job]?.firstNominal(of: key.nanoseconds) ?? key.nanoseconds
        return failover.mayClaim(WallInstant(nanosecondsSinceEpoch: first), at: now.wall)
      }
      let mayRelease = { [hasUnsent] (job: JobName) in !hasUnsent && !isBusy(job) }
      let epoch = membership.epoch.text
      if let (work, call) = ownership.nextCall(as: epoch, at: now.wall, mayClaim, mayRelease) {
        return (work, call)
      }
    }
    return hasUnsent ? (.records, nil) : nil
  }

  private mutating func answered(
    _ number: UInt64, _ result: Result<StoreReply, StoreFailure>, _ now: NodeTime,
    _ local: LocalEntries, _ effects: inout [ClusterEffect]
  ) {
    guard let flight = line.end(number) else { return }
    switch result {
    case .failure(let failure):
      counters.add(.callsFailed)
      if !line.isBroken { effects.append(.tell(.storeFailed(failure))) }
      line.fail(at: now.boot, timing)
      if membership.phase == .leaving { end(&effects) }
    case .success(let reply):
      if line.isBroken { effects.append(.tell(.storeBack)) }
      line.succeed()
      take(reply, flight, now, local, &effects)
    }
  }

  private mutating func take(
    _ reply: StoreReply, _ flight: StoreLine.Flight, _ now: NodeTime,
    _ local: LocalEntries, _ effects: inout [ClusterEffect]
  ) {
    let epoch = membership.epoch.text
    switch (flight.work, reply) {
    case (.join, .join(let reply)):
      if membership.take(reply, sent: flight.sent, at: now, &effects) { ownership.publishAll() }
    case (.renew(let part), .renew(let reply)):
      if let part { digests.told(part) }
      take(reply, flight.sent, now, &effects)
    case (.leave, _): end(&effects)
    case (.release(let names), _): ownership.released(names)
    case (.activate(let digests), _):
      ownership.activated(digests)
      membership.renewSoon()
    case (.acquire, .acquire(let reply)):
      if reply.isLost { return loseLease(&effects) }
      ownership.acquired(reply, as: epoch, timing, local, &effects)
    case (.settle(let call), .conflicts):
      ownership.settled(call, as: epoch, &effects)
    case (.take, .claim(let reply)):
      if reply.isLost { return loseLease(&effects) }
      ownership.took(reply, as: epoch, timing, &effects)
    case (.reclaim, .claim(let reply)):
      if reply.isLost { return loseLease(&effects) }
      ownership.reclaimed(reply, as: epoch, &effects)
    case (.claim, .claim(let reply)):
      if reply.isLost { return loseLease(&effects) }
      ownership.claimed(reply, &effects)
      if !reply.foreignJobs.isEmpty { membership.renewSoon() }
    case (.withdraw(let keys), _): ownership.gaveUp(keys)
    case (.pause(let call), _): ownership.paused(call)
    case (.publish(let claims), .conflicts(let reply)):
      ownership.published(claims)
      tell(reply.conflicts, &effects)
    case (.records, .conflicts(let reply)): tell(reply.conflicts, &effects)
    default:
      line.fail(at: now.boot, timing)
      effects.append(.tell(.storeFailed(StoreFailure(.malformed, "the store adapter answered another call"))))
    }
  }

  private mutating func take(
    _ reply: RenewReply, _ sent: NodeTime, _ now: NodeTime, _ effects: inout [ClusterEffect]
  ) {
    guard !reply.isLost else {
      // A daemon that is about to end does not join again.
      if membership.phase == .leaving { return end(&effects) }
      _ = ownership.loseAll(&effects)
      ownership.doubtView()
      digests.forget()
      digests.set(ownership.digests)
      hasToldOfMembership = false
      return membership.becomeOutsider(&effects)
    }
    if membership.take(reply, sent: sent, at: now, &effects) {
      ownership.publishAll()
      // The standby may lack the definitions, too.
      digests.forget()
      digests.set(ownership.digests)
      membership.renewSoon()
    }
    let isWhole = ownership.see(
      reply, as: membership.epoch.text, mayOwn: membership.mayOwn,
      mayTakeOver: membership.mayTakeOver(at: now.boot), &effects)
    if !isWhole || digests.next != nil { membership.renewSoon() }
    guard isWhole, !hasToldOfMembership else { return }
    hasToldOfMembership = true
    effects.append(.tell(.joined(nodeCount: Array(ownership.view.liveNodes).count)))
  }

  /// Gives up the trust window and all jobs, because the store reports the lease as ended.
  private mutating func loseLease(_ effects: inout [ClusterEffect]) {
    membership.loseTrust()
    ownership.doubtView()
    if ownership.loseAll(&effects) { effects.append(.tell(.leaseEnded)) }
  }

  private func tell(_ conflicts: [ConflictReply.Conflict], _ effects: inout [ClusterEffect]) {
    for conflict in conflicts {
      effects.append(.tell(.split(EntryConflict(entry: conflict.key, node: conflict.node))))
    }
  }

  private mutating func arm(_ now: NodeTime, _ effects: inout [ClusterEffect]) {
    let instant = nextInstant(now)
    if instant != armedAt { effects.append(.arm(instant)) }
    armedAt = instant
    counters.add(effects)
  }

  private func nextInstant(_ now: NodeTime) -> BootInstant? {
    var instants: [BootInstant] = []
    if membership.phase == .left { return nil }
    if let deadline = line.deadline { instants.append(deadline) }
    if line.flight == nil, let renewal = membership.renewal { instants.append(renewal) }
    if ownership.needsLease, let end = membership.trust.end { instants.append(end) }
    if let window = ownership.nextWindow(after: now.wall) { instants.append(now.boot + (window - now.wall)) }
    if let end = membership.failover.end(after: now.wall) { instants.append(now.boot + (end - now.wall)) }
    return instants.filter { $0 > now.boot }.min()
  }
}
