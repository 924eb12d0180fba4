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

  private func joins(_ effects: [ClusterEffect]) -> [JoinCall] {
    effects.compactMap { effect in
      if case .send(let request) = effect, case .join(let call) = request.call { call } else { nil }
    }
  }

  private func sends(_ number: UInt64, _ method: StoreMethod, _ effect: ClusterEffect) -> Bool {
    if case .send(let request) = effect {
      request.id == number && request.call.method == method
    } else {
      false
    }
  }

  private func refusal(by holder: String, _ milliseconds: Int64) -> Result<StoreReply, StoreFailure> {
    .success(
      .join(
        JoinReply(
          hasJoined: false, holder: holder, holderLeaseMilliseconds: milliseconds, storeTime: 0, identity: "s"
        )))
  }

  private func holders(_ effects: [ClusterEffect]) -> [NameHolder] {
    effects.compactMap { if case .tell(.nameTaken(let holder)) = $0 { holder } else { nil } }
  }

  @Test(arguments: [(FormerLife(store: "s"), nil), (FormerLife(epoch: "e", store: "s"), "e")])
  func `inherits only from a last life that has certainly ended`(_ former: FormerLife, _ epoch: String?) {
    var node = ClusterNode(
      ClusterSettings(cluster: "c", node: "a"), epoch: NodeEpoch(1, 2), following: former)
    #expect(joins(node.handle(.configured([]), at: time(0))).map(\.formerEpoch) == [epoch])
  }

  private static let reassigned = [ReassignedClaim(EntryKey(job: "a", nanoseconds: 1), granted: 8, token: 9)]

  @Test(
    arguments: [(nil, [], true), ("e", [], false), ("e", reassigned, true)]
      as [(String?, [ReassignedClaim], Bool)])
  func `sends outcomes of its last life before it joins without inheriting, or with reassigned tokens`(
    _ epoch: String?, _ reassigned: [ReassignedClaim], _ areFirst: Bool
  ) {
    var former = FormerLife(epoch: epoch)
    former.reassigned = reassigned
    var node = ClusterNode(
      ClusterSettings(cluster: "c", node: "a"), epoch: NodeEpoch(1, 2), following: former)
    let effects = node.handle(.hasRecords(true), at: time(0))
    #expect(effects.contains(.sendRecords(1)) == areFirst)
    #expect(joins(effects).isEmpty == areFirst)
    guard areFirst else { return }
    // The store may refuse them permanently; the node must still join.
    let failed = node.handle(
      .answered(1, .failure(StoreFailure(.refused, "full"))), at: time(10))
    #expect(joins(failed).isEmpty, "not before the pause after a failure")
    #expect(joins(node.handle(.wake, at: time(5_000))).count == 1)
    let joined = JoinReply(hasJoined: true, storeTime: 5_000_000_000, identity: "s")
    var present = FormerLife(epoch: node.epoch, store: "s")
    present.reassigned = reassigned
    // It is kept before anything can be started.
    #expect(node.handle(.answered(2, .success(.join(joined))), at: time(5_000)).first == .keep(present))
  }

  @Test func `reports the holder of its name, and once more when the holder renews its lease`() {
    var node = ClusterNode(ClusterSettings(cluster: "c", node: "a"), epoch: NodeEpoch(1, 2))
    _ = node.handle(.configured([]), at: time(0))
    let found = holders(node.handle(.answered(1, refusal(by: "e", 7_000)), at: time(0)))
    #expect(found.map(\.epoch) == ["e"] && found.map(\.isAlive) == [false])
    #expect(node.nameHolder == found.first)
    // A daemon that has just died renews nothing before its lease ends.
    let steps = [(4_000, 3_000, 0), (7_500, 9_000, 1), (11_000, 9_000, 0)] as [(Int64, Int64, Int)]
    for (number, (instant, lease, count)) in zip((2 as UInt64)..., steps) {
      #expect(joins(node.handle(.wake, at: time(instant))).count == 1)
      let told = holders(node.handle(.answered(number, refusal(by: "e", lease)), at: time(instant)))
      #expect(told.map(\.isAlive) == Array(repeating: true, count: count))
    }
    #expect(node.nameHolder?.since == time(0).wall)
    _ = node.handle(.wake, at: time(15_000))
    let joined = JoinReply(hasJoined: true, storeTime: 15_000_000_000, identity: "s")
    let effects = node.handle(.answered(5, .success(.join(joined))), at: time(15_000))
    #expect(effects.contains(.keep(FormerLife(epoch: node.epoch, store: "s"))))
    #expect(node.isMember && node.nameHolder == nil)
  }

  @Test func `does not join again when it is expelled while leaving`() {
    var node = ClusterNode(ClusterSettings(cluster: "c", node: "a"), epoch: NodeEpoch(1, 2))
    let joining = node.handle(.configured([]), at: time(0))
    #expect(joining.contains { sends(1, .join, $0) })
    let joined = JoinReply(hasJoined: true, storeTime: 0, identity: "s")
    let renewing = node.handle(.answered(1, .success(.join(joined))), at: time(0))
    #expect(renewing.contains { sends(2, .renew, $0) })
    #expect(!node.handle(.leave, at: time(1)).contains(.left), "the renewal is under way")
    let lost = RenewReply(isLost: true, storeTime: 0, identity: "s", nodes: [], version: 1, jobs: nil)
    #expect(node.handle(.answered(2, .success(.renew(lost))), at: time(2)).contains(.left))
    #expect(!node.isMember)
  }

  @Test func `publishes its claims when it joins the server that has taken the place of the store`() throws {
    let job: JobName = "a"
    let entry = EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: 1))
    var node = ClusterNode(ClusterSettings(cluster: "c", node: "a"), epoch: NodeEpoch(1, 2))
    var number: UInt64 = 0
    var sent: [StoreCall] = []
    func handle(_ event: ClusterEvent) {
      for case .send(let request) in node.handle(event, at: time(0)) {
        #expect(request.caller == StoreCaller(cluster: "c", epoch: node.epoch))
        number = request.id
        sent.append(request.call)
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
          isLost: false, answers: [ClaimReply.Answer(entry, isGranted: true, token: 7)])))
    handle(.started(entry))
    // The standby has no record of the node.
    handle(.wake)
    handle(.configured([ClusterJob(name: job, digest: "1")]))
    answer(renewed("standby", isLost: true))
    answer(.join(JoinReply(hasJoined: true, storeTime: 0, identity: "standby")))
    answer(renewed("standby"))
    let published = sent.compactMap { call in if case .publish(let call) = call { call.claims } else { nil } }
    #expect(published == [[PublishedClaim(entry, token: 7)]])
  }
}
