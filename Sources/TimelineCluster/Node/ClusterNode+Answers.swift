package import TimelineCore
package import TimelineEngine
package import TimelineStoreWire

// Answers.
extension ClusterNode {
  /// Instant from which nothing of the cluster's jobs may be started; `nil` if nothing may be at all.
  package var trustEnd: BootInstant? { membership.phase == .member ? membership.trust.end : nil }

  /// Whether a run of a job may be started: the lease certainly lasts, and a counted job has its window; or the node goes on with the job by
  /// itself.
  package func mayStart(_ job: JobName, at now: NodeTime) -> Bool {
    isDetached(job)
      || membership.isTrusted(at: now.boot) && !ownership.lacksWindow(job.text, at: now.wall)
  }

  /// Whether a job of the engine has to be handed over, because the lease or its window may have ended.
  package func isLate(at now: NodeTime) -> Bool {
    ownership.needsLease && !membership.isTrusted(at: now.boot)
      || ownership.lacksWindows(at: now.wall)
  }

  /// Whether the node goes on with a job by itself, because the store does not answer.
  package func isDetached(_ job: JobName) -> Bool { ownership.detached.contains(job.text) }

  /// Whether the outcome of an entry says nothing about earlier ones to the store: it was run, or decided, without a claim while the store
  /// did not answer.
  package func isUnclaimed(_ entry: EntryKey) -> Bool { ownership.isUnclaimed(StoredKey(entry)) }

  /// Returns the first entry of each job that has neither a claim nor an outcome: the node waits for the store's answer, or runs it without
  /// one. Of counted jobs the store knows the windows.
  package func firstUnclaimed(of jobs: some Sequence<JobName>) -> [JobName: WallInstant] {
    let first = ownership.claims.firstUnclaimed(of: Set(jobs.map(\.text)).subtracting(ownership.counted))
    return Dictionary(
      uniqueKeysWithValues: first.compactMap { job, nominal in
        JobName(job).map { ($0, WallInstant(nanosecondsSinceEpoch: nominal)) }
      })
  }

  /// Identity of the node in the cluster at present.
  package var epoch: String { membership.epoch.text }

  /// Whether the node is a member.
  package var isMember: Bool { membership.phase == .member }

  /// Another daemon that has the node's name, so that this one waits; `nil` if there is none.
  package var nameHolder: NameHolder? { membership.holder }

  /// The node's clock minus the store's, if it was measured.
  package var clockDifference: ElapsedTime? { membership.difference?.length }

  /// The jobs that the engine has.
  package var running: Set<JobName> { Set(ownership.running.compactMap(JobName.init)) }

  /// The node that owns a job, by the last view; `nil` for none.
  package func owner(of job: JobName) -> String? {
    ownership.view.jobs[job.text]?.owner.flatMap { ownership.view.nodes[$0]?.node }
  }

  /// Term of a job's present owner, or of its last one.
  package func term(of job: JobName) -> Int64 { ownership.view.term(of: job.text) }

  /// All nodes of the last view, in order of their names.
  package var nodes: [NodeMessage] { ownership.view.nodes.values.sorted { $0.node < $1.node } }

  /// All jobs of the last view, in order of their names.
  package var jobs: [JobMessage] { ownership.view.jobs.values.sorted { $0.job < $1.job } }

  /// Jobs that no node can run, with the node that had each last, in order of their names.
  package var orphans: [(job: String, node: String)] { ownership.orphans }

  /// The name of the node with an epoch, by the last view.
  package func name(ofNode epoch: String) -> String? { ownership.view.nodes[epoch]?.node }

  /// Token of the claim by which an entry is run at `now`; `nil` if the node holds none.
  package func token(of entry: EntryKey, at now: WallInstant) -> Int64? {
    ownership.claims.token(of: ownership.claimKey(of: entry, at: now))
  }

  /// Records of windows of counted jobs that the store may not have, the oldest first.
  package var windowRecords: [StoredRecord] { ownership.windows.records }
}

// What the shell tells at once, and not as an event.
extension ClusterNode {
  /// Takes in that the store has the outcomes of these entries; the shell calls it with what it sent.
  package mutating func recorded(_ keys: [StoredKey]) { ownership.settled(keys) }

  /// Takes in the outcome of entries of a counted job, which has no record of its own.
  package mutating func counted(_ record: EntryRecord) { ownership.settle(record) }

  /// Takes in that an entry has its outcome on this node.
  package mutating func ended(_ entry: EntryKey) { ownership.claims.end(StoredKey(entry)) }

  /// Takes in that the engine runs an entry again that the last life of the daemon began without a claim.
  package mutating func runsUnclaimed(_ entry: EntryKey) { ownership.claims.runUnclaimed(StoredKey(entry)) }
}
