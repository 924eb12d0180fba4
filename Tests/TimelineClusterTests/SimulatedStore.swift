import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineStoreWire

/// A cluster's store in memory, by the documented contract of the calls. Each call is passed the time of the store's clock.
struct SimulatedStore {
  /// Planted faults, which the judge must detect.
  enum Fault {
    /// Claims of an epoch are gone when another one acquires its job.
    case claimsVanishWithLease
    /// Nodes are identified by their names instead of their epochs.
    case nameForEpoch
    /// The claims of the former owner are not passed to the next one.
    case claimsAreNotTold
    /// The watermark of a job is not passed to its next owner.
    case watermarkIsNotTold
    /// Outcomes later than the watermark of a job are not passed to its next owner.
    case outcomesAreNotTold
  }

  struct Member {
    var node: String
    var labels: [String: String]
    var leaseUntil: Int64
    var hasLeft = false
    var offset: Int64?
    var digests: [String: String] = [:]
    var version: String
  }

  struct Job {
    var owner: String?
    var term: Int64 = 0
    var activeDigest: String?
    var watermark: Int64?
    /// The first watermark that this server received.
    var begin: Int64?
    var isFailing = false
    var incidents: [StoredIncident]?
    var pausedSince: Int64?
  }

  struct Claim {
    var epoch: String
    var token: Int64
    var entryCount: Int
    var claimedAt: Int64
    var hasOutcome = false
  }

  private(set) var members: [String: Member] = [:]
  private(set) var jobs: [String: Job] = [:]
  private(set) var claims: [EntryKey: Claim] = [:]
  private(set) var records: [EntryKey: [StoredRecord]] = [:]
  private var names: [String: String] = [:]
  /// Time at which the first outcome of each entry was stored.
  private var recordedAt: [EntryKey: Int64] = [:]
  /// Time at which each epoch first acquired a job, by the job.
  private var acquiredAt: [String: [String: Int64]] = [:]
  private var version: Int64 = 1
  private var sequence: Int64 = 0
  private(set) var timeline: Int64 = 1
  /// Calls that break the contract, in words.
  private(set) var violations: [String] = []
  let fault: Fault?

  init(fault: Fault? = nil) { self.fault = fault }

  /// Promotes this state, which is the state of a standby, to the state of the store.
  mutating func promote(over former: SimulatedStore) {
    timeline = former.timeline + 1
    version = former.version + 1_000
    violations = former.violations
  }

  private var identity: String { "store/\(timeline)" }

  private mutating func nextToken() -> Int64 {
    sequence += 1
    return timeline << 40 | sequence
  }

  /// The epoch that identifies a caller.
  private func known(_ epoch: String, _ node: String? = nil) -> String {
    guard fault == .nameForEpoch, let node = node ?? members[epoch]?.node else { return epoch }
    return names[node] ?? epoch
  }

  /// Whether the lease of an epoch lasts.
  func isLive(_ epoch: String, at now: Int64) -> Bool {
    members[epoch].map { !$0.hasLeft && $0.leaseUntil > now && names[$0.node] == epoch } ?? false
  }

  mutating func perform(_ request: StoreRequest, at now: Int64) -> StoreReply {
    let caller = request.caller.epoch ?? ""
    switch request.call {
    case .initialize, .history, .status: return .done
    case .join(let call): return .join(join(call, caller, now))
    case .renew(let call): return .renew(renew(call, caller, now))
    case .leave: leave(caller, now)
    case .acquire(let call): return .acquire(acquire(call, caller, now))
    case .release(let call): release(call, caller)
    case .claim(let call): return .claim(claim(call, caller, now))
    case .take(let call): return .claim(take(call, caller, now))
    case .withdraw(let call):
      for claim in call.claims
      where claims[claim.key]?.epoch == known(caller) && claims[claim.key]?.hasOutcome == false {
        if isPresent(claim.term, of: claim.key.job.text) { claims[claim.key] = nil }
      }
    case .record(let call): return .conflicts(record(call, now))
    case .publish(let call): return .conflicts(publish(call, caller, now))
    case .activate(let call):
      for (job, digest) in call.digests { jobs[job, default: Job()].activeDigest = digest }
      version += 1
    case .pause(let call):
      jobs[call.job, default: Job()].pausedSince = call.since
      version += 1
    }
    return .done
  }
}

extension StoredRecord {
  fileprivate var isOfDoubt: Bool { outcome == "unknown" && startedAt == nil }
}

// Membership.
extension SimulatedStore {
  private mutating func join(_ call: JoinCall, _ caller: String, _ now: Int64) -> JoinReply {
    if let holder = names[call.node], holder != caller, fault != .nameForEpoch {
      if isLive(holder, at: now), call.formerEpoch != holder {
        return JoinReply(
          hasJoined: false, holder: holder,
          holderLeaseMilliseconds: ((members[holder]?.leaseUntil ?? now) - now) / 1_000_000, storeTime: now,
          identity: identity)
      }
      if call.formerEpoch == holder {
        for name in jobs.keys where jobs[name]?.owner == holder { jobs[name]?.owner = caller }
        for key in claims.keys where claims[key]?.epoch == holder { claims[key]?.epoch = caller }
      }
      let holderUntil = members[holder]?.leaseUntil ?? now
      members[holder]?.leaseUntil = min(holderUntil, now)
    }
    if fault != .nameForEpoch || names[call.node] == nil { names[call.node] = caller }
    members[caller] = Member(
      node: call.node, labels: call.labels, leaseUntil: now + call.leaseMilliseconds * 1_000_000,
      digests: members[caller]?.digests ?? [:], version: call.version)
    version += 1
    return JoinReply(hasJoined: true, storeTime: now, identity: identity)
  }

  private mutating func renew(_ call: RenewCall, _ caller: String, _ now: Int64) -> RenewReply {
    guard let member = members[caller], !member.hasLeft, known(caller) == names[member.node] else {
      return RenewReply(
        isLost: true, storeTime: now, identity: identity, nodes: [], version: version, jobs: nil)
    }
    let epoch = known(caller)
    members[epoch]?.leaseUntil = now + call.leaseMilliseconds * 1_000_000
    members[epoch]?.offset = call.clockOffsetMilliseconds
    if let digests = call.digests {
      let former = call.addsDigests ? member.digests : [:]
      let present = former.merging(digests) { $1 }
      if members[epoch]?.digests != present { version += 1 }
      members[epoch]?.digests = present
    }
    let nodes = members.map { key, member in
      NodeMessage(
        node: member.node, epoch: fault == .nameForEpoch && key == epoch ? caller : key,
        labels: member.labels, leaseMilliseconds: (member.leaseUntil - now) / 1_000_000,
        clockOffsetMilliseconds: member.offset, hasLeft: member.hasLeft, version: member.version)
    }
    let all = Set(jobs.keys).union(members.values.flatMap(\.digests.keys)).sorted()
    let view = all.map { name in
      let own = members.filter { isLive($0.key, at: now) }.compactMapValues { $0.digests[name] }
      return JobMessage(
        job: name, owner: jobs[name]?.owner.map { $0 == epoch ? caller : $0 },
        term: jobs[name]?.term ?? 0,
        activeDigest: jobs[name]?.activeDigest,
        digests: Dictionary(uniqueKeysWithValues: own.map { ($0 == epoch ? caller : $0, $1) }),
        pausedSince: jobs[name]?.pausedSince)
    }
    // The version does not change when a lease ends. Therefore each reply has the whole view.
    return RenewReply(
      isLost: false, storeTime: now, identity: identity, nodes: nodes, version: version, jobs: view)
  }

  private mutating func leave(_ caller: String, _ now: Int64) {
    members[caller]?.hasLeft = true
    members[caller]?.leaseUntil = now
    for name in jobs.keys where jobs[name]?.owner == caller { jobs[name]?.owner = nil }
    version += 1
  }
}

// Owners and claims.
extension SimulatedStore {
  private mutating func acquire(_ call: AcquireCall, _ caller: String, _ now: Int64) -> AcquireReply {
    let epoch = known(caller)
    guard isLive(epoch, at: now) else { return AcquireReply(isLost: true, jobs: []) }
    var acquired: [AcquiredJob] = []
    for asked in call.jobs {
      var job = jobs[asked.job] ?? Job()
      let isFree = job.owner.map { !isLive($0, at: now) } ?? true
      guard job.owner == epoch || job.owner == asked.formerOwner && isFree else { continue }
      if job.owner != epoch || job.owner == asked.formerOwner {
        version += 1
        job.term += 1
      }
      job.owner = epoch
      jobs[asked.job] = job
      acquiredAt[asked.job, default: [:]][caller] = acquiredAt[asked.job]?[caller] ?? now
      if fault == .claimsVanishWithLease {
        claims = claims.filter {
          $0.key.job.text != asked.job || $0.value.epoch == epoch || $0.value.hasOutcome
        }
      }
      let open = claims.filter { $0.key.job.text == asked.job && !$0.value.hasOutcome }
        .sorted { $0.key < $1.key }
        .map { key, claim in
          OpenClaim(
            nominal: key.nanoseconds, entryCount: claim.entryCount, node: members[claim.epoch]?.node ?? "?",
            epoch: claim.epoch == epoch ? caller : claim.epoch, token: claim.token,
            leaseUntil: members[claim.epoch]?.leaseUntil ?? now)
        }
      var reply = AcquiredJob(
        job: asked.job, term: job.term, watermark: job.watermark, isFailing: job.isFailing,
        incidents: job.incidents, pausedSince: job.pausedSince, claims: open)
      for claim in reply.take(records.filter { $0.key.job.text == asked.job }.flatMap(\.value)) {
        claims[EntryKey(job: name(asked.job), nanoseconds: claim.nominal)]?.hasOutcome = true
      }
      switch fault {
      case .claimsAreNotTold: reply.claims = []
      case .watermarkIsNotTold: reply.watermark = nil
      case .outcomesAreNotTold: reply.decided = nil
      case .claimsVanishWithLease, .nameForEpoch, nil: break
      }
      acquired.append(reply)
    }
    return AcquireReply(isLost: false, jobs: acquired)
  }

  private mutating func release(_ call: ReleaseCall, _ caller: String) {
    for job in call.jobs where jobs[job.job]?.owner == known(caller) && isPresent(job.term, of: job.job) {
      jobs[job.job]?.owner = nil
      version += 1
    }
  }

  private func isPresent(_ term: Int64, of job: String) -> Bool {
    jobs[job]?.term == term
  }

  private mutating func claim(_ call: ClaimCall<WantedClaim>, _ caller: String, _ now: Int64)
    -> ClaimReply
  {
    requireSorted(call.claims.map(\.key))
    let epoch = known(caller)
    guard isLive(epoch, at: now) else { return ClaimReply(isLost: true, answers: []) }
    var foreign: Set<String> = []
    let answers = call.claims.map { entry -> ClaimReply.Answer in
      let key = entry.key
      guard jobs[key.job.text]?.owner == epoch else {
        foreign.insert(key.job.text)
        return ClaimReply.Answer(key, isGranted: false)
      }
      if claims[key] == nil, records[key] == nil {
        let token = nextToken()
        claims[key] = Claim(epoch: epoch, token: token, entryCount: entry.entryCount, claimedAt: now)
      }
      return answer(key, for: epoch)
    }
    return ClaimReply(isLost: false, foreignJobs: foreign.sorted(), answers: answers)
  }

  private func answer(_ key: EntryKey, for epoch: String) -> ClaimReply.Answer {
    guard let claim = claims[key] else {
      return ClaimReply.Answer(key, isGranted: false, hasOutcome: records[key] != nil)
    }
    let hasOutcome = claim.hasOutcome || records[key] != nil
    return ClaimReply.Answer(
      key, isGranted: claim.epoch == epoch && !hasOutcome, token: claim.token,
      node: claim.epoch == epoch ? nil : members[claim.epoch]?.node, epoch: claim.epoch,
      hasOutcome: hasOutcome)
  }

  private mutating func take(_ call: ClaimCall<TakenClaim>, _ caller: String, _ now: Int64)
    -> ClaimReply
  {
    requireSorted(call.claims.map(\.key))
    let epoch = known(caller)
    guard isLive(epoch, at: now) else { return ClaimReply(isLost: true, answers: []) }
    var foreign: Set<String> = []
    let answers = call.claims.map { claim -> ClaimReply.Answer in
      guard jobs[claim.key.job.text]?.owner == epoch else {
        foreign.insert(claim.key.job.text)
        return ClaimReply.Answer(claim.key, isGranted: false)
      }
      if let held = claims[claim.key], held.epoch == claim.formerEpoch, held.epoch != epoch, !held.hasOutcome
      {
        claims[claim.key]?.epoch = epoch
        let token = nextToken()
        claims[claim.key]?.token = token
      }
      return answer(claim.key, for: epoch)
    }
    return ClaimReply(isLost: false, foreignJobs: foreign.sorted(), answers: answers)
  }

  private mutating func record(_ call: RecordCall, _ now: Int64) -> ConflictReply {
    requireSorted(call.records.map(\.key))
    var conflicts: [ConflictReply.Conflict] = []
    for record in call.records {
      requireUndecided(record)
      recordedAt[record.key] = recordedAt[record.key] ?? now
      // Only records of nodes that ran the entry or have its result can conflict.
      let others = (records[record.key] ?? []).filter {
        $0.epoch != record.epoch && !$0.isOfDoubt && !record.isOfDoubt
      }
      conflicts += others.map { ConflictReply.Conflict(record.key, node: $0.node, epoch: $0.epoch) }
      if !(records[record.key] ?? []).contains(where: { $0.epoch == record.epoch }) {
        records[record.key, default: []].append(record)
      }
      for (key, claim) in claims where key.job.text == record.key.job.text {
        let isOwn = claim.epoch == known(record.epoch)
        let isOfSeveral =
          isOwn && record.entryCount > 1 && record.firstNominal <= key.nanoseconds
          && key.nanoseconds < record.key.nanoseconds
        let isSettled = isOfSeveral || key == record.key && (isOwn || claim.token == record.token)
        if isSettled { claims[key]?.hasOutcome = true }
      }
    }
    for told in call.incidents ?? [] where jobs[told.job]?.term == told.term {
      jobs[told.job]?.incidents = told.incidents
    }
    for progress in call.progress {
      var job = jobs[progress.job] ?? Job()
      job.begin = job.begin ?? progress.watermark
      job.watermark = max(job.watermark ?? .min, progress.watermark)
      job.isFailing = progress.isFailing ?? job.isFailing
      jobs[progress.job] = job
    }
    return ConflictReply(conflicts: conflicts)
  }

  /// Notes a violation if a node decides an entry that had another node's outcome in the store when the node acquired the job.
  private mutating func requireUndecided(_ record: StoredRecord) {
    guard !isCounted(record.key.job.text), RunCause(rawValue: record.cause)?.isOfSchedule ?? true,
      let acquired = acquiredAt[record.key.job.text]?[record.epoch],
      // An outcome from before the acquisition may be sent late, or again after a failover.
      record.endedAt + ClusterWorld.wallOffsetMax >= acquired
    else { return }
    for (key, found) in records where key.job.text == record.key.job.text {
      let isCovered = record.firstNominal <= key.nanoseconds && key.nanoseconds <= record.key.nanoseconds
      if isCovered, recordedAt[key] ?? .max < acquired, let former = found.first, former.epoch != record.epoch
      {
        violations.append(
          "\(key) is \(record.outcome) by \(record.node), which acquired it when it was \(former.outcome)")
      }
    }
  }

  /// Whether a job is claimed by windows.
  private func isCounted(_ job: String) -> Bool { job == "fast" }

  private mutating func publish(_ call: ClaimCall<PublishedClaim>, _ caller: String, _ now: Int64)
    -> ConflictReply
  {
    requireSorted(call.claims.map(\.key))
    var conflicts: [ConflictReply.Conflict] = []
    for claim in call.claims {
      if let held = claims[claim.key], held.epoch != known(caller), held.token != claim.token {
        conflicts.append(
          ConflictReply.Conflict(claim.key, node: members[held.epoch]?.node ?? "?", epoch: held.epoch))
      } else if claims[claim.key] == nil {
        claims[claim.key] = Claim(
          epoch: caller, token: claim.token, entryCount: claim.entryCount, claimedAt: now,
          hasOutcome: records[claim.key]?.contains { $0.epoch == caller } ?? false)
      }
    }
    return ConflictReply(conflicts: conflicts)
  }

  private mutating func requireSorted(_ keys: [EntryKey]) {
    if keys != keys.sorted() { violations.append("a batch is not sorted") }
  }
}
