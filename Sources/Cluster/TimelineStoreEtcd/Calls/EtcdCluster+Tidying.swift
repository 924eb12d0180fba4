package import TimelineStoreWire

extension EtcdCluster {
  private static let day: Int64 = 86_400 * 1_000_000_000
  /// Age at which claims, records and past epochs are deleted: 90 days, so that the last quarterly run can be looked up.
  private static let age = 90 * day
  /// Pause between two rounds: one hour.
  private static let pause = day / 24
  /// Keys that are examined after each renewal: some milliseconds of work.
  private static let portion = 60

  /// Deletes a portion of old keys. A failure does no harm. Jobs stay, with their watermarks and cursors.
  package func tidy() throws(StoreFailure) {
    let now = transport.now
    let cutoff = now - Self.age
    let snapshot = try read([.one(keys.tidy)])
    var place: EtcdTidyPlace = try snapshot.value(keys.tidy) ?? EtcdTidyPlace()
    guard place.pausedUntil <= now else { return }
    let range = EtcdRange.all(
      keys.times, after: place.after, from: keys.times + EtcdKeys.digits(cutoff), limit: Self.portion,
      isKeysOnly: true)
    let times = try read([range])[range]
    let records = times.compactMap { item in
      keys.record(ofTime: item.key).map { (time: item.key, record: $0) }
    }
    place.after = times.last?.key
    let isEnd = times.count < Self.portion
    if isEnd { place = EtcdTidyPlace(after: nil, pausedUntil: now + Self.pause) }
    _ = try decide([.one(keys.tidy)], unguarded: records.map { .one($0.record) }) {
      (snapshot) throws(StoreFailure) in
      var change = EtcdChange(operations: [.put(self.keys.tidy, place)], value: ())
      for (time, key) in records {
        let record: StoredRecord? = try snapshot.value(key)
        if record.map({ $0.endedAt < cutoff }) ?? true { change.operations += [.delete(time), .delete(key)] }
      }
      return change
    }
    if isEnd { try forgetClaimsAndEpochs(before: cutoff) }
  }

  private func forgetClaimsAndEpochs(before cutoff: Int64) throws(StoreFailure) {
    let snapshot = try read([.all(keys.opens), .all(keys.pasts), .all(keys.members), .all(keys.lives)])
    var (old, holders): ([EtcdKeyValue], Set<String>) = ([], [])
    for item in snapshot[.all(keys.opens)] {
      let claim: EtcdClaim = try item.decoded()
      if let entry = EtcdKeys.entry(ofOpen: item.key), entry.nominal < cutoff, claim.claimedAt < cutoff {
        old.append(item)
      } else {
        holders.insert(claim.epoch)
      }
    }
    let live = Set(snapshot[.all(keys.lives)].map(\.name))
    for item in snapshot[.all(keys.pasts)] + snapshot[.all(keys.members)] {
      let member: EtcdMember = try item.decoded()
      guard member.leaseUntil < cutoff, !holders.contains(item.name), !live.contains(item.name) else {
        continue
      }
      old.append(item)
    }
    for part in old.parts(of: EtcdTransaction.partLength(3)) {
      _ = try decide(part.map { .one($0.key) }) { (snapshot) throws(StoreFailure) in
        var gone: [String] = []
        for item in part where snapshot[item.key]?.revision == item.revision {
          gone.append(item.key)
          guard item.key.hasPrefix(self.keys.members) else { continue }
          let member: EtcdMember = try item.decoded()
          gone += [self.keys.digest(item.name), self.keys.node(member.node)]
        }
        return EtcdChange(operations: gone.map { .delete($0) }, value: ())
      }
    }
  }
}
