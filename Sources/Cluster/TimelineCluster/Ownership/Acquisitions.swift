import TimelineCore
import TimelineEngine
import TimelineStoreWire

/// Acquired jobs that the node does not run yet. The claims of their former owners are handled first.
///
/// The claim of an entry that is not run again is not taken. Instead, the entry is settled in the store at once. If this node
/// took the claim and then died, its next daemon process would regard the entry as its own, although another node may have
/// started it.
struct Acquisitions: Sendable, Equatable {
  private struct Pending: Sendable, Equatable {
    var job: AcquiredJob
    let definition: ClusterJob
    /// Entries that the former owner may have started.
    var doubtful: [DoubtfulEntry] = []
    /// Doubtful entries whose outcome is still to be stored.
    var unsettled: [DoubtfulEntry] = []
    /// Entries that this daemon has started and that have no claim in the store: the claim was lost in a failover, or the entry
    /// was run without a claim.
    var unclaimed: Set<Int64> = []
    /// Entries with a claim of this node that this node has started or decided.
    var begun: Set<Int64> = []
    /// Entries that were in ``unclaimed``, with the claim that this node has got since.
    var reclaimed: Set<Int64> = []
    /// Whether the first watermark of the job is still to be stored, because the job had no owner before.
    var isNew = false

    /// Adds an outcome that another node sent after the job was acquired.
    mutating func decide(_ nominal: Int64) {
      // Windows are decided in their order, and the entries of a job without a watermark begin after the outcome.
      guard let watermark = job.watermark, definition.countedSchedule == nil else {
        return job.watermark = max(job.watermark ?? .min, nominal)
      }
      if nominal > watermark { job.decided = (job.decided ?? []) + [nominal...nominal] }
    }
  }

  private var jobs: [JobName: Pending] = [:]

  /// Whether a job is being acquired.
  func contains(_ job: JobName) -> Bool { jobs[job] != nil }

  /// Adds a job that the node with the epoch `epoch` owns.
  ///
  /// - Parameters:
  ///   - isOwn: Whether this daemon process has a record of everything that was done by a claim of the epoch.
  ///   - doubts: Entries, by nominal instant, that the node has claimed in order to run them again, and has not run yet.
  ///   - open: Nominal instants of entries with an active run, or with a run that an earlier daemon left open.
  ///   - hasOutcome: Whether an entry has an outcome on this node.
  mutating func append(
    _ job: AcquiredJob, _ definition: ClusterJob, as epoch: String, _ timing: ClusterTiming,
    isOwn: (OpenClaim) -> Bool = { _ in true }, doubts: [Int64: DoubtfulEntry] = [:], open: [Int64] = [],
    hasOutcome: (Int64) -> Bool = { _ in false }
  ) {
    var pending = Pending(job: job, definition: definition, isNew: job.watermark == nil)
    let own = job.claims.filter { $0.epoch == epoch }.map(\.nominal)
    pending.begun = Set(own.filter(hasOutcome)).union(Set(own).intersection(open))
    // An entry at or before the store's watermark, or in a span of outcomes, has its outcome in the store.
    let isDecided = { (nominal: Int64) in
      nominal <= job.watermark ?? .min || job.decided?.contains { $0.contains(nominal) } ?? false
    }
    pending.unclaimed = Set(open.filter { !isDecided($0) }).subtracting(job.claims.map(\.nominal))
    pending.doubtful = job.claims.filter { $0.epoch == epoch }.compactMap { claim in
      doubts[claim.nominal].map { DoubtfulEntry($0, token: claim.token) }
    }
    if definition.delivery == .atMostOnce {
      let isLeft = { (claim: OpenClaim) in
        claim.epoch == epoch
          ? !isOwn(claim) || doubts[claim.nominal] != nil
          : !timing.isCertainlyUnstarted(definition.firstNominal(of: claim.nominal), claim)
      }
      pending.doubtful = job.claims.filter(isLeft).map { DoubtfulEntry($0, token: $0.token) }
      pending.unsettled = pending.doubtful
      pending.job.claims.removeAll(where: isLeft)
    }
    jobs[definition.name] = pending
  }

  /// Removes a job that the node no longer owns.
  mutating func remove(_ job: JobName) { jobs[job] = nil }

  /// Removes all jobs.
  mutating func removeAll() { jobs = [:] }

  /// Returns claims to be taken from epochs other than `epoch`, ascending, up to the limit of a call.
  func nextTaken(by epoch: String) -> [TakenClaim] {
    let claims = jobs.values.flatMap { pending in
      pending.job.claims.filter { $0.epoch != epoch }.map { claim in
        TakenClaim(
          EntryKey(job: pending.definition.name, nanoseconds: claim.nominal), formerEpoch: claim.epoch)
      }
    }
    return Array(claims.sorted { $0.key < $1.key }.prefix(StoreWireLimits.entriesMax))
  }

  /// Applies the answers to taken claims. Claims to entries with an outcome are dropped.
  mutating func take(_ answers: [ClaimReply.Answer], as epoch: String, _ timing: ClusterTiming) {
    for answer in answers {
      guard var pending = jobs[answer.key.job],
        let place = pending.job.claims.firstIndex(where: { $0.nominal == answer.key.nanoseconds })
      else { continue }
      let claim = pending.job.claims[place]
      if !answer.hasOutcome, let token = answer.token, answer.isGranted {
        pending.job.claims[place].epoch = epoch
        pending.job.claims[place].token = token
        if !timing.isCertainlyUnstarted(pending.definition.firstNominal(of: claim.nominal), claim) {
          pending.doubtful.append(DoubtfulEntry(claim, token: token))
        }
      } else if !answer.hasOutcome, let present = answer.epoch, present != claim.epoch {
        // The holder's successor has joined meanwhile and inherited the claim, but not the job.
        pending.job.claims[place].epoch = present
      } else {
        pending.job.claims.remove(at: place)
        if answer.hasOutcome { pending.decide(answer.key.nanoseconds) }
      }
      jobs[answer.key.job] = pending
    }
  }

  /// Returns entries to be claimed because this daemon has started them, ascending, up to the limit of a call.
  func nextReclaimed(_ mayClaim: ClaimQueue.Permission) -> [EntryKey] {
    let keys = jobs.values.flatMap { pending in
      pending.unclaimed.map { EntryKey(job: pending.definition.name, nanoseconds: $0) }
    }
    return Array(keys.filter(mayClaim).sorted().prefix(StoreWireLimits.entriesMax))
  }

  /// Adds the granted entries to the claims of the node. An entry that another node was granted, or that has an outcome, is not
  /// run again here.
  mutating func reclaim(_ answers: [ClaimReply.Answer], as epoch: String, of node: String) {
    for answer in answers where jobs[answer.key.job]?.unclaimed.remove(answer.key.nanoseconds) != nil {
      if answer.hasOutcome { jobs[answer.key.job]?.decide(answer.key.nanoseconds) }
      guard answer.isGranted, let token = answer.token else { continue }
      jobs[answer.key.job]?.reclaimed.insert(answer.key.nanoseconds)
      jobs[answer.key.job]?.job.claims.append(
        OpenClaim(nominal: answer.key.nanoseconds, node: node, epoch: epoch, token: token, leaseUntil: .max))
    }
  }

  /// Returns records of entries that are not run again, ascending, up to the limit of a call.
  func nextSettled(by epoch: String, of node: String, at now: WallInstant) -> [StoredRecord] {
    let records = jobs.values.flatMap { pending in
      pending.unsettled.map { entry in
        StoredRecord(
          key: EntryKey(job: pending.definition.name, nominal: entry.nominal),
          firstNominal: pending.definition.firstNominal(of: entry.nominal.nanosecondsSinceEpoch),
          entryCount: entry.entryCount,
          outcome: Outcome.unknown.rawValue, cause: RunCause.schedule.rawValue,
          reason: Reason.silent(entry.node), startedAt: nil, endedAt: now.nanosecondsSinceEpoch, attempts: 0,
          node: node, epoch: epoch, token: entry.token)
      }
    }
    return Array(records.sorted { $0.key < $1.key }.prefix(StoreWireLimits.entriesMax))
  }

  /// Returns the first watermarks of new jobs as of `now`, in order of their names, up to the limit of a call. A later owner
  /// treats every later entry without an outcome as missed, even if the first owner ran entries without the store, or ran none.
  func nextBegun(at now: WallInstant) -> [RecordCall.Progress] {
    let new = jobs.values.filter(\.isNew).sorted { $0.job.job < $1.job.job }
    return new.prefix(StoreWireLimits.entriesMax).map { pending in
      let doubtful = pending.doubtful.map(\.nominal.nanosecondsSinceEpoch)
      let claimed = (pending.job.claims.map(\.nominal) + doubtful + pending.unclaimed).min()
      return RecordCall.Progress(
        job: pending.job.job, watermark: min(claimed ?? .max, now.nanosecondsSinceEpoch) - 1)
    }
  }

  /// Marks the records of a call, and the first watermarks in its progress, as stored.
  mutating func settled(_ call: RecordCall) {
    for record in call.records {
      jobs[record.key.job]?.unsettled.removeAll { $0.nominal == record.key.nominal }
    }
    for progress in call.progress {
      guard let job = JobName(progress.job) else { continue }
      jobs[job]?.isNew = false
      // The first window is granted after the job begins, and the entries before this window need an outcome, too.
      if let schedule = jobs[job]?.definition.countedSchedule, !schedule.isClosedLoop {
        jobs[job]?.job.watermark = progress.watermark
      }
    }
  }

  /// Removes and returns the jobs with no pending claim, entry or first watermark, in order of their names.
  mutating func takeReady(by epoch: String) -> [OwnedJob] {
    let ready = jobs.values.filter { pending in
      !pending.isNew && pending.unsettled.isEmpty && pending.unclaimed.isEmpty
        && pending.job.claims.allSatisfy { $0.epoch == epoch }
    }
    for pending in ready { jobs[pending.definition.name] = nil }
    return ready.sorted { $0.definition.name < $1.definition.name }.map {
      OwnedJob(
        $0.definition.name, $0.job, doubtful: $0.doubtful, begun: $0.begun, reclaimed: $0.reclaimed)
    }
  }
}

extension ClusterTiming {
  fileprivate func isCertainlyUnstarted(_ first: Int64, _ claim: OpenClaim) -> Bool {
    isCertainlyUnstarted(
      WallInstant(nanosecondsSinceEpoch: first),
      leaseUntil: WallInstant(nanosecondsSinceEpoch: claim.leaseUntil))
  }
}

extension DoubtfulEntry {
  fileprivate init(_ former: DoubtfulEntry, token: Int64) {
    self = former
    self.token = token
  }

  fileprivate init(_ claim: OpenClaim, token: Int64) {
    nominal = WallInstant(nanosecondsSinceEpoch: claim.nominal)
    (entryCount, node, self.token) = (claim.entryCount, claim.node, token)
  }
}

extension OwnedJob {
  /// Makes a job from an acquired job whose claims are all held by the node.
  fileprivate init(
    _ name: JobName, _ job: AcquiredJob, doubtful: [DoubtfulEntry], begun: Set<Int64>, reclaimed: Set<Int64>
  ) {
    self.name = name
    watermark = job.watermark.map(WallInstant.init(nanosecondsSinceEpoch:))
    (cursor, isFailing, incidents) = (job.cursor, job.isFailing, job.incidents ?? [])
    pausedSince = job.pausedSince.map(WallInstant.init(nanosecondsSinceEpoch:))
    self.doubtful = doubtful
    held = job.claims.map {
      HeldClaim(
        nominal: WallInstant(nanosecondsSinceEpoch: $0.nominal), token: $0.token,
        isStarted: begun.contains($0.nominal), isReclaimed: reclaimed.contains($0.nominal))
    }
    decided = (job.decided ?? []).map {
      WallInstant(nanosecondsSinceEpoch: $0.lowerBound)...WallInstant(nanosecondsSinceEpoch: $0.upperBound)
    }
  }
}
