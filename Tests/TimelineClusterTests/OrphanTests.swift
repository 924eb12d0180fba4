import Testing
import TimelineCore
import TimelineStoreWire

@testable import TimelineCluster

/// Jobs that no node can run, because the only nodes that define them are gone.
@Suite struct `Jobs that no node can run` {
  /// Facts about a job and its nodes as the store shows them; `lease` is that of the job's last node, in milliseconds.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var owner: String? = "gone"
    var lease: Int64 = 0
    var isShown = true
    var digests: [String: String] = ["gone": "1"]
    let isOrphan: Bool
  }

  static let cases = [
    Case(testDescription: "its node is dead", isOrphan: true),
    Case(testDescription: "its node lives", lease: 1, isOrphan: false),
    Case(testDescription: "another node that lives defines it", digests: ["here": "1"], isOrphan: false),
    Case(testDescription: "its node gave it up", owner: nil, isOrphan: false),
    Case(testDescription: "its node is not shown any more", isShown: false, isOrphan: false),
  ]

  private func reply(_ it: Case) -> RenewReply {
    let gone = NodeMessage(node: "b", epoch: "gone", leaseMilliseconds: it.lease)
    let here = NodeMessage(node: "a", epoch: "here", leaseMilliseconds: 10_000)
    let job = JobMessage(job: "report", owner: it.owner, term: 1, digests: it.digests)
    return RenewReply(
      isLost: false, storeTime: 0, identity: "s", nodes: it.isShown ? [gone, here] : [here], version: 1,
      jobs: [job])
  }

  private func see(_ reply: RenewReply, _ ownership: inout JobOwnership) -> [[String]] {
    var effects: [ClusterEffect] = []
    _ = ownership.see(reply, as: "here", mayOwn: true, mayTakeOver: true, &effects)
    return effects.compactMap { if case .tell(.orphaned(let names)) = $0 { names } else { nil } }
  }

  @Test(arguments: cases) func `a job without a live node that defines it is orphaned`(_ it: Case) {
    var ownership = JobOwnership()
    #expect(see(reply(it), &ownership) == (it.isOrphan ? [["report"]] : []))
    #expect(ownership.orphans.map(\.node) == (it.isOrphan ? ["b"] : []))
    #expect(see(reply(it), &ownership).isEmpty, "people are told once")
  }

  @Test func `a job that this node is about to send to the store is not orphaned`() throws {
    var (ownership, effects) = (JobOwnership(), [ClusterEffect]())
    let job = ClusterJob(
      name: "report", delivery: .atMostOnce, countedSchedule: nil, digest: "1")
    ownership.configure([job], &effects)
    #expect(see(reply(Self.cases[0]), &ownership).isEmpty && ownership.orphans.isEmpty)
  }
}
