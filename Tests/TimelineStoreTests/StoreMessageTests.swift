import Testing
import TimelineCore
import TimelineStoreSQL
import TimelineStoreWire

/// Invalid messages, and the limits of valid ones.
struct StoreMessageTests {
  @Test(arguments: [
    "", "null", "[]", "{}", "{\"id\": 1}", "\u{FF}",
    #"{"id": 1, "method": "renew"}"#,
    #"{"id": 1, "method": "nothing", "cluster": "prod", "parameters": {}}"#,
    #"{"id": 1, "method": "leave"}"#,
    #"{"id": 1, "method": "leave", "parameters": {"cluster": "prod"}}"#,
    #"{"id": 1, "method": "leave", "cluster": "prod", "epoch": 1}"#,
    #"{"id": -1, "method": "status", "cluster": "prod", "parameters": {}}"#,
    #"{"id": 1, "method": "status", "cluster": "prod", "parameters": {}"#,
    #"{"id": 1, "method": "status", "cluster": "prod"}"#,
    #"{"id": 1, "method": "claim", "cluster": "prod", "parameters": {"claims": [{"key": {"job": "j"}, "entryCount": 1}]}}"#,
    #"""
    {"id": 1, "method": "claim", "cluster": "prod", "parameters": {"claims": [{"key": {"job": "a/b", "nominal": 1}, "entryCount": 1}]}}
    """#,
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
    let job = try #require(JobName("j"))
    let integers: [Int64] = [.min, -1, 0, 1 << 53 + 1, .max]
    let claims = integers.map { WantedClaim(EntryKey(job: job, nanoseconds: $0)) }
    let request = StoreRequest(id: .max, StoreCaller(cluster: "p", epoch: "e"), .claim(ClaimCall(claims)))
    #expect(try StoreRequest(message: request.message) == request)
  }

  @Test func `all characters survive a round trip`() throws {
    let name = "ü\u{0}\"\\"
    let call = StoreCall.acquire(AcquireCall(jobs: [.init(job: name, formerOwner: nil)]))
    let request = StoreRequest(id: 0, StoreCaller(cluster: name), call)
    #expect(try StoreRequest(message: request.message) == request)
  }

  @Test(arguments: [(1_000, 100), (16_000, 6), (200_000, 1)])
  func `records of jobs with long cursors are sent in parts that fit`(_ cursorBytes: Int, _ count: Int) {
    let progress = (0..<StoreWireLimits.entriesMax).map { number in
      RecordCall.Progress(
        job: "job\(number)", watermark: 1,
        cursor: RecordCall.Cursor(bytes: String(repeating: "A", count: cursorBytes), token: 1))
    }
    let caller = StoreCaller(cluster: "c")
    let call = RecordCall.fitting(caller) { limit in
      RecordCall(records: [], progress: Array(progress.prefix(limit)))
    }
    #expect(call?.progress.count == count)
    #expect(RecordCall.fitting(caller) { _ in nil } == nil)
  }

  @Test(arguments: [
    ("disk full", "disk full"), (String(repeating: "r", count: 1_024), String(repeating: "r", count: 1_024)),
    (String(repeating: "r", count: 1_025), String(repeating: "r", count: 1_021) + "…"),
    (String(repeating: "ü", count: 2_000), String(repeating: "ü", count: 510) + "…"),
  ])
  func `a long reason is cut between characters, and only once`(reason: String, kept: String) throws {
    let job = try #require(JobName("backup"))
    let record = StoredRecord(
      key: EntryKey(job: job, nanoseconds: 0), firstNominal: 0, entryCount: 1, outcome: "failed",
      cause: "schedule", reason: reason, startedAt: 0, endedAt: 1, attempts: 1, node: "a", epoch: Self.epoch)
    #expect(record.withShortReason.reason == kept)
    #expect(record.withShortReason.withShortReason == record.withShortReason)
  }

  private static let epoch = String(repeating: "0a", count: 16)

  private static func request(_ call: StoreCall, epoch: String? = epoch) -> StoreRequest {
    StoreRequest(id: 1, StoreCaller(cluster: "p", epoch: epoch), call)
  }

  private static func renewal(_ milliseconds: Int64, digests: Int = 0) -> StoreRequest {
    let digests = Dictionary(uniqueKeysWithValues: (0..<digests).map { ("\($0)", "d") })
    return request(.renew(RenewCall(leaseMilliseconds: milliseconds, digests: digests)))
  }

  private static func keys(_ count: Int) -> [EntryKey] {
    JobName("j").map { job in (0..<count).map { EntryKey(job: job, nanoseconds: Int64($0)) } } ?? []
  }

  private static func claims(_ count: Int, _ epoch: String? = epoch) -> StoreRequest {
    request(.claim(ClaimCall(keys(count).map { WantedClaim($0) })), epoch: epoch)
  }

  private static func taken(_ count: Int, from epoch: String = epoch) -> StoreRequest {
    request(.take(ClaimCall(keys(count).map { TakenClaim($0, formerEpoch: epoch) })))
  }

  private static func incidents(ofJobs count: Int) -> StoreRequest {
    let incidents = (0..<count).map { StoredIncidents(job: "job\($0)", term: 1, incidents: []) }
    return request(.record(RecordCall(records: [], progress: [], incidents: incidents)))
  }

  private static func join(labels: [String: String]) -> StoreRequest {
    request(.join(JoinCall(node: "n", formerEpoch: nil, leaseMilliseconds: 1, labels: labels, version: "")))
  }

  private static func acquisition(from epoch: String) -> StoreRequest {
    request(.acquire(AcquireCall(jobs: [.init(job: "j", formerOwner: epoch)])))
  }

  private static func cursor(_ count: Int) -> StoreRequest {
    let cursor = RecordCall.Cursor(bytes: String(repeating: "A", count: count), token: 1)
    return request(
      .record(RecordCall(records: [], progress: [.init(job: "j", watermark: 0, cursor: cursor)])))
  }

  @Test(arguments: [
    claims(0), claims(100), taken(100), renewal(1), renewal(86_400_000), renewal(1, digests: 500),
    cursor(87_384), join(labels: ["a": String(repeating: "b", count: 504)]), request(.leave),
    request(.history(HistoryCall(limit: 200))), request(.history(HistoryCall(limit: 200)), epoch: nil),
    request(.initialize, epoch: nil), acquisition(from: epoch),
  ])
  func `a request within the limits passes`(request: StoreRequest) throws { try CallLimits.check(request) }

  @Test(arguments: [
    claims(101), claims(1, "0a"), claims(1, String(repeating: "0A", count: 16)), claims(1, nil),
    claims(1, String(repeating: "é", count: 16)), renewal(0), renewal(86_400_001), renewal(1, digests: 501),
    cursor(87_385), join(labels: ["a": String(repeating: "b", count: 505)]), request(.leave, epoch: nil),
    request(.history(HistoryCall(limit: 201))), request(.history(HistoryCall(limit: -1))),
    acquisition(from: "x"), taken(101), taken(1, from: "x"), incidents(ofJobs: 101),
    request(.withdraw(ClaimCall(keys(101).map { WithdrawnClaim($0, term: 1) }))),
    request(.publish(ClaimCall(keys(101).map { PublishedClaim($0, token: 1) }))),
  ])
  func `a request beyond a limit is malformed`(request: StoreRequest) {
    let failure = #expect(throws: StoreFailure.self) { try CallLimits.check(request) }
    #expect(failure?.kind == .malformed)
  }
}
