import Testing
import TimelineCore
import TimelineEngine
import TimelineStoreWire

@testable import TimelineCluster

@Suite struct `Jobs that are being acquired` {
  private let timing = ClusterTiming(lease: .seconds(10))

  private func job(_ delivery: DeliveryPolicy, _ schedule: ScheduleRule? = nil) throws -> ClusterJob {
    ClusterJob(
      name: "a", delivery: delivery, countedSchedule: schedule, digest: "1")
  }

  private func claim(_ nominal: Int64, leaseUntil: Int64) -> OpenClaim {
    OpenClaim(
      nominal: nominal * 1_000_000_000, node: "b", epoch: "former", token: 1,
      leaseUntil: leaseUntil * 1_000_000_000)
  }

  private func answer(_ nominal: Int64, isGranted: Bool, hasOutcome: Bool = false) -> ClaimReply.Answer {
    ClaimReply.Answer(
      EntryKey(job: "a", nanoseconds: nominal * 1_000_000_000), isGranted: isGranted, token: 2,
      hasOutcome: hasOutcome)
  }

  private func call(
    records: [StoredRecord] = [], progress: [RecordCall.Progress] = []
  ) -> RecordCall {
    RecordCall(records: records, progress: progress)
  }

  @Test(arguments: [([], 50), ([42], 42), ([60], 50)] as [([Int64], Int64)])
  func `a new job's beginning is stored before the node runs it`(_ claims: [Int64], _ begin: Int64) throws {
    var acquisitions = Acquisitions()
    acquisitions.append(
      AcquiredJob(job: "a", watermark: nil, claims: claims.map { claim($0, leaseUntil: 70) }),
      try job(.atMostOnce), as: "own", timing)
    acquisitions.settled(
      call(records: acquisitions.nextSettled(by: "own", of: "n", at: WallInstant(secondsSinceEpoch: 50))))
    acquisitions.take(claims.map { answer($0, isGranted: true) }, as: "own", timing)
    #expect(acquisitions.takeReady(by: "own").isEmpty, "its begin is not stored")
    let progress = acquisitions.nextBegun(at: WallInstant(secondsSinceEpoch: 50))
    #expect(progress == [RecordCall.Progress(job: "a", watermark: begin * 1_000_000_000 - 1)])
    acquisitions.settled(call(progress: progress))
    #expect(acquisitions.nextBegun(at: WallInstant(secondsSinceEpoch: 51)).isEmpty)
    #expect(acquisitions.takeReady(by: "own").map(\.watermark) == [nil])
  }

  @Test(
    arguments: [(nil, 42, []), (40, 40, [42]), (50, 50, [])] as [(Int64?, later: Int64, decided: [Int64])])
  func `an outcome that comes after the watermark was read counts, and entries before it stay undecided`(
    _ watermark: Int64?, _ later: Int64, _ decided: [Int64]
  ) throws {
    var acquisitions = Acquisitions()
    acquisitions.append(
      AcquiredJob(
        job: "a", watermark: watermark.map { $0 * 1_000_000_000 }, claims: [claim(42, leaseUntil: 43)]),
      try job(.atLeastOnce), as: "own", timing)
    #expect(acquisitions.takeReady(by: "own").isEmpty, "the claim is not this node's yet")
    acquisitions.take([answer(42, isGranted: false, hasOutcome: true)], as: "own", timing)
    acquisitions.settled(call(progress: acquisitions.nextBegun(at: WallInstant(secondsSinceEpoch: 50))))
    let ready = acquisitions.takeReady(by: "own")
    #expect(ready.map(\.watermark) == [WallInstant(secondsSinceEpoch: later)])
    #expect(ready.map(\.held) == [[]])
    #expect(ready.flatMap(\.decided).map(\.lowerBound) == decided.map(WallInstant.init(secondsSinceEpoch:)))
  }

  @Test func `an open entry with an outcome in the store is not claimed again`() throws {
    let second: Int64 = 1_000_000_000
    var acquisitions = Acquisitions()
    acquisitions.append(
      AcquiredJob(job: "a", watermark: 40 * second, decided: [41 * second...42 * second]),
      try job(.atLeastOnce), as: "own", timing, open: [40, 41, 43, 44].map { $0 * second })
    #expect(acquisitions.nextReclaimed { _ in true }.map(\.nanoseconds) == [43 * second, 44 * second])
    // The outcome of one of them arrived meanwhile.
    acquisitions.reclaim(
      [answer(43, isGranted: false, hasOutcome: true), answer(44, isGranted: true)], as: "own", of: "n")
    let ready = try #require(acquisitions.takeReady(by: "own").first)
    #expect([41, 43].allSatisfy { ready.hasOutcome(at: WallInstant(secondsSinceEpoch: $0)) })
    #expect(ready.held.map(\.nominal) == [WallInstant(secondsSinceEpoch: 44)])
  }

  @Test func `an entry that has an outcome in the store is not decided again`() throws {
    let second: Int64 = 1_000_000_000
    var acquisitions = Acquisitions()
    acquisitions.append(
      AcquiredJob(
        job: "a", watermark: 40 * second, decided: [41 * second...42 * second, 43 * second...43 * second]),
      try job(.atMostOnce), as: "own", timing)
    let ready = try #require(acquisitions.takeReady(by: "own").first)
    let spans = [(41, 42), (43, 43)] as [(Int64, Int64)]
    #expect(
      ready.decided == spans.map { WallInstant(secondsSinceEpoch: $0)...WallInstant(secondsSinceEpoch: $1) })
  }

  private func record(_ first: Int64, _ last: Int64, _ cause: RunCause = .schedule) -> StoredRecord {
    StoredRecord(
      key: EntryKey(job: "a", nanoseconds: last), firstNominal: first, outcome: "missed",
      cause: cause.rawValue,
      reason: "", startedAt: nil, endedAt: last, attempts: 0, node: "b", epoch: "former")
  }

  @Test func `claims of entries with an outcome of their own or of several entries are settled`() {
    var job = AcquiredJob(
      job: "a", watermark: 3,
      claims: (1...7).map { OpenClaim(nominal: $0, node: "b", epoch: "x", token: $0, leaseUntil: 9) })
    let settled = job.take([record(2, 2, .trigger), record(4, 5), record(6, 7, .reaction)])
    #expect(settled.map(\.nominal) == [2, 4, 5, 7] && job.claims.map(\.nominal) == [1, 3, 6])
    #expect(job.decided == [4...5])
  }

  @Test func `the earliest of many spans of outcomes are one`() {
    let limit = Int64(StoreWireLimits.entriesMax)
    var job = AcquiredJob(job: "a", watermark: 0)
    #expect(job.take((1...limit).map { record($0, $0) }).isEmpty)
    #expect(job.decided?.first == 1...1 && job.decided?.count == Int(limit))
    _ = job.take((1...limit + 5).reversed().flatMap { [record($0, $0), record($0, $0, .trigger)] })
    #expect(job.decided?.first == 1...6 && job.decided?.count == Int(limit))
    _ = job.take([])
    #expect(job.decided == nil)
  }

  @Test func `the causes beside the schedule are those of the engine`() {
    let causes = RunCause.allCases.filter { !$0.isOfSchedule }.map(\.rawValue)
    #expect(causes.sorted() == StoredRecord.causesBesideSchedule)
  }

  @Test func `claims of entries that the node has started or decided are marked`() throws {
    let second: Int64 = 1_000_000_000
    var acquisitions = Acquisitions()
    let claims = ([41, 42, 43] as [Int64]).map { nominal in
      var claim = claim(nominal, leaseUntil: 90)
      claim.epoch = "own"
      return claim
    }
    acquisitions.append(
      AcquiredJob(job: "a", watermark: 0, claims: claims), try job(.atLeastOnce), as: "own", timing,
      open: [42 * second], hasOutcome: { $0 == 41 * second })
    #expect(acquisitions.takeReady(by: "own").flatMap(\.held).map(\.isStarted) == [true, true, false])
  }

  @Test func `a claim that the holder's next life inherits is taken from that life`() throws {
    var acquisitions = Acquisitions()
    acquisitions.append(
      AcquiredJob(job: "a", watermark: 0, claims: [claim(42, leaseUntil: 43)]), try job(.atLeastOnce),
      as: "own",
      timing)
    var inherited = answer(42, isGranted: false)
    inherited.epoch = "later"
    acquisitions.take([inherited], as: "own", timing)
    #expect(acquisitions.takeReady(by: "own").isEmpty)
    #expect(acquisitions.nextTaken(by: "own").map(\.formerEpoch) == ["later"])
    acquisitions.take([answer(42, isGranted: true)], as: "own", timing)
    #expect(acquisitions.takeReady(by: "own").flatMap(\.doubtful).count == 1)
  }

  @Test func `an entry is doubtful unless its holder's lease had ended before`() throws {
    var acquisitions = Acquisitions()
    acquisitions.append(
      AcquiredJob(job: "a", watermark: 0, claims: [claim(42, leaseUntil: 43), claim(44, leaseUntil: 43)]),
      try job(.atLeastOnce), as: "own", timing)
    acquisitions.take([answer(42, isGranted: true), answer(44, isGranted: true)], as: "own", timing)
    let ready = acquisitions.takeReady(by: "own")
    #expect(ready.flatMap(\.doubtful).map(\.nominal) == [WallInstant(secondsSinceEpoch: 42)])
    #expect(ready.flatMap(\.held).map(\.token) == [2, 2])
  }

  @Test func `a doubtful entry that is not run again is settled in the store, and its claim is not taken`()
    throws
  {
    var acquisitions = Acquisitions()
    acquisitions.append(
      AcquiredJob(job: "a", watermark: 0, claims: [claim(42, leaseUntil: 43), claim(44, leaseUntil: 43)]),
      try job(.atMostOnce), as: "own", timing)
    #expect(acquisitions.nextTaken(by: "own").map(\.key.nanoseconds) == [44_000_000_000])
    acquisitions.take([answer(44, isGranted: true)], as: "own", timing)
    #expect(acquisitions.takeReady(by: "own").isEmpty, "the store does not know that it is settled")
    let records = acquisitions.nextSettled(by: "own", of: "n", at: WallInstant(secondsSinceEpoch: 50))
    #expect(records.map(\.key.nanoseconds) == [42_000_000_000])
    #expect(records.map(\.outcome) == ["unknown"] && records.map(\.token) == [1])
    acquisitions.settled(call(records: records))
    let ready = acquisitions.takeReady(by: "own")
    #expect(ready.flatMap(\.doubtful).map(\.nominal) == [WallInstant(secondsSinceEpoch: 42)])
    #expect(ready.flatMap(\.held).map(\.token) == [2])
    #expect(ready.flatMap(\.inheritedClaims).map(\.token) == [2, 1])
  }

  @Test(arguments: [DeliveryPolicy.atLeastOnce, .atMostOnce])
  func `an entry that this node has claimed to run it again stays doubtful until then`(
    _ delivery: DeliveryPolicy
  ) throws {
    var acquisitions = Acquisitions()
    let doubts = [
      Int64(42_000_000_000): DoubtfulEntry(
        nominal: WallInstant(secondsSinceEpoch: 42), entryCount: 1, node: "b", token: 1)
    ]
    var claims = [claim(42, leaseUntil: 43), claim(44, leaseUntil: 43)]
    for place in claims.indices { claims[place].epoch = "own" }
    acquisitions.append(
      AcquiredJob(job: "a", watermark: 0, claims: claims), try job(delivery), as: "own", timing,
      doubts: doubts)
    let records = acquisitions.nextSettled(by: "own", of: "n", at: WallInstant(secondsSinceEpoch: 50))
    #expect(records.map(\.outcome) == (delivery == .atMostOnce ? ["unknown"] : []))
    acquisitions.settled(call(records: records))
    let ready = acquisitions.takeReady(by: "own")
    #expect(ready.flatMap(\.doubtful).map(\.node) == ["b"])
    #expect(ready.flatMap(\.runAgain).count == (delivery == .atMostOnce ? 0 : 1))
    #expect(ready.flatMap(\.held).count == (delivery == .atMostOnce ? 1 : 2))
  }

  @Test(arguments: [true, false])
  func `a started entry without a claim is claimed before the job is run`(
    _ isGranted: Bool
  ) throws {
    var acquisitions = Acquisitions()
    var held = claim(44, leaseUntil: 70)
    held.epoch = "own"
    acquisitions.append(
      AcquiredJob(job: "a", watermark: 40_000_000_000, claims: [held]), try job(.atLeastOnce), as: "own",
      timing, open: [40, 42, 44].map { $0 * 1_000_000_000 })
    #expect(acquisitions.takeReady(by: "own").isEmpty, "the entry may be another node's")
    #expect(acquisitions.nextReclaimed { _ in false }.isEmpty, "claims may be published yet")
    #expect(acquisitions.nextReclaimed { _ in true }.map(\.nanoseconds) == [42_000_000_000])
    acquisitions.reclaim([answer(42, isGranted: isGranted)], as: "own", of: "n")
    let ready = acquisitions.takeReady(by: "own")
    #expect(Set(ready.flatMap(\.held).map(\.token)) == (isGranted ? [1, 2] : [1]))
    #expect(ready.flatMap(\.held).filter(\.isReclaimed).map(\.token) == (isGranted ? [2] : []))
    #expect(ready.flatMap(\.doubtful).isEmpty)
  }
}
