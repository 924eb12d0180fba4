internal import TimelineCore
internal import TimelineStoreWire

extension EtcdCluster {
  /// Entries per transaction. Each entry needs comparisons of its job, its claim and its records.
  private static let claimedPart = EtcdTransaction.partLength(3)

  /// Performs ``StoreCall/claim(_:)``. Tokens ascend with the keys: by ``EtcdClaim/place`` within a transaction, by the
  /// revision between transactions.
  func claim(_ call: ClaimCall<WantedClaim>) throws(StoreFailure) -> ClaimReply {
    try answer(call) { wanted, present, hasOutcome, place, meta in
      guard present == nil, !hasOutcome else { return nil }
      return EtcdClaim(
        epoch: self.epoch, entryCount: wanted.entryCount, claimedAt: self.transport.now, place: place,
        era: meta.era)
    }
  }

  /// Performs ``StoreCall/take(_:)``.
  func take(_ call: ClaimCall<TakenClaim>) throws(StoreFailure) -> ClaimReply {
    try answer(call) { asked, present, _, place, meta in
      guard var claim = present, claim.epoch == asked.formerEpoch, claim.epoch != self.epoch else {
        return nil
      }
      (claim.epoch, claim.claimedAt) = (self.epoch, self.transport.now)
      (claim.place, claim.era, claim.token) = (place, meta.era, nil)
      return claim
    }
  }

  /// Function that returns the claim to be written for a requested entry; `nil` keeps the present claim. The arguments are the
  /// request, the present claim, whether the entry has an outcome, the place of the new claim, and the meta key.
  private typealias Grant<Asked> = (Asked, EtcdClaim?, Bool, Int, EtcdMeta) -> EtcdClaim?

  private func answer<Asked: ClaimParameter>(
    _ call: ClaimCall<Asked>, _ grant: Grant<Asked>
  ) throws(StoreFailure) -> ClaimReply {
    var reply = ClaimReply(isLost: false, answers: [])
    var foreign: Set<String> = []
    for part in call.claims.isEmpty ? [[]] : call.claims.parts(of: Self.claimedPart) {
      let found = try answer(part, grant)
      foreign.formUnion(found.foreignJobs)
      reply.isLost = reply.isLost || found.isLost
      reply.answers += found.answers
    }
    reply.foreignJobs = foreign.sorted()
    if reply.isLost { reply.answers = [] }
    return try named(reply)
  }

  private func answer<Asked: ClaimParameter>(
    _ asked: ArraySlice<Asked>, _ grant: Grant<Asked>
  ) throws(StoreFailure) -> ClaimReply {
    let entries = asked.map(\.key)
    let own = EtcdRange.one(keys.live(epoch))
    let jobs = Set(entries.map(\.job)).map { EtcdRange.one(keys.owner($0.text)) }
    let ranges = entries.flatMap { entry -> [EtcdRange] in
      [.one(keys.open(entry)), .all(keys.records(of: entry), limit: 1)]
    }
    let (decided, snapshot, revision) = try decide([own] + jobs + ranges) {
      (snapshot) throws(StoreFailure) -> EtcdChange<Decided> in
      var change = EtcdChange(value: Decided())
      guard snapshot.has(own.key) else {
        change.value.isLost = true
        change.value.owned = try self.owned(entries, snapshot)
        return change
      }
      change.value.owned = try self.owned(entries, snapshot)
      for one in asked where change.value.owned.contains(one.key.job) {
        let key = self.keys.open(one.key)
        let outcomes = snapshot[.all(self.keys.records(of: one.key), limit: 1)]
        guard change.value.written[key] == nil,
          let claim = grant(
            one, try snapshot.value(key), !outcomes.isEmpty, change.operations.count, snapshot.meta)
        else { continue }
        change.value.written[key] = claim
        change.operations.append(.put(key, claim))
      }
      return change
    }
    let foreign = Set(entries.map(\.job)).subtracting(decided.owned).map(\.text).sorted()
    if decided.isLost { return ClaimReply(isLost: true, foreignJobs: foreign, answers: []) }
    var reply = ClaimReply(isLost: false, foreignJobs: foreign, answers: [])
    for entry in entries { reply.answers.append(try answer(entry, decided, snapshot, revision)) }
    return reply
  }

  /// Decision about entries.
  private struct Decided {
    var isLost = false
    var owned: Set<JobName> = []
    /// Written claims, by etcd key.
    var written: [String: EtcdClaim] = [:]
  }

  /// Returns the jobs of entries that the caller owns.
  private func owned(_ entries: [EntryKey], _ snapshot: EtcdSnapshot) throws(StoreFailure) -> Set<JobName> {
    var owned: Set<JobName> = []
    for job in Set(entries.map(\.job)) {
      let owner: EtcdOwner? = try snapshot.value(keys.owner(job.text))
      if owner?.epoch == epoch { owned.insert(job) }
    }
    return owned
  }

  private func answer(
    _ entry: EntryKey, _ decided: Decided, _ snapshot: EtcdSnapshot, _ revision: Int64
  ) throws(StoreFailure) -> ClaimReply.Answer {
    let key = keys.open(entry)
    var answer = ClaimReply.Answer(entry, isGranted: false)
    if let claim = decided.written[key] {
      (answer.epoch, answer.token) = (claim.epoch, claim.token(writtenAt: revision))
    } else if let found = snapshot[key] {
      let claim: EtcdClaim = try found.decoded()
      (answer.epoch, answer.token) = (claim.epoch, claim.token(writtenAt: found.revision))
    }
    if let outcome = snapshot[.all(keys.records(of: entry), limit: 1)].first {
      let record: StoredRecord = try outcome.decoded()
      answer.hasOutcome = true
      (answer.epoch, answer.token) = (answer.epoch ?? record.epoch, answer.token ?? record.token)
    }
    answer.isGranted = decided.owned.contains(entry.job) && answer.epoch == epoch && !answer.hasOutcome
    return answer
  }

  /// Returns the reply with the names of the other nodes.
  private func named(_ reply: ClaimReply) throws(StoreFailure) -> ClaimReply {
    guard reply.answers.contains(where: { $0.epoch != nil && $0.epoch != epoch }) else { return reply }
    var reply = reply
    let holders = try holders()
    for index in reply.answers.indices where reply.answers[index].epoch != epoch {
      reply.answers[index].node = reply.answers[index].epoch.flatMap { holders[$0]?.node }
    }
    return reply
  }

  /// Performs ``StoreCall/withdraw(_:)``.
  func withdraw(_ call: ClaimCall<WithdrawnClaim>) throws(StoreFailure) {
    for part in call.claims.parts(of: EtcdTransaction.partLength(2)) {
      let jobs = Set(part.map(\.key.job)).map { EtcdRange.one(keys.owner($0.text)) }
      let claims = Set(part.map { EtcdRange.one(keys.open($0.key)) })
      _ = try decide(jobs + claims) { (snapshot) throws(StoreFailure) in
        var (change, withdrawn): (EtcdChange<Void>, Set<String>) = (EtcdChange(value: ()), [])
        for claim in part {
          let key = self.keys.open(claim.key)
          let owner: EtcdOwner? = try snapshot.value(self.keys.owner(claim.key.job.text))
          let held: EtcdClaim? = try snapshot.value(key)
          if held?.epoch == self.epoch, owner?.term == claim.term, withdrawn.insert(key).inserted {
            change.operations.append(.delete(key))
          }
        }
        return change
      }
    }
  }
}
