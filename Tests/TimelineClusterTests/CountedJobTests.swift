import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineStoreWire

@testable import TimelineCluster

/// A job with more than one entry a second, which is claimed by windows of two seconds.
@Suite struct CountedJobTests {
  /// A node with one job, `j`, of four entries a second.
  private struct Scene {
    let name: JobName
    let epoch = NodeEpoch(1, 2)
    var node: ClusterNode
    var second: Int64 = 101
    private(set) var sent: StoreCall?
    private(set) var recordCount = 0
    private(set) var taken: [OwnedJob] = []
    private var number: UInt64 = 0

    init() throws {
      name = "j"
      node = ClusterNode(ClusterSettings(cluster: "c", node: "a"), epoch: epoch)
      let schedule = every(.milliseconds(250))
      handle(.configured([ClusterJob(name: name, countedSchedule: schedule, digest: "1")]))
      answer(.join(JoinReply(hasJoined: true, storeTime: 0, identity: "i")))
      renewed()
    }

    var moment: NodeTime {
      NodeTime(
        boot: BootInstant(nanosecondsSinceBoot: second * 1_000_000_000), wall: .epoch + .seconds(second))
    }

    mutating func handle(_ event: ClusterEvent) {
      sent = nil
      for effect in node.handle(event, at: moment) {
        switch effect {
        case .send(let request): (number, sent) = (request.id, request.call)
        case .sendRecords(let number): (self.number, recordCount) = (number, recordCount + 1)
        case .takeOver(let jobs): taken += jobs
        default: break
        }
      }
    }

    mutating func answer(_ reply: StoreReply) { handle(.answered(number, .success(reply))) }

    mutating func renewed() {
      let job = JobMessage(
        job: "j", owner: epoch.text, term: 7, activeDigest: "1", digests: [epoch.text: "1"])
      answer(
        .renew(
          RenewReply(
            isLost: false, storeTime: second * 1_000_000_000, identity: "i",
            nodes: [NodeMessage(node: "a", epoch: epoch.text, leaseMilliseconds: 10_000)], version: second,
            jobs: [job])))
    }

    mutating func acquired(_ claims: [OpenClaim] = [], watermark: Int64? = nil) {
      let watermark = watermark.map { $0 * 1_000_000_000 }
      answer(
        .acquire(
          AcquireReply(
            isLost: false, jobs: [AcquiredJob(job: "j", term: 7, watermark: watermark, claims: claims)])))
      // The beginning of a new job is stored.
      if watermark == nil { answer(.conflicts(ConflictReply(conflicts: []))) }
    }

    /// Ends of the windows that the last call claims.
    var claimed: [Int64] {
      guard case .claim(let call)? = sent else { return [] }
      return call.claims.map { $0.key.nanoseconds / 1_000_000_000 }
    }

    mutating func grant(_ ends: [Int64], isGranted: Bool = true) {
      let answers = ends.map { end in
        ClaimReply.Answer(
          EntryKey(job: "j", nanoseconds: end * 1_000_000_000), isGranted: isGranted,
          token: isGranted ? end : nil)
      }
      answer(.claim(ClaimReply(isLost: false, answers: answers)))
    }

    mutating func settle(_ milliseconds: Int64, _ outcome: Outcome) {
      let entry = EntryKey(job: name, nominal: .epoch + .milliseconds(milliseconds))
      node.counted(
        EntryRecord(entry: entry, cause: .schedule, outcome: outcome, reason: "", endedAt: entry.nominal))
    }
  }

  @Test func `the job is run when a window is granted, and not after the window`() throws {
    var scene = try Scene()
    scene.acquired(watermark: 90)
    #expect(scene.claimed == [102, 104, 106])
    #expect(scene.node.running.isEmpty && scene.taken.isEmpty)
    scene.grant([102])
    #expect(scene.taken.map(\.watermark) == [WallInstant(secondsSinceEpoch: 100)])
    #expect(scene.node.mayStart(scene.name, at: scene.moment))
    #expect(
      scene.node.token(of: EntryKey(job: scene.name, nominal: .epoch), at: scene.moment.wall) == 102)
    scene.second = 103
    #expect(!scene.node.mayStart(scene.name, at: scene.moment) && scene.node.isLate(at: scene.moment))
    scene.handle(.wake)
    #expect(scene.node.running.isEmpty)
  }

  @Test func `entries before the first window are missed`() throws {
    var scene = try Scene()
    scene.acquired(watermark: 90)
    scene.grant([102, 104, 106])
    let records = scene.node.windowRecords
    #expect(records.map(\.outcome) == ["missed"] && records.map(\.entryCount) == [40])
    #expect(records.map(\.firstNominal) == [90_250_000_000])
    #expect(records.map(\.key.nanoseconds) == [100_000_000_000])
    #expect(scene.recordCount == 1, "they are sent")
  }

  @Test func `a window is recorded at its end with the counts of its outcomes`() throws {
    var scene = try Scene()
    scene.acquired()
    scene.grant([102, 104, 106])
    scene.settle(101_250, .succeeded)
    scene.settle(101_500, .overlapped)
    scene.settle(101_750, .succeeded)
    scene.handle(.wake)
    #expect(scene.node.windowRecords.isEmpty)
    scene.second = 103
    scene.handle(.wake)
    let record = try #require(scene.node.windowRecords.first)
    #expect(record.key.nanoseconds == 102_000_000_000 && record.firstNominal == 101_250_000_000)
    #expect(record.outcome == "succeeded" && record.reason == "2 succeeded, 1 overlapped")
    #expect(record.entryCount == 3 && record.token == 102)
    scene.node.recorded([record.key])
    #expect(scene.node.windowRecords.isEmpty)
  }

  @Test func `records of the last minute are sent again to the server that takes the store's place`()
    throws
  {
    let job: JobName = "j"
    var book = WindowTable()
    func record(_ end: Int64) -> EntryKey {
      let key = EntryKey(job: "j", nanoseconds: end * 1_000_000_000)
      book.hold(key)
      let entry = EntryKey(job: job, nominal: key.nominal)
      let outcome = EntryRecord(
        entry: entry, cause: .schedule, outcome: .succeeded, reason: "", endedAt: entry.nominal)
      _ = book.settle(outcome, isRunning: true) { _ in 1 }
      let writer = WindowTable.Writer(epoch: "e", node: "a", now: key.nanoseconds + 1)
      _ = book.close(writer, isOver: { _ in false }, token: { _ in 1 })
      return key
    }
    let first = record(102)
    book.stored([first])
    #expect(book.records.isEmpty)
    book.tellAgain()
    #expect(book.records.map(\.key) == [first] && book.isRecorded(first))
    book.stored([first])
    let last = record(164)
    book.stored([last])
    let waiting = record(166)
    book.tellAgain()
    #expect(book.records.map(\.key) == [last, waiting])
  }

  /// A window from 100 to 102 in which a run of the entry at 100.4 goes on, for a job with an entry every 400 ms.
  private func bookWithRun() throws -> (WindowTable, JobName, WindowTable.Writer) {
    let job: JobName = "j"
    var book = WindowTable()
    book.hold(EntryKey(job: "j", nanoseconds: 102_000_000_000))
    _ = book.start(EntryKey(job: job, nominal: .epoch + .milliseconds(100_400)))
    return (book, job, WindowTable.Writer(epoch: "e", node: "a", now: 105_000_000_000))
  }

  @Test func `a window with an active run counts entries missed in it, and has one record`() throws {
    var (book, _, writer) = try bookWithRun()
    book.addMissed("j", first: 100_800_000_000, last: 102_000_000_000, count: 4, writer)
    #expect(book.records.isEmpty)
    _ = book.close(writer, isOver: { _ in false }, token: { _ in 1 })
    #expect(book.records.map(\.key.nanoseconds) == [102_000_000_000] && book.records.map(\.entryCount) == [4])
    #expect(
      book.records.map(\.firstNominal) == [100_400_000_000] && book.records.map(\.outcome) == ["missed"])
  }

  @Test
  func `entries of a lost job count up to the last window in use, and later ones belong to the next owner`()
    throws
  {
    var (book, job, writer) = try bookWithRun()
    let overlapped = EntryRecord(
      entry: EntryKey(job: job, nominal: .epoch + .milliseconds(105_600)), cause: .schedule,
      outcome: .overlapped,
      reason: "", endedAt: .epoch + .milliseconds(105_800), entryCount: 13,
      firstNominal: .epoch + .milliseconds(100_800))
    var spans: [ClosedRange<Int64>] = []
    let key = book.settle(overlapped, isRunning: false) { span in
      spans.append(span)
      return 4
    }
    #expect(key?.nanoseconds == 102_000_000_000 && spans == [100_800_000_000...102_000_000_000])
    #expect(book.reached("j") == 102_000_000_000)
    _ = book.close(writer, isOver: { _ in true }, token: { _ in 1 })
    #expect(book.records.map(\.entryCount) == [4])
    #expect(book.settle(overlapped, isRunning: false) { _ in 0 } == nil, "it has no window any more")
  }

  @Test func `windows settled for a silent owner count until the store's watermark passes them`() {
    var book = WindowTable()
    for end in [102, 104, 106] as [Int64] { book.noteSettled(EntryKey(job: "j", nanoseconds: end)) }
    #expect(book.takeSettled("other", after: nil) == [])
    #expect(book.takeSettled("j", after: nil) == [102, 104, 106])
    #expect(book.takeSettled("j", after: 104) == [106])
    #expect(book.takeSettled("j", after: nil) == [106], "the others are forgotten")
  }

  @Test func `the job begins after the last window that its former owner may have used`() throws {
    var scene = try Scene()
    let claims = [102, 104, 110].map { end in
      OpenClaim(
        nominal: end * 1_000_000_000, entryCount: 8, node: "b", epoch: "former", token: 1,
        leaseUntil: 101_000_000_000)
    }
    scene.acquired(claims, watermark: 100)
    guard case .record(let call)? = scene.sent else {
      Issue.record("\(String(describing: scene.sent))")
      return
    }
    #expect(
      call.records.map(\.outcome) == ["unknown"], "the window after 102 begins when its lease has ended")
    #expect(call.records.map(\.entryCount) == [8])
    #expect(call.records.map(\.firstNominal) == [100_250_000_000])
    scene.answer(.conflicts(ConflictReply(conflicts: [])))
    guard case .take(let call)? = scene.sent else {
      Issue.record("\(String(describing: scene.sent))")
      return
    }
    #expect(call.claims.map(\.key.nanoseconds) == [104_000_000_000, 110_000_000_000])
    scene.grant([104, 110])
    #expect(scene.taken.isEmpty, "it is not 102 yet")
    scene.second = 103
    scene.handle(.wake)
    #expect(scene.taken.map(\.watermark) == [WallInstant(secondsSinceEpoch: 102)])
  }

  @Test func `a window of another node is skipped`() throws {
    var scene = try Scene()
    scene.acquired()
    scene.grant([102], isGranted: false)
    #expect(scene.claimed == [104, 106])
    scene.grant([104, 106])
    #expect(scene.taken.isEmpty)
    scene.second = 103
    scene.handle(.wake)
    #expect(scene.node.running == [scene.name])
  }
}
