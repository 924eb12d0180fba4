internal import CStoreCurl
internal import Glibc
internal import TimelineCore
internal import TimelineStoreEtcd
internal import TimelineStoreWire
internal import TimelineSystem

/// Requests to the members of etcd. All requests go to one member until a request fails.
///
/// Safe although it holds a C pointer: the pointer is set by `init`, freed by `deinit`, and used by this type alone.
@safe
final class EtcdConnection: EtcdTransport {
  /// Bounds of a request's timeout, in milliseconds. The upper bound is half of the daemon's deadline for a call with the
  /// default lease.
  private static let limits = 200...1_000

  private var limitMilliseconds = limits.upperBound

  private let connection: OpaquePointer?
  private let endpoints: [String]
  private let file: CredentialFile?
  /// Index of the endpoint that is tried first.
  private var present: Int
  private var credential: EtcdCredential?
  /// Token that etcd issued for the password.
  private var token: String?
  private var clock = StoreClock()

  /// Makes a closed connection. The first endpoint is chosen at random, so that a new process does not always begin with the
  /// frozen member that blocked its predecessor.
  init(endpoints: [String], credential: CredentialFile?) {
    (self.endpoints, file, present) = (endpoints, credential, Int.random(in: endpoints.indices))
    unsafe connection = unsafe timeline_curl_open()
  }

  deinit { if unsafe connection != nil { unsafe timeline_curl_close(connection) } }

  /// Sets the timeout of a request to a tenth of the lease, within the bounds. A tenth of the lease is half of the daemon's
  /// deadline for a call, so another member can still be tried.
  func fit(leaseMilliseconds: Int64) {
    limitMilliseconds = min(max(Self.limits.lowerBound, Int(leaseMilliseconds / 10)), Self.limits.upperBound)
  }

  var now: Int64 { clock.time(at: SystemTime.now().nanosecondsSinceEpoch) }
  var latest: Int64 { clock.latest(at: SystemTime.now().nanosecondsSinceEpoch) }

  /// Reason of a failed request to a member.
  private enum Fault: Error {
    /// A line for the operator, and whether the request may have been received.
    case lost(String, wasSent: Bool)
    case refused(EtcdError)
    case failure(StoreFailure)
  }

  func post(_ path: String, _ body: [UInt8], isWrite: Bool) throws(StoreFailure) -> [UInt8] {
    var (isUndecided, hasNewToken) = (false, false)
    var last = StoreFailure(.unavailable, "etcd: no endpoint is left")
    var attemptsLeft = endpoints.count
    while attemptsLeft > 0 {
      do throws(Fault) { return try ask(path, body) } catch {
        switch error {
        case .failure(let failure): throw failure
        case .refused(let error) where error.isTokenOver && token != nil && !hasNewToken:
          (token, hasNewToken) = (nil, true)
          continue
        case .refused(let error):
          last = error.failure(isWrite: isWrite)
          guard [.unavailable, .undecided].contains(last.kind) else { throw last }
          isUndecided = isUndecided || last.kind == .undecided
        case .lost(let text, let wasSent):
          last = StoreFailure(.unavailable, "etcd: \(text): start it, or correct the endpoints")
          isUndecided = isUndecided || isWrite && wasSent
        }
      }
      attemptsLeft -= 1
      present = (present + 1) % endpoints.count
      clock.forget()
    }
    // A request to one member may have had its effect, even if another member has answered with an error.
    throw isUndecided ? StoreFailure(.undecided, last.message) : last
  }

  /// Sends a request to the present endpoint, with a token if a user is configured.
  private func ask(_ path: String, _ body: [UInt8]) throws(Fault) -> [UInt8] {
    let credential = try loadedCredential()
    if let user = credential.user, token == nil {
      let login = StoreJSON.encoded(["name": user, "password": credential.password ?? ""])
      let reply = try send("/v3/auth/authenticate", Array(login.utf8), credential)
      token = try wrapping { () throws(StoreFailure) in try EtcdLogin.token(in: reply) }
    }
    return try send(path, body, credential)
  }

  /// Reads the file for the first request and for each new token, so that the password can be changed while the daemon runs.
  private func loadedCredential() throws(Fault) -> EtcdCredential {
    if let credential, credential.user == nil || token != nil { return credential }
    guard let file else { return EtcdCredential() }
    let new = try wrapping { () throws(StoreFailure) in
      do throws(CredentialFile.Refusal) { return try file.etcdCredential() } catch {
        throw StoreFailure(.refused, error.message)
      }
    }
    credential = new
    return new
  }

  private func wrapping<Value>(_ body: () throws(StoreFailure) -> Value) throws(Fault) -> Value {
    do throws(StoreFailure) { return try body() } catch { throw .failure(error) }
  }

  private func send(_ path: String, _ body: [UInt8], _ credential: EtcdCredential) throws(Fault) -> [UInt8] {
    guard unsafe connection != nil else { throw .failure(StoreFailure(.unavailable, "etcd: out of memory")) }
    let sent = SystemTime.now().nanosecondsSinceEpoch
    let reply = unsafe withTexts([
      endpoints[present] + path, token, credential.certificate, credential.key, credential.authority,
    ]) { texts in
      unsafe body.withUnsafeBytes { bytes in
        var request = unsafe timeline_curl_request(
          url: texts[0], token: texts[1], body: bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          length: bytes.count, certificate: texts[2], key: texts[3], authority: texts[4],
          limit_milliseconds: limitMilliseconds)
        return unsafe timeline_curl_post(connection, &request)
      }
    }
    if let error = unsafe reply.error {
      let text = unsafe String(cString: error).printable
      throw .lost("\(endpoints[present]): \(text)", wasSent: unsafe reply.was_sent)
    }
    if unsafe reply.date >= 0 {
      clock.take(
        date: unsafe reply.date, sent: sent, received: SystemTime.now().nanosecondsSinceEpoch)
    }
    let bytes = unsafe Array(UnsafeBufferPointer(start: reply.body, count: reply.length))
    let status = unsafe Int(reply.status)
    guard status == 200 else { throw .refused(EtcdError(body: bytes, status: status)) }
    return bytes
  }

  /// Calls `body` with texts as C strings.
  private func withTexts<Value>(_ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
    let copies = unsafe texts.map { text in unsafe text.flatMap { unsafe strdup($0) } }
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies.map { unsafe UnsafePointer($0) })
  }
}
