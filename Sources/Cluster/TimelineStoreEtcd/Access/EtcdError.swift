internal import FoundationEssentials
package import TimelineStoreWire

/// An error in etcd's answer to a request.
package struct EtcdError: Error, Sendable, Equatable, Decodable {
  /// gRPC status code.
  package var code: Int
  package var message: String

  package init(code: Int, message: String) { (self.code, self.message) = (code, message) }

  /// Reads the body of an unsuccessful response.
  package init(body: [UInt8], status: Int) {
    if let decoded = try? JSONDecoder().decode(EtcdError.self, from: Data(body)) {
      self = decoded
    } else {
      // A proxy that answers with a 5xx status may have forwarded the request.
      self.init(
        code: status >= 500 ? Code.unavailable : -1, message: "it answered with the HTTP status \(status)")
    }
  }

  /// Whether the token of the user is no longer valid.
  package var isTokenOver: Bool {
    code == Code.unauthenticated || message.contains("revision of auth store is old")
  }

  /// gRPC status codes that etcd uses.
  private enum Code {
    static let cancelled = 1, unknown = 2, invalid = 3, deadlineExceeded = 4, denied = 7, exhausted = 8
    static let unimplemented = 12, internalError = 13, unavailable = 14, dataLoss = 15, unauthenticated = 16
  }

  /// Returns the failure of a request. If `isWrite`, the request may have changed something.
  package func failure(isWrite: Bool) -> StoreFailure {
    let (kind, remedy) = kindAndRemedy
    if kind == .unavailable, isWrite, code != Code.exhausted, !isLeaseOver {
      return StoreFailure(.undecided, "etcd: \(message.printableLine): the call may have had its effect")
    }
    return StoreFailure(kind, "etcd: \(message.printableLine): \(remedy)")
  }

  /// Whether the lease for a key ended before the request was performed. The request then had no effect.
  private var isLeaseOver: Bool { message.contains("requested lease not found") }

  private var kindAndRemedy: (StoreFailure.Kind, String) {
    if message.contains("database space exceeded") {
      return (.refused, "compact and defragment it, and disarm its alarm")
    }
    if message.contains("too many operations") {
      return (.refused, "start etcd with --max-txn-ops=128 or more")
    }
    if message.contains("request is too large") {
      return (.refused, "let a node have fewer jobs, or raise --max-request-bytes of etcd")
    }
    if isLeaseOver { return (.unavailable, "the request was late: see the log of etcd") }
    if message.contains("user name is empty") { return (.refused, "name a credential with ETCDCTL_USER") }
    switch code {
    case Code.denied: return (.refused, "grant the rights that share/doc/timelined/store.md lists")
    case Code.invalid, Code.unauthenticated: return (.refused, "correct the credential")
    // A leader that transfers its role drops requests with the code `unknown`.
    case Code.exhausted, Code.unavailable, Code.cancelled, Code.unknown, Code.deadlineExceeded,
      Code.internalError:
      return (.unavailable, "see the log of etcd")
    case Code.unimplemented: return (.refused, "use etcd 3.4 or later, with its gRPC gateway")
    case Code.dataLoss: return (.refused, "a member is corrupt: see the log of etcd")
    default: return (.refused, "see the log of etcd")
    }
  }
}

extension String {
  /// The text as one line without control characters, for a terminal.
  var printableLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }
}
