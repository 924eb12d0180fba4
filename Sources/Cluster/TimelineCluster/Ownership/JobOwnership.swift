import TimelineCore
import TimelineEngine
import TimelineStoreWire

/// The jobs of a node: owned jobs, jobs to be acquired or given up, and the claims of their entries.
struct JobOwnership: Sendable, Equatable {
  var view = ClusterView()
  var claims = ClaimQueue()
  /// The jobs of the configuration that one node of the cluster runs.
  private(set) var jobs: [JobName: ClusterJob] = [:]
  /// The jobs that are claimed by windows.
  private(set) var counted: Set<JobName> = []
  /// The jobs that the engine has.
  var running: Set<JobName> = []
  /// Jobs that the node keeps running although the store does not answer.
  var detached: Set<JobName> = []
  /// Whether ``view`` was received while the present lease lasted.
  var isViewProven = false
  /// Counted jobs that the node owns and that have no window yet.
  var awaiting: [JobName: AwaitedJob] = [:]
  /// Windows of counted jobs that the node has claimed, and their outcomes.
  var windows = WindowTable()
  /// Windows that the store has denied, by job.
  var deniedWindows: [JobName: Set<Int64>] = [:]
  /// Start of this daemon process; `nil` before its first event.
  var startedAt: WallInstant?
  /// Instant after which this node may run the job, for each counted job.
  var floors: [JobName: Int64] = [:]
  private(set) var acquisitions = Acquisitions()
  private var plan = OwnershipPlan()
  /// Pauses (an instant) and resumptions (`nil`) that are still to be stored, by job.
  private var pauses: [JobName: Int64?] = [:]
  /// Jobs that were reported as divergent.
  private var divergent: Set<JobName> = []
  /// Jobs that were reported as orphaned.
  private var orphaned: Set<JobName> = []

  /// The digests of the jobs, for the store.
  var digests: [String: String] {
    Dictionary(uniqueKeysWithValues: jobs.map { ($0.key.text, $0.value.digest) })
  }

  /// Replaces the jobs of the configuration. A job whose definition changes is given up and acquired again, also during its
  /// acquisition.
  mutating func configure(_ jobs: [ClusterJob], _ effects: inout [ClusterEffect]) {
    let former = self.jobs
    self.jobs = Dictionary(jobs.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    counted = Set(jobs.filter(\.isCounted).map(\.name))
    for name in former.keys where self.jobs[name] != former[name] { acquisitions.remove(name) }
    handOver(present.filter { self.jobs[$0] != former[$0] }, isGivenUp: true, &effects)
  }

  /// Adds the reply to a renewal to the snapshot of the store. If the snapshot is complete, plans changes of ownership. Returns
  /// whether the snapshot is complete.
  mutating func see(
    _ reply: RenewReply, as epoch: String, mayOwn: Bool, mayTakeOver: Bool,
    _ effects: inout [ClusterEffect]
  ) -> Bool {
    guard view.take(reply) else { return false }
    (detached, isViewProven) = ([], true)
    handOver(present.filter { view.jobs[$0]?.owner != epoch }, isGivenUp: false, &effects)
    for (name, job) in view.jobs where job.owner != epoch {
      acquisitions.remove(name)
      if job.owner != nil { claims.forgetDoubts(of: name) }
    }
    decide(as: epoch, mayOwn: mayOwn, mayTakeOver: mayTakeOver, &effects)
    tellDivergent(&effects)
    tellOrphaned(&effects)
    return true
  }

  private mutating func decide(
    as epoch: String, mayOwn: Bool, mayTakeOver: Bool,
    _ effects: inout [ClusterEffect]
  ) {
    let known = present.union(jobs.keys.filter { acquisitions.contains($0) })
    // Keeps the operator's activations that are not in the store yet.
    let chosen = plan.activated
    plan = OwnershipPlan(for: epoch, jobs, running: known, in: view, mayOwn: mayOwn, mayTakeOver: mayTakeOver)
    plan.activated.merge(chosen) { _, chosen in chosen }
    for job in plan.released { acquisitions.remove(job) }
    handOver(present.intersection(plan.released), isGivenUp: true, &effects)
  }

  /// Stops the engine from starting further runs of jobs. If `isGivenUp`, claims without a started run are withdrawn.
  /// Otherwise the node does not own the jobs, and other nodes decide about their entries.
  private mutating func handOver(
    _ names: Set<JobName>, isGivenUp: Bool, _ effects: inout [ClusterEffect]
  ) {
    if names.isEmpty { return }
    let left = running.intersection(names)
    running.subtract(names)
    detached.subtract(names)
    if !left.isEmpty { effects.append(.handOver(left, isGivenUp: isGivenUp)) }
    for name in names {
      awaiting[name] = nil
      if isGivenUp { claims.leave(name) } else { claims.forget(name, areWindows: isCounted(name)) }
    }
  }

  /// Owned jobs that the engine runs or that wait for a window.
  private var present: Set<JobName> { running.union(awaiting.keys) }

  /// Hands over all jobs that are not in `kept`, because the lease has ended. Returns whether any job was handed over.
  mutating func loseAll(but kept: Set<JobName> = [], _ effects: inout [ClusterEffect]) -> Bool {
    acquisitions.removeAll()
    plan = OwnershipPlan()
    let lost = present.subtracting(kept)
    handOver(lost, isGivenUp: false, &effects)
    return !lost.isEmpty
  }

  /// Gives up all jobs, because the daemon ends.
  mutating func leaveAll(_ effects: inout [ClusterEffect]) {
    acquisitions.removeAll()
    plan = OwnershipPlan()
    handOver(present, isGivenUp: true, &effects)
  }

  /// Hands over jobs that belong to another node according to the store.
  mutating func lose(_ names: [JobName], _ effects: inout [ClusterEffect]) {
    handOver(present.intersection(names), isGivenUp: false, &effects)
    view.forgetVersion()
  }

  private mutating func tellDivergent(_ effects: inout [ClusterEffect]) {
    let present = Set(jobs.keys.filter { Set(view.liveDigests(of: $0).values).count > 1 })
    for job in present.subtracting(divergent).sorted() { effects.append(.tell(.divergent(job.text))) }
    for job in divergent.subtracting(present).sorted() { effects.append(.tell(.agreed(job.text))) }
    divergent = present
  }

  /// Jobs that no node can run, each with its last node. Jobs of this node are not included: other nodes receive their
  /// definitions soon.
  var orphans: [(job: JobName, node: String)] { view.orphans.filter { jobs[$0.job] == nil } }

  private mutating func tellOrphaned(_ effects: inout [ClusterEffect]) {
    let present = Set(orphans.map(\.job))
    let new = present.subtracting(orphaned)
    if !new.isEmpty { effects.append(.tell(.orphaned(new.sorted().map(\.text)))) }
    orphaned = present
  }
}

// Calls about owners, and their replies.
extension JobOwnership {
  /// Returns the next call about owners and claims with its purpose; `nil` if nothing is to be done.
  ///
  /// Claims are withdrawn before their jobs are released. Otherwise the next owner would treat their runs as started.
  func nextCall(
    as epoch: String, at now: WallInstant, _ mayClaim: ClaimQueue.Permission, _ mayRelease: (JobName) -> Bool
  ) -> (StoreLine.Work, StoreCall)? {
    let unpublished = claims.nextUnpublished
    if !unpublished.isEmpty { return (.publish(unpublished), .publish(ClaimCall(unpublished))) }
    if let call = withdrawCall { return call }
    let released = plan.released.filter(mayRelease)
    if !released.isEmpty {
      let names = Array(released.prefix(StoreWireLimits.jobsMax))
      let jobs = names.map { ReleaseCall.Job(job: $0.text, term: view.term(of: $0)) }
      return (.release(names), .release(ReleaseCall(jobs: jobs)))
    }
    if let (job, since) = pauses.min(by: { $0.key < $1.key }) {
      let call = PauseCall(job: job.text, since: since)
      return (.pause(call), .pause(call))
    }
    if !plan.activated.isEmpty {
      let first = plan.activated.sorted { $0.key < $1.key }.prefix(StoreWireLimits.jobsMax)
      let digests = Dictionary(uniqueKeysWithValues: first.map { ($0.key.text, $0.value) })
      return (.activate(digests), .activate(ActivateCall(digests: digests)))
    }
    let settled = acquisitions.nextSettled(by: epoch, of: view.nodes[epoch]?.node ?? "", at: now)
    let begun = acquisitions.nextBegun(at: now)
    if !settled.isEmpty || !begun.isEmpty {
      let call = RecordCall(records: settled, progress: begun)
      return (.settle(call), .record(call))
    }
    let taken = acquisitions.nextTaken(by: epoch)
    if !taken.isEmpty { return (.take, .take(ClaimCall(taken))) }
    let reclaimed = acquisitions.nextReclaimed(mayClaim)
    if !reclaimed.isEmpty { return (.reclaim, claimCall(reclaimed)) }
    let asked = claims.nextAsked(mayClaim)
    if !asked.isEmpty { return (.claim, claimCall(asked)) }
    if !plan.acquired.isEmpty {
      let jobs = Array(plan.acquired.prefix(StoreWireLimits.entriesMax))
      return (.acquire, .acquire(AcquireCall(jobs: jobs)))
    }
    return nil
  }

  /// Whether one of the jobs that the node owns in the last snapshot of the store is busy.
  func isBusy(as epoch: String, _ isBusy: (JobName) -> Bool) -> Bool {
    view.jobs.contains { $0.value.owner == epoch && isBusy($0.key) }
  }

  /// The next call that withdraws claims; `nil` for none.
  var withdrawCall: (StoreLine.Work, StoreCall)? {
    let keys = claims.nextWithdrawn
    if keys.isEmpty { return nil }
    let claims = keys.map { WithdrawnClaim($0, term: view.term(of: $0.job)) }
    return (.withdraw(keys), .withdraw(ClaimCall(claims)))
  }

  /// Queues the pause or the resumption of a job for the store.
  mutating func pause(_ job: JobName, since: WallInstant?) {
    if running.contains(job) { pauses[job] = .some(since?.nanosecondsSinceEpoch) }
  }

  /// Removes a stored pause or resumption from the queue.
  mutating func paused(_ call: PauseCall) {
    guard let job = JobName(call.job), pauses[job] == .some(call.since) else { return }
    pauses[job] = nil
  }

  /// Activates this node's definitions of jobs. Without names, activates the definitions of all jobs that run by another
  /// definition.
  mutating func activate(_ names: [JobName]) {
    for name in names.isEmpty ? Array(jobs.keys) : names {
      guard let digest = jobs[name]?.digest, digest != view.jobs[name]?.activeDigest else { continue }
      plan.activated[name] = digest
    }
  }

  /// Applies the reply to a release.
  mutating func released(_ names: [JobName]) {
    plan.released.removeAll { names.contains($0) }
    for name in names { view.removeOwner(of: name) }
  }

  /// Applies the reply to an activation. Changes of ownership follow with the next snapshot of the store.
  mutating func activated(_ digests: [String: String]) {
    for (text, digest) in digests {
      guard let job = JobName(text) else { continue }
      view.activate(job, digest)
      plan.activated[job] = nil
    }
  }

  /// Applies the reply to an acquisition. Jobs that were not acquired belong to another node.
  mutating func acquired(
    _ reply: AcquireReply, as epoch: String, _ timing: ClusterTiming,
    _ local: LocalEntries, _ effects: inout [ClusterEffect]
  ) {
    plan.acquired.removeFirst(min(plan.acquired.count, StoreWireLimits.entriesMax))
    for job in reply.jobs {
      guard let name = JobName(job.job), let definition = jobs[name] else { continue }
      view.setOwner(of: name, epoch, term: job.term)
      // The only state of a counted job is its windows.
      let open = isCounted(name) ? [] : local.open(name).map(\.nanosecondsSinceEpoch)
      acquisitions.append(
        job, definition, as: epoch, timing, isOwn: ownWindow(of: name), doubts: claims.doubts(of: name),
        open: open, hasOutcome: { local.hasOutcome(EntryKey(job: name, nanoseconds: $0)) })
    }
    takeOverReady(as: epoch, &effects)
  }

  /// Applies the reply to taken claims.
  mutating func took(
    _ reply: ClaimReply, as epoch: String, _ timing: ClusterTiming, _ effects: inout [ClusterEffect]
  ) {
    for job in reply.foreignJobs.compactMap(JobName.init) { acquisitions.remove(job) }
    acquisitions.take(reply.answers, as: epoch, timing)
    takeOverReady(as: epoch, &effects)
  }

  /// Applies the reply to claims of entries that this daemon has started.
  mutating func reclaimed(_ reply: ClaimReply, as epoch: String, _ effects: inout [ClusterEffect]) {
    for job in reply.foreignJobs.compactMap(JobName.init) { acquisitions.remove(job) }
    acquisitions.reclaim(reply.answers, as: epoch, of: view.nodes[epoch]?.node ?? "")
    takeOverReady(as: epoch, &effects)
  }

  /// Marks outcomes of entries that are not run again, and the first watermarks of new jobs, as stored.
  mutating func settled(_ call: RecordCall, as epoch: String, _ effects: inout [ClusterEffect]) {
    acquisitions.settled(call)
    takeOverReady(as: epoch, &effects)
  }

  private mutating func takeOverReady(as epoch: String, _ effects: inout [ClusterEffect]) {
    var ready = acquisitions.takeReady(by: epoch)
    if ready.isEmpty { return }
    for place in ready.indices {
      let job = ready[place]
      ready[place].undecidedSince = claims.takeUndecided(of: job.name, after: job.watermark)
    }
    for job in ready where isCounted(job.name) { awaitWindow(job) }
    ready.removeAll { isCounted($0.name) }
    if ready.isEmpty { return }
    for job in ready {
      running.insert(job.name)
      claims.hold(job.held, of: job.name)
      claims.doubt(job.runAgain, of: job.name)
      claims.decide(job.doubtful, of: job.name)
    }
    effects.append(.takeOver(ready))
  }
}
