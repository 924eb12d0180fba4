import Testing
import TimelineCore
import TimelineEngine
import TimelineStoreWire

@testable import TimelineCluster

/// Jobs of a node whose lease may have ended. One of them goes on while the store does not answer.
@Suite struct `Jobs whose owner goes on` {
  private let epoch = NodeEpoch(1, 2)

  /// A node that owns two jobs: `go` goes on, `stay` holds.
  private struct Scene {
    var node: ClusterNode
    let epoch: NodeEpoch
    private(set) var effects: [ClusterEffect] = []
    private var number: UInt64 = 0
    private var second: Int64 = 0

    init(_ epoch: NodeEpoch) throws {
      self.epoch = epoch
      node = ClusterNode(
        ClusterSettings(cluster: "c", node: "a", lease: .seconds(10)), epoch: epoch)
      let (go, stay): (JobName, JobName) = ("go", "stay")
      handle(
        .configured([
          ClusterJob(name: go, delivery: .atLeastOnce, storeDown: .ownerRuns, digest: "1"),
          ClusterJob(name: stay, delivery: .atLeastOnce, digest: "1"),
        ]), at: 0)
      succeed(.join(JoinReply(hasJoined: true, storeTime: 0, identity: "i")))
      renew(owner: epoch.text)
      succeed(
        .acquire(
          AcquireReply(
            isLost: false, jobs: ["go", "stay"].map { AcquiredJob(job: $0, term: 1, watermark: 0) })))
      claim("go", 5)
      let key = EntryKey(job: "go", nanoseconds: 5_000_000_000)
      succeed(
        .claim(ClaimReply(isLost: false, answers: [ClaimReply.Answer(key, isGranted: true, token: 40)])))
    }

    mutating func handle(_ event: ClusterEvent, at second: Int64) {
      self.second = second
      effects = node.handle(
        event,
        at: NodeTime(
          boot: BootInstant(nanosecondsSinceBoot: second * 1_000_000_000), wall: .epoch + .seconds(second)))
      for case .send(let request) in effects { number = request.id }
    }

    mutating func succeed(_ reply: StoreReply) { handle(.answered(number, .success(reply)), at: second) }

    mutating func fail(at second: Int64) {
      handle(.wake, at: second)
      handle(.answered(number, .failure(StoreFailure(.unavailable, "no route"))), at: second)
    }

    mutating func claim(_ job: String, _ nominal: Int64) {
      guard let name = JobName(job) else { return }
      handle(
        .claim([EntryKey(job: name, nominal: WallInstant(secondsSinceEpoch: nominal))]), at: second)
    }

    mutating func renew(owner: String) {
      let jobs = ["go", "stay"].map {
        JobMessage(job: $0, owner: owner, term: 1, activeDigest: "1", digests: [epoch.text: "1"])
      }
      let nodes = [NodeMessage(node: "a", epoch: epoch.text, leaseMilliseconds: 10_000)]
      succeed(
        .renew(
          RenewReply(
            isLost: false, storeTime: second * 1_000_000_000, identity: "i", nodes: nodes,
            version: second + 1, jobs: jobs)))
    }

    var running: [String] { node.running.map(\.text).sorted() }
    var answers: [ClaimAnswer] {
      var found: [ClaimAnswer] = []
      for case .answer(let answers) in effects { found += answers }
      return found
    }
  }

  @Test func `jobs are detached only if the store is silent, and their entries have the last token`() throws {
    var scene = try Scene(epoch)
    #expect(scene.running == ["go", "stay"])
    scene.claim("go", 20)
    #expect(scene.answers.isEmpty, "the store is asked")
    scene.fail(at: 4)
    scene.handle(.wake, at: 9)
    #expect(scene.running == ["go"])
    #expect(scene.answers.map(\.token) == [40])
    scene.claim("go", 30)
    #expect(scene.answers.map(\.token) == [40])
    let go: JobName = "go"
    let stay: JobName = "stay"
    let now = NodeTime(
      boot: BootInstant(nanosecondsSinceBoot: 100_000_000_000), wall: WallInstant(secondsSinceEpoch: 1_000))
    #expect(scene.node.mayStart(go, at: now) && !scene.node.mayStart(stay, at: now))
    #expect(scene.node.firstUnclaimed(of: [go, stay]) == [go: WallInstant(secondsSinceEpoch: 20)])
    scene.node.ended(EntryKey(job: go, nominal: WallInstant(secondsSinceEpoch: 20)))
    #expect(scene.node.firstUnclaimed(of: [go, stay]) == [go: WallInstant(secondsSinceEpoch: 30)])
  }

  @Test func `a node that was stopped for a while without a failed call hands its jobs over`() throws {
    var scene = try Scene(epoch)
    scene.handle(.wake, at: 9)
    #expect(scene.running.isEmpty)
  }

  @Test(arguments: [(isOwner: true, ["go"]), (isOwner: false, [])])
  func `the next view decides who owns the jobs`(_ isOwner: Bool, _ running: [String]) throws {
    var scene = try Scene(epoch)
    scene.fail(at: 4)
    scene.handle(.wake, at: 9)
    let go: JobName = "go"
    #expect(scene.node.isDetached(go))
    scene.handle(.wake, at: 10)
    scene.renew(owner: isOwner ? epoch.text : "other")
    #expect(scene.running == running)
    #expect(!scene.node.isDetached(go))
  }

  @Test(
    arguments: [(nil, true, false), ("other", true, false), ("own", false, true)] as [(String?, Bool, Bool)])
  func `a failure without a claim is withheld until a view shows that the node owns the job`(
    _ owner: String?, _ isWithheld: Bool, _ isReleased: Bool
  ) throws {
    var scene = try Scene(epoch)
    let go: JobName = "go"
    let failed = { (second: Int64) in
      EntryRecord(
        entry: EntryKey(job: go, nominal: WallInstant(secondsSinceEpoch: second)), outcome: .failed,
        reason: "refused", startedAt: WallInstant(secondsSinceEpoch: second),
        endedAt: WallInstant(secondsSinceEpoch: second), attempts: 1)
    }
    #expect(!scene.node.withholds(failed(5)), "it has a claim")
    scene.claim("go", 20)
    scene.fail(at: 4)
    scene.handle(.wake, at: 9)
    #expect(scene.node.withholds(failed(20)))
    #expect(!scene.node.releasesWithheld(of: go))
    scene.handle(.wake, at: 10)
    if let owner { scene.renew(owner: owner == "own" ? epoch.text : owner) }
    #expect(scene.node.withholds(failed(20)) == isWithheld)
    #expect(scene.node.releasesWithheld(of: go) == isReleased)
    // The lease may have ended again, and the view is old.
    scene.handle(.wake, at: 40)
    #expect(scene.node.withholds(failed(20)))
    #expect(!scene.node.releasesWithheld(of: go))
  }
}
