import Testing
import TimelineCore
import TimelineStoreWire

@testable import TimelineCluster

/// A job with an active run when the node gives it up. The next owner must not end the run as that of a node that does not
/// answer.
@Suite struct BusyJobTests {
  private let epoch = NodeEpoch(1, 2)

  /// A node with one job, `j`.
  private struct Scene {
    var node: ClusterNode
    var second: Int64 = 0
    var isBusy = true
    private(set) var hasLeft = false
    /// The call that the last event led to.
    private(set) var sent: StoreCall?
    private var number: UInt64 = 0

    init(epoch: NodeEpoch) { node = ClusterNode(ClusterSettings(cluster: "c", node: "a"), epoch: epoch) }

    mutating func handle(_ event: ClusterEvent) {
      let moment = NodeTime(
        boot: BootInstant(nanosecondsSinceBoot: second * 1_000_000_000), wall: .epoch + .seconds(second))
      let busy = isBusy
      sent = nil
      for effect in node.handle(event, at: moment, isBusy: { $0 == "j" && busy }) {
        if case .send(let request) = effect { (number, sent) = (request.id, request.call) }
        if effect == .left { hasLeft = true }
      }
    }

    mutating func answer(_ reply: StoreReply) { handle(.answered(number, .success(reply))) }

    mutating func renewed(_ epoch: NodeEpoch, digests: [String: String] = ["j": "1"]) {
      let digests = digests["j"].map { [epoch.text: $0] } ?? [:]
      let jobs = [JobMessage(job: "j", owner: epoch.text, term: 7, activeDigest: "1", digests: digests)]
      answer(
        .renew(
          RenewReply(
            isLost: false, storeTime: second * 1_000_000_000, identity: "i",
            nodes: [NodeMessage(node: "a", epoch: epoch.text, leaseMilliseconds: 10_000)], version: second,
            jobs: jobs)))
    }
  }

  private func owner() throws -> Scene {
    var scene = Scene(epoch: epoch)
    let name: JobName = "j"
    scene.handle(.configured([ClusterJob(name: name, digest: "1")]))
    scene.answer(.join(JoinReply(hasJoined: true, storeTime: 0, identity: "i")))
    scene.renewed(epoch)
    let job = AcquiredJob(job: "j", term: 7, watermark: 0)
    scene.answer(.acquire(AcquireReply(isLost: false, jobs: [job])))
    #expect(scene.node.running == [name])
    return scene
  }

  @Test func `a busy job is released when its run has ended`() throws {
    var scene = try owner()
    scene.second = 1
    scene.handle(.configured([]))
    scene.renewed(epoch, digests: [:])
    #expect(scene.node.running.isEmpty && scene.sent == nil)
    scene.isBusy = false
    scene.handle(.wake)
    #expect(scene.sent == .release(ReleaseCall(jobs: [.init(job: "j", term: 7)])))
  }

  @Test func `a node leaves when no job is busy`() throws {
    var scene = try owner()
    scene.second = 1
    scene.handle(.leave)
    scene.renewed(epoch, digests: [:])
    #expect(scene.node.isMember && scene.sent == nil)
    scene.isBusy = false
    scene.handle(.wake)
    #expect(scene.sent == .leave)
    #expect(!scene.hasLeft)
    scene.answer(.done)
    #expect(scene.hasLeft)
  }
}
