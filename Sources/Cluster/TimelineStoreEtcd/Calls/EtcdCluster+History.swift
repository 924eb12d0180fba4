internal import TimelineCore
internal import TimelineStoreWire

extension EtcdCluster {
  /// Records per page.
  private static let page = 100
  /// Maximum number of pages that are read if a filter matches few records: some tenths of a second.
  private static let pagesMax = 50
  /// Maximum number of open claims that are searched: enough for several thousand jobs.
  private static let opensMax = 10_000

  /// Performs ``StoreCall/history(_:)``.
  func history(_ call: HistoryCall) throws(StoreFailure) -> StoreHistoryReply {
    StoreHistoryReply(records: try records(call), claims: try claims(call))
  }

  private func records(_ call: HistoryCall) throws(StoreFailure) -> [StoredRecord] {
    let prefix = call.job.map(keys.records(of:)) ?? keys.times
    // Keys descend with time. In the order of the keys, the first is the instant before `until`, and the last is `since`.
    let from = call.until.map { prefix + EtcdKeys.digits($0 &- 1) }
    let end = call.since.map { prefix + EtcdKeys.digits($0) + "0" }
    if call.limit == 0 || call.until == .min { return [] }
    var (found, last): ([StoredRecord], String?) = ([], nil)
    for _ in 0..<Self.pagesMax {
      let range = EtcdRange.all(
        prefix, after: last, from: from, before: end, limit: Self.page, isKeysOnly: call.job == nil)
      let items = try read([range])[range]
      for record in try call.job == nil ? records(ofTimes: items) : decoded(items)
      where call.outcomes?.contains(record.outcome) ?? true {
        found.append(record)
        if found.count == call.limit { return found }
      }
      last = items.last?.key
      if items.count < Self.page { break }
    }
    return found
  }

  private func decoded(_ items: [EtcdKeyValue]) throws(StoreFailure) -> [StoredRecord] {
    var records: [StoredRecord] = []
    for item in items { records.append(try item.decoded()) }
    return records
  }

  private func records(ofTimes items: [EtcdKeyValue]) throws(StoreFailure) -> [StoredRecord] {
    let found = items.compactMap { keys.record(ofTime: $0.key) }
    if found.isEmpty { return [] }
    let snapshot = try read(found.map(EtcdRange.one))
    return try decoded(found.compactMap { snapshot[$0] })
  }

  private func claims(_ call: HistoryCall) throws(StoreFailure) -> [ClaimedEntry] {
    let range = EtcdRange.all(call.job.map(keys.opens(of:)) ?? keys.opens, limit: Self.opensMax)
    let holders = try holders()
    var claims: [ClaimedEntry] = []
    for item in try read([range])[range] {
      guard let entry = EtcdKeys.entry(ofOpen: item.key), let job = JobName(entry.job) else { continue }
      if let since = call.since, entry.nominal < since { continue }
      if let until = call.until, entry.nominal >= until { continue }
      let claim: EtcdClaim = try item.decoded()
      let holder = holders[claim.epoch]
      claims.append(
        ClaimedEntry(
          key: EntryKey(job: job, nanoseconds: entry.nominal), node: holder?.node ?? "", epoch: claim.epoch,
          token: claim.token(writtenAt: item.revision), claimedAt: claim.claimedAt,
          leaseUntil: holder?.leaseUntil ?? claim.claimedAt))
    }
    claims.sort { ($1.key.nominal, $0.key.job) < ($0.key.nominal, $1.key.job) }
    return Array(claims.prefix(call.limit))
  }
}
