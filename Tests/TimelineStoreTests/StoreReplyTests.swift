import Testing
import TimelineStoreSQL
import TimelineStoreWire

/// Replies from rows, and failures from the server's codes.
struct StoreReplyTests {
  private static let place = StorePlace(
    cluster: "1", tokenBase: "1099511627776", epoch: String(repeating: "0a", count: 16))

  private static func jobs(_ count: Int, name: String = "j") -> String {
    (0..<count).map { #"{"job": "\#(name)\#($0)", "term": 0, "digests": {}}"# }.joined(separator: ",")
  }

  @Test(arguments: [
    (3, 3, false), (500, 500, false), (501, 500, true),
  ])
  func `a view has at most one part of the jobs`(count: Int, kept: Int, hasMore: Bool) throws {
    let reply = try renewal(Self.jobs(count))
    #expect(reply.jobs?.count == kept)
    #expect(reply.hasMoreJobs == hasMore)
  }

  @Test func `a view fits into a message`() throws {
    let reply = try renewal(Self.jobs(500, name: String(repeating: "x", count: 1000)))
    let bytes = StoreResponse(id: .max, result: .success(.renew(reply))).message.count
    #expect(reply.hasMoreJobs)
    #expect((StoreWireLimits.messageMax - 2000...StoreWireLimits.messageMax).contains(bytes))
  }

  private func renewal(_ jobs: String) throws -> RenewReply {
    let call = StoreCall.renew(RenewCall(leaseMilliseconds: 1))
    let row = """
      {"isLost": false, "storeTime": 1, "identity": "i", "nodes": [], "version": 1, "hasMoreJobs": false, "jobs": [\(jobs)]}
      """
    let plan = try #require(CallPlan(call, in: Self.place))
    guard case .renew(let reply) = try plan.reply(row) else { throw StoreFailure(.malformed, "no renewal") }
    return reply
  }

  @Test func `a call with too long a reply is repeated with half the jobs`() throws {
    let jobs = (0..<3).map { AcquireCall.Job(job: "\($0)", formerOwner: nil) }
    let call = StoreCall.acquire(AcquireCall(jobs: jobs))
    let cursor = String(repeating: "A", count: 80_000)
    let long = StoreReply.acquire(
      AcquireReply(isLost: false, jobs: jobs.map { AcquiredJob(job: $0.job, cursor: cursor) }))
    let short = StoreReply.acquire(AcquireReply(isLost: false, jobs: jobs.map { AcquiredJob(job: $0.job) }))
    #expect(call.smaller(afterReply: short) == nil)
    guard case .acquire(let half)? = call.smaller(afterReply: long) else {
      Issue.record("the call is as long as before")
      return
    }
    #expect(half.jobs.map(\.job) == ["0", "1"])
  }

  @Test func `an invalid row is refused`() throws {
    let plan = try #require(CallPlan(.leave, in: Self.place))
    #expect(try plan.reply(nil) == .done)
    let claim = try #require(CallPlan(.claim(ClaimCall([])), in: Self.place))
    for row in [nil, "", "{}"] {
      let failure = #expect(throws: StoreFailure.self) { _ = try claim.reply(row) }
      #expect(failure?.kind == .refused)
    }
  }

  @Test(
    arguments: [
      ("42P01", .uninitialized, .uninitialized), ("3F000", .uninitialized, .uninitialized),
      ("42501", .refused, .refused), ("53100", .refused, .refused), ("25006", .refused, .refused),
      ("58030", .refused, .undecided), ("XX000", .refused, .undecided), ("42703", .refused, .refused),
      ("57014", .unavailable, .undecided), ("57P01", .unavailable, .undecided),
      ("55P03", .unavailable, .unavailable),
      ("40P01", .unavailable, .unavailable), ("53300", .unavailable, .unavailable),
      ("08006", .unavailable, .undecided),
      ("22P02", .malformed, .malformed),
    ] as [(String, StoreFailure.Kind, StoreFailure.Kind)])
  func `the code decides about the failure`(
    state: String, before: StoreFailure.Kind, atCommit: StoreFailure.Kind
  ) {
    let error = ServerError(state: state, message: "the server's words")
    #expect(error.failure.kind == before)
    #expect(error.failureOfCommit.kind == atCommit)
    #expect(error.failure.message.contains("the server's words (\(state)): "))
    #expect(error.isCollision == state.hasPrefix("40"))
  }

  @Test(
    arguments: [
      (nil, .uninitialized), ("0", .uninitialized), ("x", .uninitialized),
      ("\(StoreTables.version - 1)", .uninitialized), ("\(StoreTables.version + 1)", .newer),
    ] as [(String?, StoreFailure.Kind)])
  func `tables of another version are not used`(version: String?, kind: StoreFailure.Kind) {
    let failure = #expect(throws: StoreFailure.self) { try StoreTransaction.check(version: version) }
    #expect(failure?.kind == kind)
  }

  @Test func `the present version is used`() throws {
    try StoreTransaction.check(version: "\(StoreTables.version)")
    let row = #"{"cluster": 3, "isMoved": false, "era": 2}"#
    let place = try StorePlace(row: row, StoreCaller(cluster: "p", epoch: "e"))
    #expect(place == StorePlace(cluster: "3", tokenBase: "2199023255552", epoch: "e"))
  }

  @Test(arguments: [
    #"{"cluster": null, "isMoved": false, "era": 2}"#, #"{"cluster": 3, "isMoved": true, "era": 2}"#,
  ])
  func `a cluster that is unknown or on another server is uninitialized`(row: String) {
    let failure = #expect(throws: StoreFailure.self) {
      _ = try StorePlace(row: row, StoreCaller(cluster: "p"))
    }
    #expect(failure?.kind == .uninitialized)
  }
}
