internal import FoundationEssentials
package import TimelineStoreWire

/// An error that etcd has answered a request with.
package struct EtcdError: Error, Sendable, Hashable, Decodable {
  /// Code of gRPC.
  package var code: Int
  /// The server's message.
  package var message: String

  /// Makes an error.
  package init(code: Int, message: String) { (self.code, self.message) = (code, message) }

  /// Reads the body of a response that is no success.
  package init(body: [UInt8], status: Int) {
    if let decoded = try? JSONDecoder().decode(EtcdError.self, from: Data(body)) {
      self = decoded
    } else {
      // A proxy between may have passed the request on.
      self.init(
        code: status >= 500 ? Code.unavailable : -1, message: "it answered with the HTTP status \(status)")
    }
  }

  /// Whether the token of a user is not valid any more.
  package var isTokenOver: Bool {
    code == Code.unauthenticated || message.contains("revision of auth store is old")
  }

  /// Codes of gRPC that etcd uses.
  private enum Code {
    static let cancelled = 1, unknown = 2, invalid = 3, deadlineExceeded = 4, denied = 7, exhausted = 8
    static let unimplemented = 12, internalError = 13, unavailable = 14, dataLoss = 15, unauthenticated = 16
  }

  /// The failure of a request, which may have changed something if `isWrite`.
  package func failure(isWrite: Bool) -> StoreFailure {
    let (kind, remedy) = kindAndRemedy
    if kind == .unavailable, isWrite, code != Code.exhausted, !isLeaseOver {
      return StoreFailure(.undecided, "etcd: \(message.printableLine): the call may have had its effect")
    }
    return StoreFailure(kind, "etcd: \(message.printableLine): \(remedy)")
  }

  /// Whether the lease that a key was to have has ended before the request was performed. Nothing of it was.
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
    // A leader that hands over drops requests, and says so as `unknown`.
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
  /// The text as one line that a terminal shows as it is.
  var printableLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }
}
