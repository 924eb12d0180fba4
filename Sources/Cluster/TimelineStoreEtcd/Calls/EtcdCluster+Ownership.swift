internal import TimelineStoreWire

extension EtcdCluster {
  /// Jobs per transaction that changes owners. Each job needs one comparison, and two more for its former owner.
  private static let acquiredPart = EtcdTransaction.partLength(3)

  /// Performs ``StoreCall/acquire(_:)``. The transaction of a claim depends on the owner of its job. The new owner therefore
  /// sees all claims of the former owner, and the former owner cannot claim anything later.
  func acquire(_ call: AcquireCall) throws(StoreFailure) -> AcquireReply {
    var owned: [String] = []
    // Jobs that do not fit into a message are not acquired.
    let names = Set(fitting(try acquiredJobs(call.jobs.map(\.job))).map(\.job))
    let jobs = call.jobs.filter { names.contains($0.job) }
    for part in jobs.isEmpty ? [[]] : jobs.parts(of: Self.acquiredPart) {
      guard let names = try acquire(part) else {
        return AcquireReply(isLost: true, jobs: [])
      }
      owned += names
    }
    return AcquireReply(isLost: false, jobs: Array(fitting(try acquiredJobs(owned))))
  }

  private func fitting(_ jobs: [AcquiredJob]) -> ArraySlice<AcquiredJob> {
    MessageRoom.prefix(of: jobs[...], beside: AcquireReply(isLost: false, jobs: []))
  }

  /// Makes the caller the owner of jobs. Returns the jobs that the caller owns afterwards, or `nil` if it has no lease.
  private func acquire(_ jobs: ArraySlice<AcquireCall.Job>) throws(StoreFailure) -> [String]? {
    let own = EtcdRange.one(keys.live(epoch))
    let former = Set(jobs.compactMap(\.formerOwner)).subtracting([epoch])
    let ranges =
      [own] + jobs.map { .one(keys.owner($0.job)) }
      + former.flatMap { [.one(keys.live($0)), .one(keys.heir($0))] }
    return try decide(ranges) { (snapshot) throws(StoreFailure) -> EtcdChange<[String]?> in
      guard snapshot.has(own.key) else { return EtcdChange(value: nil) }
      var (change, owned): (EtcdChange<[String]?>, [String]) = (EtcdChange(value: nil), [])
      for job in jobs {
        var owner: EtcdOwner = try snapshot.value(self.keys.owner(job.job)) ?? EtcdOwner()
        let isFree =
          owner.epoch.map {
            $0 == epoch || !snapshot.has(self.keys.live($0)) && !snapshot.has(self.keys.heir($0))
          } ?? true
        if owner.epoch == job.formerOwner, isFree {
          (owner.epoch, owner.term) = (epoch, owner.term + 1)
          change.operations.append(.put(self.keys.owner(job.job), owner))
        }
        if owner.epoch == epoch { owned.append(job.job) }
      }
      (change.value, change.changesView) = (owned, true)
      return change
    }.value
  }

  /// Returns the states of jobs, for their new owner.
  private func acquiredJobs(_ names: [String]) throws(StoreFailure) -> [AcquiredJob] {
    var jobs: [AcquiredJob] = []
    let holders = try holders()
    for part in names.parts(of: EtcdTransaction.partLength(4)) {
      let opens = part.map { EtcdRange.all(keys.opens(of: $0), limit: StoreWireLimits.entriesMax) }
      let others = part.flatMap { [keys.owner($0), keys.choice($0), keys.state($0)] }
      let snapshot = try read(opens + others.map(EtcdRange.one))
      for (name, range) in zip(part, opens) {
        let state: EtcdJobState = try snapshot.value(keys.state(name)) ?? EtcdJobState()
        let choice: EtcdChoice? = try snapshot.value(keys.choice(name))
        let owner: EtcdOwner? = try snapshot.value(keys.owner(name))
        var job = AcquiredJob(
          job: name, term: owner?.term ?? 0, watermark: state.watermark, cursor: state.cursor,
          isFailing: state.isFailing, incidents: state.incidents, pausedSince: choice?.pausedSince)
        for item in snapshot[range].reversed() {
          job.claims += [try openClaim(item, holders)].compactMap(\.self)
        }
        jobs.append(job)
      }
    }
    // After the claims, so that an outcome that is stored meanwhile is not missed.
    let settled = try takeOutcomes(&jobs)
    if settled.isEmpty { return jobs }
    try delete(settled)
    // Earlier claims may have been beyond the limit.
    return try acquiredJobs(names)
  }

  /// Completes jobs by their outcomes. Returns the claims of entries with an outcome, by key, with their tokens. A late outcome of a former holder
  /// has not settled the claim of the present one, which may be running the entry, until the job is acquired again.
  private func takeOutcomes(_ jobs: inout [AcquiredJob]) throws(StoreFailure) -> [String: Int64] {
    var rest = jobs.indices.compactMap { index in outcomes(of: jobs[index]).map { (index, $0) } }
    var records: [Int: [StoredRecord]] = [:]
    while !rest.isEmpty {
      var next: [(Int, EtcdRange)] = []
      for part in rest.parts(of: EtcdTransaction.partLength(1)) {
        let snapshot = try read(part.map(\.1))
        for (index, range) in part {
          let found = snapshot[range]
          for item in found { records[index, default: []].append(try item.decoded()) }
          if found.count == range.limit, let last = found.last {
            next.append((index, range.after(last.key)))
          }
        }
      }
      rest = next
    }
    var settled: [String: Int64] = [:]
    for (index, records) in records {
      for claim in jobs[index].take(records) {
        settled[keys.open(jobs[index].job, claim.nominal)] = claim.token
      }
    }
    return settled
  }

  /// The records of a job later than its watermark, or that may be of one of its claims; `nil` for none.
  private func outcomes(of job: AcquiredJob) -> EtcdRange? {
    let first = job.claims.map(\.nominal).min().map { $0 - 1 }
    // Keys descend as instants ascend.
    return [job.watermark, first].compactMap(\.self).min().map { instant in
      let end = keys.records(of: job.job, instant)
      return .all(keys.records(of: job.job), before: end, limit: StoreWireLimits.entriesMax)
    }
  }

  /// Deletes the claims with these keys that still have these tokens.
  private func delete(_ claims: [String: Int64]) throws(StoreFailure) {
    for part in claims.sorted(by: { $0.key < $1.key }).parts(of: Self.part) {
      _ = try decide(part.map { .one($0.key) }) { (snapshot) throws(StoreFailure) in
        var change = EtcdChange(value: ())
        for (key, token) in part {
          guard let found = snapshot[key] else { continue }
          let claim: EtcdClaim = try found.decoded()
          if claim.token(writtenAt: found.revision) == token { change.operations.append(.delete(key)) }
        }
        return change
      }
    }
  }

  private func openClaim(_ item: EtcdKeyValue, _ holders: [String: EtcdMember]) throws(StoreFailure)
    -> OpenClaim?
  {
    guard let entry = EtcdKeys.entry(ofOpen: item.key) else { return nil }
    let claim: EtcdClaim = try item.decoded()
    return OpenClaim(
      nominal: entry.nominal, entryCount: claim.entryCount, node: holders[claim.epoch]?.node ?? "",
      epoch: claim.epoch, token: claim.token(writtenAt: item.revision),
      leaseUntil: holders[claim.epoch]?.leaseUntil ?? claim.claimedAt)
  }

  /// Returns the members of all epochs that can hold claims, by epoch.
  func holders() throws(StoreFailure) -> [String: EtcdMember] {
    let snapshot = try read([.all(keys.members), .all(keys.pasts)])
    var holders: [String: EtcdMember] = [:]
    for item in snapshot[.all(keys.pasts)] + snapshot[.all(keys.members)] {
      holders[item.name] = try item.decoded()
    }
    return holders
  }

  /// Performs ``StoreCall/release(_:)``.
  func release(_ call: ReleaseCall) throws(StoreFailure) {
    for part in call.jobs.parts(of: Self.part) {
      _ = try decide(part.map { .one(self.keys.owner($0.job)) }) { (snapshot) throws(StoreFailure) in
        var change = EtcdChange(changesView: true, value: ())
        for job in part {
          guard var owner: EtcdOwner = try snapshot.value(self.keys.owner(job.job)),
            owner.epoch == epoch,
            owner.term == job.term
          else { continue }
          owner.epoch = nil
          change.operations.append(.put(self.keys.owner(job.job), owner))
        }
        return change
      }
    }
  }

  /// Performs ``StoreCall/activate(_:)``.
  func activate(_ call: ActivateCall) throws(StoreFailure) {
    for part in call.digests.sorted(by: { $0.key < $1.key }).parts(of: Self.acquiredPart) {
      try choose(part.map(\.key)) { choice, job in choice.activeDigest = call.digests[job] }
    }
  }

  /// Performs ``StoreCall/pause(_:)``.
  func pause(_ call: PauseCall) throws(StoreFailure) {
    try choose([call.job]) { choice, _ in choice.pausedSince = call.since }
  }

  private func choose(_ jobs: [String], _ body: (inout EtcdChoice, String) -> Void) throws(StoreFailure) {
    _ = try decide(jobs.flatMap { [.one(keys.owner($0)), .one(keys.choice($0))] }) {
      (snapshot) throws(StoreFailure) in
      var change = EtcdChange(changesView: true, value: ())
      for job in jobs {
        let present: EtcdChoice = try snapshot.value(self.keys.choice(job)) ?? EtcdChoice()
        var choice = present
        body(&choice, job)
        if choice != present { change.operations.append(.put(self.keys.choice(job), choice)) }
        if !snapshot.has(self.keys.owner(job)) {
          change.operations.append(.put(self.keys.owner(job), EtcdOwner()))
        }
      }
      return change
    }
  }
}
