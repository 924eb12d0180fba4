import Testing
import TimelineStoreWire

@testable import TimelineStoreEtcd

/// Credentials, and failures from the errors of etcd.
struct EtcdReplyTests {
  @Test(
    arguments: [
      (14, "etcdserver: request timed out", .unavailable, .undecided),
      (14, "etcdserver: no leader", .unavailable, .undecided),
      (2, "raft proposal dropped", .unavailable, .undecided),
      (4, "context deadline exceeded", .unavailable, .undecided),
      (5, "etcdserver: requested lease not found", .unavailable, .unavailable),
      (8, "etcdserver: too many requests", .unavailable, .unavailable),
      (8, "etcdserver: mvcc: database space exceeded", .refused, .refused),
      (3, "etcdserver: too many operations in txn request", .refused, .refused),
      (3, "etcdserver: user name is empty", .refused, .refused),
      (7, "etcdserver: permission denied", .refused, .refused),
      (16, "etcdserver: invalid auth token", .refused, .refused),
      (15, "etcdserver: corrupt cluster", .refused, .refused),
      (12, "unknown service", .refused, .refused), (-1, "HTTP", .refused, .refused),
    ] as [(Int, String, StoreFailure.Kind, StoreFailure.Kind)])
  func `the code decides about the failure`(
    code: Int, message: String, reading: StoreFailure.Kind, writing: StoreFailure.Kind
  ) {
    let error = EtcdError(code: code, message: message)
    #expect(error.failure(isWrite: false).kind == reading)
    #expect(error.failure(isWrite: true).kind == writing)
    #expect(error.failure(isWrite: true).message.hasPrefix("etcd: \(message): "))
    #expect(error.isTokenOver == (code == 16))
  }

  @Test func `an invalid error body is reported with the HTTP status`() {
    #expect(EtcdError(body: Array("<html>".utf8), status: 404).message.contains("404"))
    let body = Array(#"{"error":"x","message":"y","code":3}"#.utf8)
    #expect(EtcdError(body: Array("bad gateway".utf8), status: 502).failure(isWrite: true).kind == .undecided)
    #expect(EtcdError(body: body, status: 400) == EtcdError(code: 3, message: "y"))
  }

  @Test func `variables of etcdctl are read as a credential`() throws {
    let credential = try EtcdCredential(
      text: """
        # For etcdctl, too.
        ETCDCTL_USER="node:a:b"

        ETCDCTL_CACERT = /etc/ca.pem
        ETCDCTL_CERT='/etc/c.pem'
        ETCDCTL_KEY=/etc/c.key
        """)
    #expect((credential.user, credential.password) == ("node", "a:b"))
    #expect(credential.authority == "/etc/ca.pem" && credential.certificate == "/etc/c.pem")
    #expect(credential.key == "/etc/c.key")
    let apart = try EtcdCredential(text: "ETCDCTL_USER=node\nETCDCTL_PASSWORD=a=b\n")
    #expect((apart.user, apart.password) == ("node", "a=b"))
    #expect(try EtcdCredential(text: "") == EtcdCredential())
  }

  @Test(arguments: [
    "node", "ETCDCTL_USER=node", "ETCDCTL_PASSWORD=a", "ETCDCTL_CERT=/c", "ETCDCTL_KEY=/k", "USER=a:b",
    "ETCDCTL_ENDPOINTS=http://a", "ETCDCTL_USER=a:b\0",
  ])
  func `an invalid credential is refused without its secret`(text: String) {
    let refusal = #expect(throws: EtcdCredential.Refusal.self) { try EtcdCredential(text: text) }
    #expect(refusal?.message.contains(": ") == true)
  }

  @Test func `a late failure does not hide a success`() {
    var state = EtcdJobState()
    state.take(
      RecordCall.Progress(job: "j", watermark: 5, isFailing: false, cursor: .init(bytes: "B", token: 9)))
    state.take(
      RecordCall.Progress(job: "j", watermark: 4, isFailing: true, cursor: .init(bytes: "A", token: 8)))
    #expect(state == EtcdJobState(watermark: 5, isFailing: false, cursor: "B", cursorToken: 9))
  }
}
