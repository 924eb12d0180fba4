internal import TimelineStoreWire

extension EtcdCluster {
  /// Entries per transaction. Each entry needs comparisons of its job, its claim and its records.
  private static let claimedPart = EtcdTransaction.partLength(3)

  /// Performs ``StoreCall/claim(_:)``. Tokens ascend with the keys: by ``EtcdClaim/place`` within a transaction, by the
  /// revision between transactions.
  func claim(_ call: ClaimCall) throws(StoreFailure) -> ClaimReply {
    try answer(call.entries, \.key, for: call.epoch) { entry, present, hasOutcome, place, meta in
      guard present == nil, !hasOutcome else { return nil }
      return EtcdClaim(
        epoch: call.epoch, entryCount: entry.entryCount, claimedAt: self.transport.now, place: place,
        era: meta.era)
    }
  }

  /// Performs ``StoreCall/take(_:)``.
  func take(_ call: TakeCall) throws(StoreFailure) -> ClaimReply {
    try answer(call.claims, \.key, for: call.epoch) { asked, present, _, place, meta in
      guard var claim = present, claim.epoch == asked.formerEpoch, claim.epoch != call.epoch else {
        return nil
      }
      (claim.epoch, claim.claimedAt) = (call.epoch, self.transport.now)
      (claim.place, claim.era, claim.token) = (place, meta.era, nil)
      return claim
    }
  }

  /// Function that returns the claim to be written for a requested entry; `nil` keeps the present claim. The arguments are the
  /// request, the present claim, whether the entry has an outcome, the place of the new claim, and the meta key.
  private typealias Grant<Asked> = (Asked, EtcdClaim?, Bool, Int, EtcdMeta) -> EtcdClaim?

  private func answer<Asked>(
    _ asked: [Asked], _ key: (Asked) -> StoredKey, for epoch: String, _ grant: Grant<Asked>
  ) throws(StoreFailure) -> ClaimReply {
    var reply = ClaimReply(isLost: false, answers: [])
    var foreign: Set<String> = []
    for part in asked.isEmpty ? [[]] : asked.parts(of: Self.claimedPart) {
      let found = try answer(part, part.map(key), epoch, grant)
      foreign.formUnion(found.foreignJobs)
      reply.isLost = reply.isLost || found.isLost
      reply.answers += found.answers
    }
    reply.foreignJobs = foreign.sorted()
    if reply.isLost { reply.answers = [] }
    return try named(reply, except: epoch)
  }

  private func answer<Asked>(
    _ asked: ArraySlice<Asked>, _ entries: [StoredKey], _ epoch: String, _ grant: Grant<Asked>
  ) throws(StoreFailure) -> ClaimReply {
    let own = EtcdRange.one(keys.live(epoch))
    let jobs = Set(entries.map(\.job)).map { EtcdRange.one(keys.owner($0)) }
    let ranges = entries.flatMap { entry -> [EtcdRange] in
      [.one(keys.open(entry.job, entry.nominal)), .all(keys.records(of: entry.job, entry.nominal), limit: 1)]
    }
    let (decided, snapshot, revision) = try decide([own] + jobs + ranges) {
      (snapshot) throws(StoreFailure) -> EtcdChange<Decided> in
      var change = EtcdChange(value: Decided())
      guard snapshot.has(own.key) else {
        change.value.isLost = true
        change.value.owned = try self.owned(entries, by: epoch, snapshot)
        return change
      }
      change.value.owned = try self.owned(entries, by: epoch, snapshot)
      for (one, entry) in zip(asked, entries) where change.value.owned.contains(entry.job) {
        let key = self.keys.open(entry.job, entry.nominal)
        let outcomes = snapshot[.all(self.keys.records(of: entry.job, entry.nominal), limit: 1)]
        guard change.value.written[key] == nil,
          let claim = grant(
            one, try snapshot.value(key), !outcomes.isEmpty, change.operations.count, snapshot.meta)
        else { continue }
        change.value.written[key] = claim
        change.operations.append(.put(key, claim))
      }
      return change
    }
    let foreign = Set(entries.map(\.job)).subtracting(decided.owned).sorted()
    if decided.isLost { return ClaimReply(isLost: true, foreignJobs: foreign, answers: []) }
    var reply = ClaimReply(isLost: false, foreignJobs: foreign, answers: [])
    for entry in entries { reply.answers.append(try answer(entry, epoch, decided, snapshot, revision)) }
    return reply
  }

  /// Decision about entries.
  private struct Decided {
    var isLost = false
    var owned: Set<String> = []
    /// Written claims, by etcd key.
    var written: [String: EtcdClaim] = [:]
  }

  private func owned(_ entries: [StoredKey], by epoch: String, _ snapshot: EtcdSnapshot) throws(StoreFailure)
    -> Set<String>
  {
    var owned: Set<String> = []
    for job in Set(entries.map(\.job)) {
      let owner: EtcdOwner? = try snapshot.value(keys.owner(job))
      if owner?.epoch == epoch { owned.insert(job) }
    }
    return owned
  }

  private func answer(
    _ entry: StoredKey, _ epoch: String, _ decided: Decided, _ snapshot: EtcdSnapshot, _ revision: Int64
  ) throws(StoreFailure) -> ClaimReply.Answer {
    let key = keys.open(entry.job, entry.nominal)
    var answer = ClaimReply.Answer(entry, isGranted: false)
    if let claim = decided.written[key] {
      (answer.epoch, answer.token) = (claim.epoch, claim.token(writtenAt: revision))
    } else if let found = snapshot[key] {
      let claim: EtcdClaim = try found.decoded()
      (answer.epoch, answer.token) = (claim.epoch, claim.token(writtenAt: found.revision))
    }
    if let outcome = snapshot[.all(keys.records(of: entry.job, entry.nominal), limit: 1)].first {
      let record: StoredRecord = try outcome.decoded()
      answer.hasOutcome = true
      (answer.epoch, answer.token) = (answer.epoch ?? record.epoch, answer.token ?? record.token)
    }
    answer.isGranted = decided.owned.contains(entry.job) && answer.epoch == epoch && !answer.hasOutcome
    return answer
  }

  /// Returns the reply with the names of the other nodes.
  private func named(_ reply: ClaimReply, except epoch: String) throws(StoreFailure) -> ClaimReply {
    guard reply.answers.contains(where: { $0.epoch != nil && $0.epoch != epoch }) else { return reply }
    var reply = reply
    let holders = try holders()
    for index in reply.answers.indices where reply.answers[index].epoch != epoch {
      reply.answers[index].node = reply.answers[index].epoch.flatMap { holders[$0]?.node }
    }
    return reply
  }

  /// Performs ``StoreCall/withdraw(_:)``.
  func withdraw(_ call: WithdrawCall) throws(StoreFailure) {
    for part in call.claims.parts(of: EtcdTransaction.partLength(2)) {
      let jobs = Set(part.map(\.key.job)).map { EtcdRange.one(keys.owner($0)) }
      let claims = Set(part.map { EtcdRange.one(keys.open($0.key.job, $0.key.nominal)) })
      _ = try decide(jobs + claims) { (snapshot) throws(StoreFailure) in
        var (change, withdrawn): (EtcdChange<Void>, Set<String>) = (EtcdChange(value: ()), [])
        for claim in part {
          let key = self.keys.open(claim.key.job, claim.key.nominal)
          let owner: EtcdOwner? = try snapshot.value(self.keys.owner(claim.key.job))
          let held: EtcdClaim? = try snapshot.value(key)
          if held?.epoch == call.epoch, owner?.term == claim.term, withdrawn.insert(key).inserted {
            change.operations.append(.delete(key))
          }
        }
        return change
      }
    }
  }
}
