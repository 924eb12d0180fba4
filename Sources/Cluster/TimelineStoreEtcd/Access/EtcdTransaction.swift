internal import FoundationEssentials
internal import TimelineStoreWire

/// Keys to be read: one key, or all keys with a prefix.
struct EtcdRange: Sendable, Hashable {
  var key: String
  /// First key after the range; `nil` for a single key.
  var end: String?
  /// Maximum number of keys to be read; 0 for all.
  var limit = 0
  var isKeysOnly = false

  /// One key.
  static func one(_ key: String) -> EtcdRange { EtcdRange(key: key) }

  /// Keys with a prefix, which ends with a slash.
  ///
  /// - Parameters:
  ///   - after: A key after which the range begins.
  ///   - from: A key at which the range begins.
  ///   - end: A key before which the range ends.
  static func all(
    _ prefix: String, after: String? = nil, from: String? = nil, before end: String? = nil, limit: Int = 0,
    isKeysOnly: Bool = false
  ) -> EtcdRange {
    // "0" is the byte that follows the slash.
    let behind = String(prefix.dropLast()) + "0"
    let first = after.map { $0 + "\0" } ?? from ?? prefix
    return EtcdRange(key: first, end: end ?? behind, limit: limit, isKeysOnly: isKeysOnly)
  }
}

extension EtcdRange {
  /// Returns the part of the range after a key of it.
  func after(_ key: String) -> EtcdRange {
    var range = self
    range.key = key + "\0"
    return range
  }
}

/// One transaction in the format of etcd's JSON gateway: if all comparisons hold, all operations are performed.
struct EtcdTransaction: Encodable, Sendable {
  /// Maximum number of operations, and of comparisons, in one transaction: the default limit of etcd (`--max-txn-ops`).
  static let operationsMax = 128
  /// Returns the number of items per transaction if each item needs `operations` operations or comparisons. Leaves room for 8
  /// operations or comparisons of the transaction itself.
  static func partLength(_ operations: Int) -> Int { (operationsMax - 8) / operations }

  var compare: [Comparison] = []
  var success: [Operation] = []

  /// A condition on the revision at which a key was last written; 0 for a key that does not exist.
  struct Comparison: Encodable, Sendable {
    private let key: Data
    private let range_end: Data?
    private let target = "MOD"
    private let result: String
    private let mod_revision: String

    /// The key was last written at the revision.
    static func isAt(_ key: String, _ revision: Int64) -> Comparison {
      Comparison(key, nil, "EQUAL", revision)
    }

    /// No key of the range was written after the revision.
    static func isUnchanged(_ range: EtcdRange, since revision: Int64) -> Comparison {
      Comparison(range.key, range.end, "LESS", revision + 1)
    }

    private init(_ key: String, _ end: String?, _ result: String, _ revision: Int64) {
      (self.key, range_end) = (Data(key.utf8), end.map { Data($0.utf8) })
      (self.result, mod_revision) = (result, String(revision))
    }
  }

  /// An operation.
  struct Operation: Encodable, Sendable {
    private var request_range: Range?
    private var request_put: Put?
    private var request_delete_range: Delete?

    private struct Range: Encodable, Sendable {
      let key: Data
      let range_end: Data?
      let limit: String
      let keys_only: Bool
    }

    private struct Put: Encodable, Sendable {
      let key: Data
      let value: Data
      let lease: String?
    }

    private struct Delete: Encodable, Sendable { let key: Data }

    static func read(_ range: EtcdRange) -> Operation {
      Operation(
        request_range: Range(
          key: Data(range.key.utf8), range_end: range.end.map { Data($0.utf8) }, limit: String(range.limit),
          keys_only: range.isKeysOnly))
    }

    /// Writes a value. If a lease is given, etcd deletes the key when the lease ends.
    static func put(_ key: String, _ value: String = "", lease: String? = nil) -> Operation {
      Operation(request_put: Put(key: Data(key.utf8), value: Data(value.utf8), lease: lease))
    }

    static func put(_ key: String, _ value: some Encodable) -> Operation {
      put(key, StoreJSON.encoded(value))
    }

    static func delete(_ key: String) -> Operation {
      Operation(request_delete_range: Delete(key: Data(key.utf8)))
    }
  }
}
