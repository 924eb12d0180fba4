internal import FoundationEssentials
internal import TimelineStoreWire

/// Keys as they were at one revision.
struct EtcdSnapshot: Sendable {
  let meta: EtcdMeta
  /// Revision of the last write of the meta key.
  let metaRevision: Int64
  let revision: Int64
  private let ranges: [EtcdRange: [EtcdKeyValue]]

  init(
    _ meta: EtcdMeta, writtenAt metaRevision: Int64, revision: Int64, _ ranges: [EtcdRange: [EtcdKeyValue]]
  ) {
    (self.meta, self.metaRevision) = (meta, metaRevision)
    (self.revision, self.ranges) = (revision, ranges)
  }

  /// The keys of a range that was read, in order.
  subscript(range: EtcdRange) -> [EtcdKeyValue] { ranges[range] ?? [] }

  /// A key that was read as a single key; `nil` if it does not exist.
  subscript(key: String) -> EtcdKeyValue? { self[.one(key)].first }

  /// Whether a key that was read as a single key exists.
  func has(_ key: String) -> Bool { self[key] != nil }

  /// The value of a key that was read as a single key; `nil` if it does not exist.
  func value<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws(StoreFailure) -> Value?
  {
    try self[key]?.decoded()
  }

  /// Returns the comparison that holds as long as the range is unchanged since the snapshot.
  func isUnchanged(_ range: EtcdRange) -> EtcdTransaction.Comparison {
    range.end == nil
      ? .isAt(range.key, self[range].first?.revision ?? 0) : .isUnchanged(range, since: revision)
  }
}

extension EtcdKeyValue {
  /// Reads the value.
  func decoded<Value: Decodable>() throws(StoreFailure) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(value.utf8)) } catch {
      throw StoreFailure(
        .refused,
        "etcd: the key \(key.printableLine) has a value that is not understood: report this error: \(error)")
    }
  }

  /// The last part of the key.
  var name: String { EtcdKeys.name(key) }
}

/// A change that was decided from a snapshot.
struct EtcdChange<Value> {
  /// Writes; empty for no change.
  var operations: [EtcdTransaction.Operation] = []
  /// Whether the operations change the view: an owner, a digest, an active definition or a pause.
  var changesView = false
  /// Further comparisons on which the decision depends.
  var comparisons: [EtcdTransaction.Comparison] = []
  /// Result of the decision.
  var value: Value
}
