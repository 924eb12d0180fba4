import Testing
import TimelineCluster
import TimelineCore
import TimelineStoreWire

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
}
