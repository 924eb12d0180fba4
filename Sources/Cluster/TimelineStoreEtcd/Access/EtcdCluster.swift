internal import FoundationEssentials
package import TimelineStoreWire

/// The keys of a cluster during one call.
///
/// Each decision is made from a snapshot. It is written only if the keys on which it depends are unchanged. Otherwise the
/// decision is made again. If etcd performs a transaction late, after its answer was lost, the transaction has its intended
/// effect or none.
package final class EtcdCluster {
  /// Maximum number of repetitions of a decision. Each repetition means that another call has made progress.
  private static let collisionsMax = 64

  let keys: EtcdKeys
  let transport: any EtcdTransport
  /// Name of the cluster.
  let name: String
  /// Epoch of the caller; empty if the caller is no node, which makes no call that needs one.
  let epoch: String
  /// Whether a part of the call has been written.
  private(set) var hasWritten = false

  /// Makes the keys for a call of `caller`.
  package init(_ caller: StoreCaller, _ transport: any EtcdTransport) {
    (name, epoch) = (caller.cluster, caller.epoch ?? "")
    (keys, self.transport) = (EtcdKeys(cluster: name), transport)
  }

  /// Reads ranges at one revision.
  func read(_ ranges: [EtcdRange]) throws(StoreFailure) -> EtcdSnapshot {
    let (reply, found) = try readWithMeta(ranges)
    guard let found else {
      throw StoreFailure(
        .uninitialized, "etcd: there is no cluster \"\(name.printableLine)\": run `timelinectl cluster init`")
    }
    let meta: EtcdMeta = try found.decoded()
    guard meta.version <= EtcdMeta.present else { throw Self.newer(meta) }
    guard meta.version == EtcdMeta.present else {
      throw StoreFailure(
        .uninitialized, "etcd: the keys are older than this program: run `timelinectl cluster init`")
    }
    guard meta.system == reply.header.cluster_id else {
      throw StoreFailure(
        .uninitialized,
        "etcd: the keys were restored in another cluster of etcd: run `timelinectl cluster init`, so that tokens ascend"
      )
    }
    let read = reply.responses?.dropFirst().map { $0.response_range?.kvs ?? [] } ?? []
    return EtcdSnapshot(
      meta, writtenAt: found.revision, revision: reply.header.number,
      Dictionary(zip(ranges, read), uniquingKeysWith: { first, _ in first }))
  }

  private static func newer(_ meta: EtcdMeta) -> StoreFailure {
    StoreFailure(
      .newer,
      "etcd: the keys have version \(meta.version), this program knows \(EtcdMeta.present): update this program"
    )
  }

  private func readWithMeta(_ ranges: [EtcdRange]) throws(StoreFailure) -> (
    EtcdTransactionReply, EtcdKeyValue?
  ) {
    let reply = try transact(
      EtcdTransaction(success: ([.one(keys.meta)] + ranges).map(EtcdTransaction.Operation.read)),
      isWrite: false
    )
    return (reply, reply.responses?.first?.response_range?.kvs?.first)
  }

  /// Reads the ranges, calls `decision`, and writes the change. Returns the decision, the snapshot, and the revision of the
  /// write. If nothing was written, returns the revision of the snapshot.
  ///
  /// - Parameter unguarded: Further ranges to be read. The change is written even if these ranges have changed.
  func decide<Value>(
    _ ranges: [EtcdRange], unguarded: [EtcdRange] = [],
    _ decision: (EtcdSnapshot) throws(StoreFailure) -> EtcdChange<Value>
  ) throws(StoreFailure) -> (value: Value, snapshot: EtcdSnapshot, revision: Int64) {
    for _ in 0...Self.collisionsMax {
      let snapshot = try read(ranges + unguarded)
      let change = try decision(snapshot)
      if change.operations.isEmpty { return (change.value, snapshot, snapshot.revision) }
      let view = change.changesView ? [EtcdTransaction.Operation.put(keys.version)] : []
      let guards =
        [.isAt(keys.meta, snapshot.metaRevision)] + ranges.map(snapshot.isUnchanged) + change.comparisons
      let reply = try transact(
        EtcdTransaction(compare: guards, success: change.operations + view), isWrite: true)
      if reply.succeeded ?? false {
        hasWritten = true
        return (change.value, snapshot, reply.header.number)
      }
    }
    throw contention
  }

  private var contention: StoreFailure {
    StoreFailure(
      .unavailable,
      "etcd: keys of cluster \"\(name.printableLine)\" change all the time: find what else writes them")
  }

  private func transact(_ transaction: EtcdTransaction, isWrite: Bool) throws(StoreFailure)
    -> EtcdTransactionReply
  {
    try post("/v3/kv/txn", transaction, isWrite: isWrite)
  }

  /// Posts a request. Returns the decoded reply.
  func post<Reply: Decodable>(_ path: String, _ request: some Encodable, isWrite: Bool) throws(StoreFailure)
    -> Reply
  {
    let body = try transport.post(path, Array(StoreJSON.encoded(request).utf8), isWrite: isWrite)
    do { return try JSONDecoder().decode(Reply.self, from: Data(body)) } catch {
      throw StoreFailure(
        isWrite ? .undecided : .refused,
        "etcd: \(path): its reply is not understood: name endpoints of etcd: \(error)")
    }
  }

  /// Requests a lease, which begins now by the clock of etcd. Returns the number of the lease.
  ///
  /// Each renewal requests a new lease: a former leader that has not yet detected its successor may confirm a keep-alive, but
  /// cannot grant a lease.
  func grantLease(milliseconds: Int64) throws(StoreFailure) -> String {
    let reply: EtcdLeaseReply = try post(
      "/v3/lease/grant", ["TTL": String((milliseconds + 999) / 1000)], isWrite: false)
    return reply.ID
  }

  /// Creates the keys of the cluster, or adapts keys that were restored in another etcd cluster.
  func initialize() throws(StoreFailure) {
    for _ in 0...Self.collisionsMax {
      let (reply, found) = try readWithMeta([])
      let present: EtcdMeta? = try found?.decoded()
      let system = reply.header.cluster_id ?? ""
      var meta = present ?? EtcdMeta(version: EtcdMeta.present, system: system, era: 1)
      guard meta.version <= EtcdMeta.present else { throw Self.newer(meta) }
      if meta.system != system { (meta.system, meta.era) = (system, meta.era + 1) }
      if meta == present { return }
      let written = try transact(
        EtcdTransaction(compare: [.isAt(keys.meta, found?.revision ?? 0)], success: [.put(keys.meta, meta)]),
        isWrite: true)
      if written.succeeded ?? false { return }
    }
    throw contention
  }
}
