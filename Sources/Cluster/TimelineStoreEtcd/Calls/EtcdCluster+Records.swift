internal import TimelineCore
internal import TimelineStoreWire

extension EtcdCluster {
  /// Records per transaction. Each record needs two comparisons and three operations.
  private static let recordedPart = EtcdTransaction.partLength(4)

  /// Performs ``StoreCall/record(_:)``. The transaction of a record depends on the records and the claim of its entry. The
  /// later of two conflicting records therefore finds the earlier one.
  func record(_ call: RecordCall) throws(StoreFailure) -> ConflictReply {
    var conflicts: [ConflictReply.Conflict] = []
    var progress = call.progress
    for part in call.records.map(\.withShortReason).parts(of: Self.recordedPart) {
      // The progress of a job is stored with the last of its records.
      let later = Set(call.records.dropFirst(part.endIndex).map(\.key.job.text))
      let own = Set(part.map(\.key.job.text)).subtracting(later)
      conflicts += try record(part, progress.filter { own.contains($0.job) })
      progress.removeAll { own.contains($0.job) }
    }
    for part in progress.parts(of: Self.recordedPart) { _ = try record([], Array(part)) }
    for part in (call.incidents ?? []).parts(of: Self.recordedPart) { try keep(part) }
    try settleClaims(within: call.records)
    return ConflictReply(conflicts: try named(conflicts))
  }

  /// Settles the claims within each record of several entries, if the epoch of the record holds the claim.
  private func settleClaims(within records: [StoredRecord]) throws(StoreFailure) {
    for record in records where record.firstNominal < record.key.nanoseconds {
      // Keys descend as instants ascend.
      let range = EtcdRange.all(
        keys.opens(of: record.key.job.text), from: keys.open(record.key),
        before: keys.open(record.key.job.text, record.firstNominal) + "\0")
      for part in try read([range])[range].parts(of: Self.part) {
        _ = try decide(part.map { .one($0.key) }) { (snapshot) throws(StoreFailure) in
          var change = EtcdChange(value: ())
          for found in part.compactMap({ snapshot[$0.key] }) {
            let claim: EtcdClaim = try found.decoded()
            if claim.epoch == record.epoch { change.operations.append(.delete(found.key)) }
          }
          return change
        }
      }
    }
  }

  private func record(_ records: ArraySlice<StoredRecord>, _ progress: [RecordCall.Progress])
    throws(StoreFailure)
    -> [ConflictReply.Conflict]
  {
    let ranges = records.flatMap { record -> [EtcdRange] in
      [.all(keys.records(of: record.key)), .one(keys.open(record.key))]
    }
    let states = progress.map { EtcdRange.one(keys.state($0.job)) }
    return try decide(Array(Set(ranges + states))) { (snapshot) throws(StoreFailure) in
      var change = EtcdChange(value: [ConflictReply.Conflict]())
      var written: Set<String> = []
      for record in records {
        let entry = try self.entry(record.key, snapshot)
        let key = self.keys.record(record.key, record.epoch)
        if !entry.records.contains(where: { $0.epoch == record.epoch }), written.insert(key).inserted {
          change.operations += [
            .put(key, record), .put(self.keys.time(record.key, record.epoch)),
          ]
        }
        if let claim = entry.claim, claim.epoch == record.epoch || claim.token == record.token,
          written.insert(claim.key).inserted
        {
          change.operations.append(.delete(claim.key))
        }
        change.value += [entry.conflict(with: record)].compactMap(\.self)
      }
      change.operations += try self.progressing(progress, snapshot)
      return change
    }.value
  }

  private func progressing(_ progress: [RecordCall.Progress], _ snapshot: EtcdSnapshot) throws(StoreFailure)
    -> [EtcdTransaction.Operation]
  {
    var states: [String: EtcdJobState] = [:]
    for one in progress {
      let stored: EtcdJobState? = try snapshot.value(keys.state(one.job))
      var state = states[one.job] ?? stored ?? EtcdJobState()
      state.take(one)
      states[one.job] = state
    }
    return states.map { .put(keys.state($0.key), $0.value) }
  }

  /// Stores incidents; ignores incidents of a former term of their job.
  private func keep(_ told: ArraySlice<StoredIncidents>) throws(StoreFailure) {
    _ = try decide(told.flatMap { [.one(self.keys.owner($0.job)), .one(self.keys.state($0.job))] }) {
      (snapshot) throws(StoreFailure) in
      var change = EtcdChange(value: ())
      for one in told {
        let owner: EtcdOwner? = try snapshot.value(self.keys.owner(one.job))
        guard owner?.term == one.term else { continue }
        var state: EtcdJobState = try snapshot.value(self.keys.state(one.job)) ?? EtcdJobState()
        state.incidents = one.incidents
        change.operations.append(.put(self.keys.state(one.job), state))
      }
      return change
    }
  }

  private func entry(_ key: EntryKey, _ snapshot: EtcdSnapshot) throws(StoreFailure) -> RecordedEntry {
    var entry = RecordedEntry(key: key)
    for item in snapshot[.all(keys.records(of: key))] {
      entry.records.append(try item.decoded())
    }
    if let found = snapshot[keys.open(key)] {
      let claim: EtcdClaim = try found.decoded()
      entry.claim = (found.key, claim.epoch, claim.token(writtenAt: found.revision))
    }
    return entry
  }

  /// Returns the conflicts, one for each entry, in order of the entries, with the names of the nodes.
  private func named(_ conflicts: [ConflictReply.Conflict]) throws(StoreFailure) -> [ConflictReply.Conflict] {
    if conflicts.isEmpty { return [] }
    let holders = try holders()
    return conflicts.map { conflict in
      var conflict = conflict
      if conflict.node.isEmpty { conflict.node = holders[conflict.epoch]?.node ?? "" }
      return conflict
    }.sorted { $0.key < $1.key }
  }

  /// Performs ``StoreCall/publish(_:)``.
  func publish(_ call: ClaimCall<PublishedClaim>) throws(StoreFailure) -> ConflictReply {
    var conflicts: [ConflictReply.Conflict] = []
    for part in call.claims.parts(of: EtcdTransaction.partLength(2)) {
      let ranges = part.flatMap { claim -> [EtcdRange] in
        [.all(keys.records(of: claim.key)), .one(keys.open(claim.key))]
      }
      conflicts += try decide(Array(Set(ranges))) { (snapshot) throws(StoreFailure) in
        var change = EtcdChange(value: [ConflictReply.Conflict]())
        var written: Set<String> = []
        for claim in part {
          let entry = try self.entry(claim.key, snapshot)
          let key = self.keys.open(claim.key)
          let isFree = entry.claim == nil && !entry.records.contains { $0.epoch == self.epoch }
          if isFree, written.insert(key).inserted {
            let value = EtcdClaim(
              epoch: self.epoch, entryCount: claim.entryCount, claimedAt: self.transport.now,
              token: claim.token)
            change.operations.append(.put(key, value))
          }
          change.value += [entry.conflict(with: self.epoch, claim.token)].compactMap(\.self)
        }
        return change
      }.value
    }
    return ConflictReply(conflicts: try named(conflicts))
  }
}

/// An entry that a node records or publishes, with its records and its claim in the store.
private struct RecordedEntry {
  let key: EntryKey
  var records: [StoredRecord] = []
  var claim: (key: String, epoch: String, token: Int64)?

  /// Returns the conflict of an outcome with the stored records and claim; `nil` for none. An outcome never conflicts if its
  /// node took the entry over without running it, and the result is unknown.
  func conflict(with record: StoredRecord) -> ConflictReply.Conflict? {
    record.isIgnorance ? nil : conflict(with: record.epoch, record.token)
  }

  /// Returns the record or claim of another epoch that conflicts with a claim or an outcome of `epoch`; `nil` for none.
  func conflict(with epoch: String, _ token: Int64?) -> ConflictReply.Conflict? {
    var others = records.filter {
      $0.epoch != epoch && !$0.isIgnorance && !($0.token != nil && $0.token == token)
    }
    .map { (node: $0.node, epoch: $0.epoch) }
    if let claim, claim.epoch != epoch, claim.token != token,
      !records.contains(where: { $0.epoch == claim.epoch && $0.isIgnorance })
    {
      others.append((node: "", epoch: claim.epoch))
    }
    return others.min { $0.epoch < $1.epoch }.map {
      ConflictReply.Conflict(key, node: $0.node, epoch: $0.epoch)
    }
  }
}

extension StoredRecord {
  /// Whether the node took the entry over without running it, and the result is unknown.
  fileprivate var isIgnorance: Bool { outcome == "unknown" && startedAt == nil }
}
