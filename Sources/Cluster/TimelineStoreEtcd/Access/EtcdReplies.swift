internal import FoundationEssentials
package import TimelineStoreWire

/// The header of each reply of etcd.
struct EtcdHeader: Decodable, Sendable, Hashable {
  /// Number of the etcd cluster.
  var cluster_id: String?
  /// Revision of the whole store.
  var revision: String?

  /// The revision as a number; 0 for none.
  var number: Int64 { revision.flatMap { Int64($0) } ?? 0 }
}

/// A key with its value, as it was read.
struct EtcdKeyValue: Decodable, Sendable, Hashable {
  let key: String
  let value: String
  /// Revision of the last write.
  let revision: Int64

  private enum Key: CodingKey { case key, value, mod_revision }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    key = String(decoding: try container.decode(Data.self, forKey: .key), as: UTF8.self)
    value = String(
      decoding: try container.decodeIfPresent(Data.self, forKey: .value) ?? Data(), as: UTF8.self)
    revision = Int64(try container.decodeIfPresent(String.self, forKey: .mod_revision) ?? "") ?? 0
  }
}

/// Reply to a transaction.
struct EtcdTransactionReply: Decodable, Sendable {
  var header: EtcdHeader
  /// Whether all comparisons held.
  var succeeded: Bool?
  var responses: [Response]?

  struct Response: Decodable, Sendable { var response_range: Range? }

  struct Range: Decodable, Sendable { var kvs: [EtcdKeyValue]? }
}

/// Reply to the grant of a lease.
struct EtcdLeaseReply: Decodable, Sendable { var ID: String }

/// Reply about the answering member.
struct EtcdStatusReply: Decodable, Sendable {
  var version: String
  var header: Header

  struct Header: Decodable, Sendable { var member_id: String? }
}

/// Reply about the members of the etcd cluster.
struct EtcdMembersReply: Decodable, Sendable {
  var members: [Member]

  struct Member: Decodable, Sendable {
    var ID: String?
    var name: String?
    var isLearner: Bool?
  }
}

/// Reply to a login with name and password.
package enum EtcdLogin {
  private struct Reply: Decodable { var token: String }

  /// Returns the token in a reply.
  package static func token(in reply: [UInt8]) throws(StoreFailure) -> String {
    do { return try JSONDecoder().decode(Reply.self, from: Data(reply)).token } catch {
      throw StoreFailure(.refused, "etcd: it gave no token for the password: report this error: \(error)")
    }
  }
}
