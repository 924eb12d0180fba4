import TimelineCore
import TimelineStoreWire

/// Changes of ownership that a node plans from the present snapshot of the store, in order of the jobs' names.
struct OwnershipPlan: Sendable, Equatable {
  /// Jobs to be acquired, each with the expected owner.
  var acquired: [AcquireCall.Job] = []
  /// Jobs that the node owns and can no longer run.
  var released: [JobName] = []
  /// Definitions to be activated, because all nodes agree on them.
  var activated: [JobName: String] = [:]
}

extension OwnershipPlan {
  /// Makes the plan of the node with the epoch `epoch` and the definitions `jobs`. The node already runs or acquires the jobs
  /// in `running`.
  ///
  /// - Parameters:
  ///   - mayOwn: Whether the node's clock is right.
  ///   - mayTakeOver: Whether the end of a lease means that its node is gone; see ``NodeMembership/mayTakeOver(at:)``.
  init(
    for epoch: String, _ jobs: [JobName: ClusterJob], running: Set<JobName>, in view: ClusterView,
    mayOwn: Bool,
    mayTakeOver: Bool
  ) {
    for (name, job) in jobs.sorted(by: { $0.key < $1.key }) {
      let digests = view.liveDigests(of: name)
      var active = view.jobs[name]?.activeDigest
      if let agreed = Self.agreed(digests), agreed != active {
        if job.digest == agreed { activated[name] = agreed }
        active = agreed
      }
      let owner = view.jobs[name]?.owner
      let candidates = view.liveNodes.filter { node in
        digests[node.epoch] != nil && digests[node.epoch] == active && job.rules.areMet(by: node.labels)
          && Self.isClockRight(node)
      }
      let isCandidate = mayOwn && candidates.contains { $0.epoch == epoch }
      if owner == epoch {
        if !isCandidate {
          released.append(name)
        } else if !running.contains(name) {
          acquired.append(AcquireCall.Job(job: name.text, formerOwner: owner))
        }
      } else if isCandidate, owner.map({ view.isGone($0, endedLeasesCount: mayTakeOver) }) ?? true {
        let chosen = Placement.owner(
          of: name.text, among: candidates.map { Placement.Candidate(node: $0.node, epoch: $0.epoch) })
        if chosen == epoch { acquired.append(AcquireCall.Job(job: name.text, formerOwner: owner)) }
      }
    }
    let removed = view.jobs.filter { $0.value.owner == epoch && jobs[$0.key] == nil }
    released = (released + removed.keys).sorted()
  }

  /// Returns the digest on which all live nodes agree; `nil` if they disagree, or if no live node has the job.
  private static func agreed(_ digests: [String: String]) -> String? {
    let different = Set(digests.values)
    return different.count == 1 ? different.first : nil
  }

  private static func isClockRight(_ node: NodeMessage) -> Bool {
    node.clockOffsetMilliseconds.map {
      ClockDifference.isTolerable(.milliseconds($0))
    } ?? true
  }
}
