import TimelineCore
import TimelineStoreWire

/// The cluster as the store showed it at the last renewal.
struct ClusterView: Sendable, Hashable {
  /// Nodes that have not been forgotten, by epoch.
  private(set) var nodes: [String: NodeMessage] = [:]
  /// Jobs of the cluster.
  private(set) var jobs: [String: JobMessage] = [:]
  /// Version of the jobs; `nil` before the first view.
  private(set) var version: Int64?
  /// Jobs of a later version, of which more follow.
  private var part: Part?

  private struct Part: Sendable, Hashable {
    let version: Int64
    var jobs: [JobMessage]
  }

  /// Takes in a renewal's reply; returns whether all jobs of its version are known now.
  mutating func take(_ reply: RenewReply) -> Bool {
    nodes = Dictionary(reply.nodes.map { ($0.epoch, $0) }, uniquingKeysWith: { $1 })
    guard let jobs = reply.jobs else { return true }
    guard part == nil || part?.version == reply.version else {
      // What was read of the jobs is of an earlier version.
      part = nil
      return false
    }
    let all = (part?.jobs ?? []) + jobs
    part = reply.hasMoreJobs ? Part(version: reply.version, jobs: all) : nil
    if reply.hasMoreJobs { return false }
    self.jobs = Dictionary(all.map { ($0.job, $0) }, uniquingKeysWith: { $1 })
    version = reply.version
    return true
  }

  /// Name of the job behind which the next part of the jobs begins; `nil` for the first part.
  var lastOfPart: String? { part?.jobs.last?.job }

  /// Forgets the version, so that the next view has all jobs.
  mutating func forgetVersion() { (version, part) = (nil, nil) }

  /// Notes that the node with this epoch owns a job, before the next view says so.
  mutating func setOwner(of job: String, _ epoch: String, term: Int64) {
    jobs[job, default: JobMessage(job: job)].owner = epoch
    jobs[job]?.term = term
  }

  /// Notes that nobody owns a job, before the next view says so.
  mutating func removeOwner(of job: String) { jobs[job]?.owner = nil }

  /// Term of a job's present owner, or of its last one.
  func term(of job: String) -> Int64 { jobs[job]?.term ?? 0 }

  /// Notes the definition by which a job runs, before the next view says so.
  mutating func activate(_ job: String, _ digest: String) {
    jobs[job, default: JobMessage(job: job)].activeDigest = digest
  }

  /// The nodes whose lease lasts.
  var liveNodes: some Sequence<NodeMessage> {
    nodes.values.lazy.filter { $0.leaseMilliseconds > 0 && !$0.hasLeft }
  }

  /// Whether the lease of an epoch lasts.
  func isLive(_ epoch: String) -> Bool {
    nodes[epoch].map { $0.leaseMilliseconds > 0 && !$0.hasLeft } ?? false
  }

  /// Whether the node with an epoch is gone: it left, or its lease has ended and that counts.
  func isGone(_ epoch: String, endedLeasesCount: Bool) -> Bool {
    guard let node = nodes[epoch] else { return true }
    return node.hasLeft || endedLeasesCount && node.leaseMilliseconds <= 0
  }

  /// Jobs that no node can run, with the node that had each last, in order of their names: the lease of their owner has ended, and no live
  /// node defines them. A job that its owner gave up is not among them: it was removed.
  var orphans: [(job: String, node: String)] {
    jobs.values.compactMap { job in
      guard let owner = job.owner, !isLive(owner), let node = nodes[owner], liveDigests(of: job.job).isEmpty
      else { return nil }
      return (job.job, node.node)
    }.sorted { $0.job < $1.job }
  }

  /// The definitions of a job, by the epoch of each live node that has one.
  func liveDigests(of job: String) -> [String: String] {
    (jobs[job]?.digests ?? [:]).filter { isLive($0.key) }
  }
}
