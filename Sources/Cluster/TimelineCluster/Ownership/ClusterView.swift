import TimelineCore
import TimelineStoreWire

/// Snapshot of the store: the nodes and jobs of the cluster at the last renewal.
struct ClusterView: Sendable, Equatable {
  /// Nodes that are still in the store, by epoch.
  private(set) var nodes: [String: NodeMessage] = [:]
  private(set) var jobs: [JobName: JobMessage] = [:]
  /// Version of ``jobs``; `nil` before the first snapshot.
  private(set) var version: Int64?
  /// Received part of the jobs of a later version.
  private var part: Part?

  private struct Part: Sendable, Equatable {
    let version: Int64
    var jobs: [JobMessage]
  }

  /// Applies the reply to a renewal. Returns whether all jobs of its version have been received.
  mutating func take(_ reply: RenewReply) -> Bool {
    nodes = Dictionary(reply.nodes.map { ($0.epoch, $0) }, uniquingKeysWith: { $1 })
    guard let jobs = reply.jobs else { return true }
    guard part == nil || part?.version == reply.version else {
      // The received part is of an earlier version.
      part = nil
      return false
    }
    let all = (part?.jobs ?? []) + jobs
    part = reply.hasMoreJobs ? Part(version: reply.version, jobs: all) : nil
    if reply.hasMoreJobs { return false }
    // A later version of the program may have jobs with other names, which this node cannot have.
    self.jobs = Dictionary(
      all.compactMap { job in JobName(job.job).map { ($0, job) } }, uniquingKeysWith: { $1 })
    version = reply.version
    return true
  }

  /// Name of the last job of the received part; `nil` if the first part is next.
  var lastOfPart: String? { part?.jobs.last?.job }

  /// Resets the version, so that the next snapshot has all jobs.
  mutating func forgetVersion() { (version, part) = (nil, nil) }

  /// Sets the owner of a job before the next snapshot shows the change.
  mutating func setOwner(of job: JobName, _ epoch: String, term: Int64) {
    jobs[job, default: JobMessage(job: job.text)].owner = epoch
    jobs[job]?.term = term
  }

  /// Removes the owner of a job before the next snapshot shows the change.
  mutating func removeOwner(of job: JobName) { jobs[job]?.owner = nil }

  /// Term of a job's present or last owner.
  func term(of job: JobName) -> Int64 { jobs[job]?.term ?? 0 }

  /// Sets the active definition of a job before the next snapshot shows the change.
  mutating func activate(_ job: JobName, _ digest: String) {
    jobs[job, default: JobMessage(job: job.text)].activeDigest = digest
  }

  /// Nodes that have not left and whose lease has not ended.
  var liveNodes: some Sequence<NodeMessage> {
    nodes.values.lazy.filter { $0.leaseMilliseconds > 0 && !$0.hasLeft }
  }

  /// Whether the node with this epoch has not left and its lease has not ended.
  func isLive(_ epoch: String) -> Bool {
    nodes[epoch].map { $0.leaseMilliseconds > 0 && !$0.hasLeft } ?? false
  }

  /// Whether the node with this epoch is gone: the node left, the store no longer has it, or its lease has ended. An ended
  /// lease counts only if `endedLeasesCount`.
  func isGone(_ epoch: String, endedLeasesCount: Bool) -> Bool {
    guard let node = nodes[epoch] else { return true }
    return node.hasLeft || endedLeasesCount && node.leaseMilliseconds <= 0
  }

  /// Jobs that no node can run, each with its last node, in order of their names. The lease of the owner has ended, and no
  /// live node defines the job. A job that its owner gave up is not included, because it was removed.
  var orphans: [(job: JobName, node: String)] {
    jobs.compactMap { name, job in
      guard let owner = job.owner, !isLive(owner), let node = nodes[owner], liveDigests(of: name).isEmpty
      else { return nil }
      return (name, node.node)
    }.sorted(on: \.job)
  }

  /// Returns the digests of a job's definitions, by the epoch of each live node that defines the job.
  func liveDigests(of job: JobName) -> [String: String] {
    (jobs[job]?.digests ?? [:]).filter { isLive($0.key) }
  }
}
