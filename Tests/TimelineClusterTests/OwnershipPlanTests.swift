import Testing
import TimelineCore
import TimelineStoreWire

@testable import TimelineCluster

/// Plans of a node about the owners of jobs, from its view of the cluster. The node is `a`; the epochs are the names of the
/// nodes.
@Suite struct OwnershipPlanTests {
  /// A short description of a view, and the resulting plan.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// Nodes whose lease lasts.
    var live = ["a"]
    /// Nodes whose lease has ended.
    var ended: [String] = []
    var left: [String] = []
    /// Owner of the job.
    var owner: String?
    /// Definition of each node.
    var digests = ["a": "1"]
    var active: String? = "1"
    var isRunning = false
    var mayOwn = true
    var mayTakeOver = true
    var rules: [String] = []
    var isConfigured = true
    /// The plan.
    var acquires: String??
    var isReleased = false
    var activates: String?

    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "a new job is activated and acquired", active: nil, acquires: .some(nil), activates: "1"),
    Row(name: "a job without an owner is acquired", acquires: .some(nil)),
    Row(
      name: "a job of a live node stays there", live: ["a", "b"], owner: "b", digests: ["a": "1", "b": "1"]),
    Row(name: "a job of a dead node is acquired", ended: ["b"], owner: "b", acquires: "b"),
    Row(
      name: "a job of a node that left is acquired", left: ["b"], owner: "b", mayTakeOver: false,
      acquires: "b"),
    Row(name: "a job of a forgotten node is acquired", owner: "z", acquires: "z"),
    Row(name: "after an outage owners come first", ended: ["b"], owner: "b", mayTakeOver: false),
    Row(name: "an own job that the engine lacks is acquired again", owner: "a", acquires: "a"),
    Row(name: "an own job that runs stays", owner: "a", isRunning: true),
    Row(
      name: "a removed job is released", owner: "a", isRunning: true, isConfigured: false, isReleased: true),
    Row(
      name: "another definition is active", live: ["a", "b"], digests: ["a": "1", "b": "2"], active: "2"),
    Row(
      name: "an own job by a definition that is not active any more is released", live: ["a", "b"],
      owner: "a",
      digests: ["a": "1", "b": "2"], active: "2", isRunning: true, isReleased: true),
    Row(
      name: "nodes that differ wait for somebody to activate one", live: ["a", "b"],
      digests: ["a": "1", "b": "2"], active: nil),
    Row(
      name: "of nodes that differ one with the active definition runs it", live: ["a", "b"],
      digests: ["a": "1", "b": "2"], acquires: .some(nil)),
    Row(
      name: "a dead node has no say", live: ["a"], ended: ["b"], owner: "b", digests: ["a": "1", "b": "2"],
      active: "2", acquires: "b", activates: "1"),
    Row(
      name: "live nodes that agree activate what they have", live: ["a", "b"], owner: "a",
      digests: ["a": "2", "b": "2"], isRunning: true, activates: "2"),
    Row(name: "labels are missing", rules: ["role=db"]),
    Row(name: "labels are there", rules: ["zone=a", "!role=db"], acquires: .some(nil)),
    Row(
      name: "an own job whose labels are gone is released", owner: "a", isRunning: true, rules: ["role=db"],
      isReleased: true),
    Row(
      name: "a node whose clock is off owns nothing", owner: "a", isRunning: true, mayOwn: false,
      isReleased: true),
  ]

  @Test(arguments: rows) func `owners are decided by the view`(row: Row) throws {
    var view = ClusterView()
    let nodes =
      row.live.map { NodeMessage(node: $0, epoch: $0, labels: ["zone": $0], leaseMilliseconds: 1) }
      + row.ended.map { NodeMessage(node: $0, epoch: $0, leaseMilliseconds: 0) }
      + row.left.map { NodeMessage(node: $0, epoch: $0, leaseMilliseconds: 1, hasLeft: true) }
    let job = JobMessage(job: "j", owner: row.owner, activeDigest: row.active, digests: row.digests)
    let reply = RenewReply(isLost: false, storeTime: 0, identity: "", nodes: nodes, version: 1, jobs: [job])
    let isWhole = view.take(reply)
    #expect(isWhole)
    let name: JobName = "j"
    let own = ClusterJob(
      name: name, rules: row.rules.compactMap(LabelRule.init), digest: row.digests["a"] ?? "")
    let plan = OwnershipPlan(
      for: "a", row.isConfigured ? ["j": own] : [:], running: row.isRunning ? ["j"] : [], in: view,
      mayOwn: row.mayOwn, mayTakeOver: row.mayTakeOver)
    #expect(plan.acquired == row.acquires.map { [AcquireCall.Job(job: "j", formerOwner: $0)] } ?? [])
    #expect(plan.released == (row.isReleased ? ["j"] : []))
    #expect(plan.activated == row.activates.map { ["j": $0] } ?? [:])
  }

  @Test func `a job goes to the highest hash, and only the jobs of a node that leaves move`() {
    let nodes = ["a", "b", "c", "d"].map { Placement.Candidate(node: $0, epoch: "epoch of \($0)") }
    let jobs = (0..<1_000).map { "job\($0)" }
    let before = jobs.map { Placement.owner(of: $0, among: nodes) }
    let after = jobs.map { Placement.owner(of: $0, among: Array(nodes.dropLast())) }
    for (old, new) in zip(before, after) where old != "epoch of d" { #expect(old == new) }
    for node in nodes {
      let count = before.count { $0 == node.epoch }
      #expect((200...300).contains(count), "\(node.node) has \(count)")
    }
    #expect(Placement.owner(of: "job", among: nodes.reversed()) == Placement.owner(of: "job", among: nodes))
    #expect(Placement.owner(of: "job", among: []) == nil)
  }
}
