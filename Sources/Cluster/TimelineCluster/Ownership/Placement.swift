import TimelineCore
import TimelineEngine

/// The choice of a node for a job: the highest hash of both names (rendezvous hashing). When a node leaves, only its own jobs
/// move.
enum Placement {
  /// A node that can run the job.
  struct Candidate: Sendable, Equatable {
    let node: String
    let epoch: String
  }

  /// Returns the epoch of the node that is to own the job; `nil` without candidates.
  static func owner(of job: String, among candidates: [Candidate]) -> String? {
    candidates.max { (rank(job, $0.node), $0.node) < (rank(job, $1.node), $1.node) }?.epoch
  }

  private static func rank(_ job: String, _ node: String) -> UInt64 {
    var hash = StableHash()
    hash.combine(job)
    hash.combine(node)
    return hash.value
  }
}
