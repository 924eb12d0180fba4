import Testing
import TimelineStoreSQL
import TimelineStoreWire

/// Invalid messages, and the limits of valid ones.
struct StoreMessageTests {
  @Test(arguments: [
    "", "null", "[]", "{}", "{\"id\": 1}", "\u{FF}",
    #"{"id": 1, "method": "renew"}"#,
    #"{"id": 1, "method": "nothing", "parameters": {}}"#,
    #"{"id": 1, "method": "leave", "parameters": {"cluster": "prod"}}"#,
    #"{"id": 1, "method": "leave", "parameters": {"cluster": "prod", "epoch": 1}}"#,
    #"{"id": -1, "method": "status", "parameters": {"cluster": "prod"}}"#,
    #"{"id": 1, "method": "status", "parameters": {"cluster": "prod"}"#,
  ])
  func `an invalid request is malformed`(text: String) {
    let failure = #expect(throws: StoreFailure.self) { try StoreRequest(message: Array(text.utf8)) }
    #expect(failure?.kind == .malformed)
  }

  @Test(arguments: [
    "", "{}", #"{"id": 1}"#, #"{"id": 1, "done": 1}"#, #"{"id": 1, "join": {}}"#,
    #"{"id": 1, "failure": {"kind": "other", "message": ""}}"#,
  ])
  func `an invalid response is malformed`(text: String) {
    let failure = #expect(throws: StoreFailure.self) { try StoreResponse(message: Array(text.utf8)) }
    #expect(failure?.kind == .malformed)
  }

  @Test(arguments: [
    ("", 0), ("{}", 0), (#"{"id": 7}"#, 7), (#"{"id": 8, "method": "nothing"}"#, 8), (#"{"id": "8"}"#, 0),
  ])
  func `the number of a request is read even if the rest is invalid`(text: String, number: UInt64) {
    #expect(StoreRequest.id(ofMessage: Array(text.utf8)) == number)
  }

  @Test func `all integers survive a round trip`() throws {
    let call = StoreCall.claim(
      ClaimCall(
        cluster: "p", epoch: "e",
        entries: [.min, -1, 0, 1 << 53 + 1, .max].map { .init(StoredKey(job: "ü\u{0}\"\\", nominal: $0)) }))
    let request = StoreRequest(id: .max, call: call)
    #expect(try StoreRequest(message: request.message) == request)
  }

  @Test(arguments: [(1_000, 100), (16_000, 6), (200_000, 1)])
  func `records of jobs with long cursors are sent in parts that fit`(_ cursorBytes: Int, _ count: Int) {
    let progress = (0..<StoreWireLimits.entriesMax).map { number in
      RecordCall.Progress(
        job: "job\(number)", watermark: 1,
        cursor: RecordCall.Cursor(bytes: String(repeating: "A", count: cursorBytes), token: 1))
    }
    let call = RecordCall.fitting { limit in
      RecordCall(cluster: "c", records: [], progress: Array(progress.prefix(limit)))
    }
    #expect(call?.progress.count == count)
    #expect(RecordCall.fitting { _ in nil } == nil)
  }

  @Test(arguments: [
    ("disk full", "disk full"), (String(repeating: "r", count: 1_024), String(repeating: "r", count: 1_024)),
    (String(repeating: "r", count: 1_025), String(repeating: "r", count: 1_021) + "…"),
    (String(repeating: "ü", count: 2_000), String(repeating: "ü", count: 510) + "…"),
  ])
  func `a long reason is cut between characters, and only once`(reason: String, kept: String) {
    let record = StoredRecord(
      key: StoredKey(job: "backup", nominal: 0), firstNominal: 0, entryCount: 1, outcome: "failed",
      cause: "schedule", reason: reason, startedAt: 0, endedAt: 1, attempts: 1, node: "a", epoch: Self.epoch)
    #expect(record.withShortReason.reason == kept)
    #expect(record.withShortReason.withShortReason == record.withShortReason)
  }

  private static let epoch = String(repeating: "0a", count: 16)
  private static let key = StoredKey(job: "j", nominal: 0)

  private static func renewal(_ milliseconds: Int64, digests: Int = 0) -> StoreCall {
    let digests = Dictionary(uniqueKeysWithValues: (0..<digests).map { ("\($0)", "d") })
    return .renew(
      RenewCall(cluster: "p", epoch: epoch, leaseMilliseconds: milliseconds, digests: digests))
  }

  private static func claims(_ count: Int, _ epoch: String = epoch) -> StoreCall {
    .claim(ClaimCall(cluster: "p", epoch: epoch, entries: Array(repeating: .init(key), count: count)))
  }

  private static func incidents(ofJobs count: Int) -> StoreCall {
    let incidents = (0..<count).map { StoredIncidents(job: "job\($0)", term: 1, incidents: []) }
    return .record(RecordCall(cluster: "p", records: [], progress: [], incidents: incidents))
  }

  private static func join(labels: [String: String]) -> StoreCall {
    .join(
      JoinCall(
        cluster: "p", node: "n", epoch: epoch, formerEpoch: nil, leaseMilliseconds: 1, labels: labels,
        version: ""))
  }

  private static func cursor(_ count: Int) -> StoreCall {
    .record(
      RecordCall(
        cluster: "p", records: [],
        progress: [
          .init(job: "j", watermark: 0, cursor: .init(bytes: String(repeating: "A", count: count), token: 1))
        ]))
  }

  @Test(arguments: [
    claims(0), claims(100), renewal(1), renewal(86_400_000), renewal(1, digests: 500), cursor(87_384),
    join(labels: ["a": String(repeating: "b", count: 504)]),
    .history(HistoryCall(cluster: "p", limit: 200)),
    .acquire(AcquireCall(cluster: "p", epoch: epoch, jobs: [.init(job: "j", formerOwner: epoch)])),
  ])
  func `a call within the limits passes`(call: StoreCall) throws { try CallLimits.check(call) }

  @Test(arguments: [
    claims(101), claims(1, "0a"), claims(1, String(repeating: "0A", count: 16)),
    claims(1, String(repeating: "é", count: 16)), renewal(0), renewal(86_400_001), renewal(1, digests: 501),
    cursor(87_385), join(labels: ["a": String(repeating: "b", count: 505)]),
    .history(HistoryCall(cluster: "p", limit: 201)), .history(HistoryCall(cluster: "p", limit: -1)),
    .acquire(AcquireCall(cluster: "p", epoch: epoch, jobs: [.init(job: "j", formerOwner: "x")])),
    .take(TakeCall(cluster: "p", epoch: epoch, claims: [.init(key, formerEpoch: "x")])),
    incidents(ofJobs: 101),
  ])
  func `a call beyond a limit is malformed`(call: StoreCall) {
    let failure = #expect(throws: StoreFailure.self) { try CallLimits.check(call) }
    #expect(failure?.kind == .malformed)
  }
}
