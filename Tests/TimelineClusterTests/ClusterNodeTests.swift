import Testing
import TimelineCore
import TimelineEngine
import TimelineStoreWire

@testable import TimelineCluster

@Suite struct `A node of a cluster` {
  private func time(_ milliseconds: Int64) -> NodeTime {
    NodeTime(
      boot: BootInstant(nanosecondsSinceBoot: milliseconds * 1_000_000),
      wall: WallInstant(nanosecondsSinceEpoch: milliseconds * 1_000_000))
  }

  @Test func `does not join anew when it is expelled while it leaves`() {
    var node = ClusterNode(ClusterSettings(cluster: "c", node: "a"), epoch: NodeEpoch(1, 2))
    let joining = node.handle(.configured([]), at: time(0))
    #expect(joining.contains { if case .send(1, .join) = $0 { true } else { false } })
    let joined = JoinReply(hasJoined: true, storeTime: 0, identity: "s")
    let renewing = node.handle(.answered(1, .success(.join(joined))), at: time(0))
    #expect(renewing.contains { if case .send(2, .renew) = $0 { true } else { false } })
    #expect(!node.handle(.leave, at: time(1)).contains(.left), "the renewal is under way")
    let lost = RenewReply(isLost: true, storeTime: 0, identity: "s", nodes: [], version: 1, jobs: nil)
    #expect(node.handle(.answered(2, .success(.renew(lost))), at: time(2)).contains(.left))
    #expect(!node.isMember)
  }

  @Test func `publishes its claims when it joins the server that has taken the place of the store`() throws {
    let job = try #require(JobName("a"))
    let entry = EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: 1))
    var node = ClusterNode(ClusterSettings(cluster: "c", node: "a"), epoch: NodeEpoch(1, 2))
    var number: UInt64 = 0
    var sent: [StoreCall] = []
    func handle(_ event: ClusterEvent) {
      for case .send(let sentNumber, let call) in node.handle(event, at: time(0)) {
        number = sentNumber
        sent.append(call)
      }
    }
    func answer(_ reply: StoreReply) { handle(.answered(number, .success(reply))) }
    func renewed(_ server: String, isLost: Bool = false) -> StoreReply {
      let own = NodeMessage(node: "a", epoch: node.epoch, leaseMilliseconds: 10_000)
      let jobs = [
        JobMessage(job: "a", owner: node.epoch, term: 1, activeDigest: "1", digests: [node.epoch: "1"])
      ]
      return .renew(
        RenewReply(
          isLost: isLost, storeTime: 0, identity: server, nodes: [own], version: 1, jobs: isLost ? nil : jobs)
      )
    }
    handle(.configured([ClusterJob(name: job, digest: "1")]))
    answer(.join(JoinReply(hasJoined: true, storeTime: 0, identity: "s")))
    answer(renewed("s"))
    answer(.acquire(AcquireReply(isLost: false, jobs: [AcquiredJob(job: "a", term: 1, watermark: 0)])))
    handle(.claim([entry]))
    answer(
      .claim(
        ClaimReply(
          isLost: false, answers: [ClaimReply.Answer(StoredKey(entry), isGranted: true, token: 7)])))
    handle(.started(entry))
    // The standby has never heard of the node.
    handle(.wake)
    handle(.configured([ClusterJob(name: job, digest: "1")]))
    answer(renewed("standby", isLost: true))
    answer(.join(JoinReply(hasJoined: true, storeTime: 0, identity: "standby")))
    answer(renewed("standby"))
    let published = sent.compactMap { call in if case .publish(let call) = call { call.claims } else { nil } }
    #expect(published == [[PublishCall.Claim(StoredKey(entry), token: 7)]])
  }
}
