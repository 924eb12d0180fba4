package import TimelineCore
package import TimelineEngine
package import TimelineStoreWire

// State of the node, for the daemon.
extension ClusterNode {
  /// End of the time in which runs of the cluster's jobs may be started; `nil` if none may be started at all.
  package var trustEnd: BootInstant? { membership.phase == .member ? membership.trust.end : nil }

  /// Whether a run of a job may be started: the job is detached, or the lease certainly lasts and, for a counted job, its window
  /// is claimed.
  package func mayStart(_ job: JobName, at now: NodeTime) -> Bool {
    isDetached(job)
      || membership.isTrusted(at: now.boot) && !ownership.lacksWindow(job, at: now.wall)
  }

  /// Whether jobs must be handed over: the lease may have ended, or a counted job has no claim window at `now`.
  package func isLate(at now: NodeTime) -> Bool {
    ownership.needsLease && !membership.isTrusted(at: now.boot)
      || ownership.lacksWindows(at: now.wall)
  }

  /// Whether the node keeps running a job although the store does not answer.
  package func isDetached(_ job: JobName) -> Bool { ownership.detached.contains(job) }

  /// Whether the outcome of an entry must not advance the store's watermark: the entry was run, or decided, without a claim while
  /// the store did not answer.
  package func isUnclaimed(_ entry: EntryKey) -> Bool { ownership.isUnclaimed(entry) }

  /// Whether the outcome of an entry must not be sent to the store yet; see ``UnclaimedOutcome``.
  package func withholds(_ record: EntryRecord) -> Bool {
    UnclaimedOutcome.isWithheld(
      record, isUnclaimed: isUnclaimed(record.entry),
      ownership.ownership(of: record.entry.job, as: membership.epoch.text))
  }

  /// Whether the withheld outcomes of a job are to be sent.
  package func releasesWithheld(of job: JobName) -> Bool {
    ownership.ownership(of: job, as: membership.epoch.text) == .own
  }

  /// Returns each job's first entry that has neither a claim nor an outcome. The node waits for the store's answer about this
  /// entry, or runs it without a claim. Counted jobs are left out, because they are claimed by windows.
  package func firstUnclaimed(of jobs: some Sequence<JobName>) -> [JobName: WallInstant] {
    ownership.claims.firstUnclaimed(of: Set(jobs).subtracting(ownership.counted))
  }

  /// Present identity of the node in the cluster.
  package var epoch: String { membership.epoch.text }

  package var isMember: Bool { membership.phase == .member }

  /// The node as the caller of the store's calls.
  package var caller: StoreCaller { membership.caller }

  /// Another daemon that has the node's name, so that this node cannot join; `nil` for none.
  package var nameHolder: NameHolder? { membership.holder }

  /// The node's clock minus the store's clock; `nil` before the first measurement.
  package var clockDifference: ElapsedTime? { membership.difference?.length }

  /// The jobs that the engine has.
  package var running: Set<JobName> { ownership.running }

  /// The owner of a job in the last snapshot of the store; `nil` for none.
  package func owner(of job: JobName) -> String? {
    ownership.view.jobs[job]?.owner.flatMap { ownership.view.nodes[$0]?.node }
  }

  /// Term of a job's present or last owner.
  package func term(of job: JobName) -> Int64 { ownership.view.term(of: job) }

  /// All nodes in the last snapshot of the store, in order of their names.
  package var nodes: [NodeMessage] { ownership.view.nodes.values.sorted(on: \.node) }

  /// All jobs in the last snapshot of the store, in order of their names.
  package var jobs: [JobMessage] { ownership.view.jobs.values.sorted { $0.job < $1.job } }

  /// Jobs that no node can run, each with its last node, in order of their names.
  package var orphans: [(job: JobName, node: String)] { ownership.orphans }

  /// The name of the node with an epoch in the last snapshot of the store; `nil` for none.
  package func name(ofNode epoch: String) -> String? { ownership.view.nodes[epoch]?.node }

  /// Returns the token of the claim by which an entry is run at `now`; `nil` if the node holds none.
  package func token(of entry: EntryKey, at now: WallInstant) -> Int64? {
    ownership.claims.token(of: ownership.claimKey(of: entry, at: now))
  }

  /// Records of windows of counted jobs that may still be missing in the store, the oldest first.
  package var windowRecords: [StoredRecord] { ownership.windows.records }
}

// Notifications by the daemon that take effect at once, without an event.
extension ClusterNode {
  /// Marks entries as settled, because the store has the outcomes that the daemon sent.
  package mutating func recorded(_ keys: [EntryKey]) { ownership.settled(keys) }

  /// Counts the outcome of entries of a counted job. These entries have no records of their own.
  package mutating func counted(_ record: EntryRecord) { ownership.settle(record) }

  /// Records that an entry has its outcome on this node.
  package mutating func ended(_ entry: EntryKey) { ownership.claims.end(entry) }

  /// Records that the engine again runs an entry that an earlier daemon process began without a claim.
  package mutating func runsUnclaimed(_ entry: EntryKey) { ownership.claims.runUnclaimed(entry) }
}
