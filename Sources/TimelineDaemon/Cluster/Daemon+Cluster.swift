import FoundationEssentials
import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineStoreWire
import TimelineSystem

// The daemon as a node of a cluster.
extension Daemon: ClusterMember.Shell {
  /// The configured jobs that one node of the cluster is to run.
  var clusterJobs: [ClusterJob] {
    jobs.all.compactMap { job in
      guard job.placement.runOn == .one, let digest = job.clusterDigest, !jobs.isSuspended(job.name) else {
        return nil
      }
      return ClusterJob(
        name: job.name, rules: job.placement.rules, delivery: job.policies.delivery,
        storeDown: job.placement.storeDown,
        countedSchedule: job.schedule.hasMoreThanOneEntryPerSecond ? job.schedule : nil, digest: digest)
    }
  }

  /// Whether a job belongs to the cluster, so that this node runs the job only while the node owns it.
  func isOfCluster(_ name: JobName) -> Bool {
    cluster != nil && jobs[name]?.job.placement.runOn == .one
  }

  func takeOver(_ owned: [OwnedJob]) {
    for job in owned { adoptCursor(of: job) }
    let taken = owned.map(takenJob)
    for job in owned { withdrawDecided(of: job) }
    post(.takeOver(taken, among: definitions))
    announceOwners(owned.map(\.name), "runs here now")
  }

  func handOver(_ names: Set<JobName>, isGivenUp: Bool) {
    post(.handOver(names, isGivenUp: isGivenUp))
    announceOwners(names.sorted(), "is not run here any more")
  }

  func isBusy(_ job: String) -> Bool {
    guard recordsDelay == nil else { return true }
    guard let job = JobName(job) else { return false }
    return engine.has(job) || runs.attempts(of: job).contains { engine.isInFlight($0.run) }
  }

  func openEntries(_ job: String) -> [WallInstant] {
    guard let job = JobName(job) else { return [] }
    let dead = openAtStart[job] ?? []
    let active = runs.attempts(of: job).filter { $0.cause.isOfSchedule && engine.isInFlight($0.run) }
    let open = dead.filter { $0.attempts > 0 && !writer.hasOutcome(of: $0.entry) }
    return open.map(\.entry.nominal) + active.map(\.entry.nominal)
  }

  func answer(_ answers: [ClaimAnswer]) { post(.claimsAnswered(answers)) }

  func keep(_ life: FormerLife) {
    if let epoch = life.epoch { keptEpoch?.replace(epoch) }
    if let store = life.store { writer.keep(NodeMemory(store: store)) }
  }

  private func announceOwners(_ names: [JobName], _ words: String) {
    for name in names {
      announcer.announce(
        Announcement(level: .notice, kind: .ownerChanged, text: "job \(name) \(words)", job: name))
    }
  }
}

// Claims, starts and ends of the cluster's jobs.
extension Daemon {
  /// Requests claims in the store for entries of the cluster's jobs that the ledger has granted. Returns the other answers of
  /// the ledger, which are final.
  func askCluster(_ answers: [ClaimAnswer]) -> [ClaimAnswer] {
    guard let cluster else { return answers }
    let isAsked = { (answer: ClaimAnswer) in
      answer.verdict == .granted && self.isOfCluster(answer.entry.job)
    }
    let asked = answers.filter(isAsked).map(\.entry)
    guard !asked.isEmpty else { return answers }
    cluster.handle(.claim(asked))
    return answers.filter { !isAsked($0) }
  }

  /// Whether the plugin of a run may be called. A job of the cluster needs the node's trust window, unless the job is detached.
  func mayStart(_ attempt: Attempt) -> Bool {
    guard let cluster, isOfCluster(attempt.entry.job) else { return true }
    return cluster.mayStart(attempt.entry.job)
  }

  /// Returns an attempt with the present fencing token of its claim. The token may have been exchanged with the token of
  /// another entry since the grant: a later claim, for example for a manual trigger, reassigns the tokens of entries that were
  /// not started.
  func addingToken(to attempt: Attempt) -> Attempt {
    guard let cluster, isOfCluster(attempt.entry.job), let token = cluster.token(of: attempt.entry) else {
      return attempt
    }
    var attempt = attempt
    attempt.token = token
    return attempt
  }

  /// Returns the latest time since the boot at which the plugin of a run may be called; `nil` for no limit.
  func startBy(_ attempt: Attempt) -> ElapsedTime? {
    guard let cluster, isOfCluster(attempt.entry.job), !cluster.isDetached(attempt.entry.job) else {
      return nil
    }
    return .nanoseconds(cluster.trustEnd?.nanosecondsSinceBoot ?? 0)
  }

  /// Whether a run ended because its plugin host was too late to call the plugin. If the node's lease has ended, the run is
  /// left to the next owner of its job; otherwise the run is decided anew.
  func isTooLate(_ run: RunID, _ end: PluginRunEnd) -> Bool {
    guard end.call == nil, end.outcome.status == .cancelled, let active = runs[run] else { return false }
    return isOfCluster(active.attempt.entry.job) && !active.isWaiting && !active.isAskedToStop
  }

  /// Records in the cluster that an entry is being run.
  func noteClusterStart(_ attempt: Attempt) {
    guard let cluster, isOfCluster(attempt.entry.job) else { return }
    if isPartOfTimeline(attempt) { cluster.handle(.started(attempt.entry)) }
  }

  /// Queues the outcome of an entry for the store, if the entry belongs to the cluster.
  func noteForStore(_ record: EntryRecord, token: Int64?) {
    guard let cluster, token != nil || isOfCluster(record.entry.job) else { return }
    if isCounted(record) { return count(record, in: cluster) }
    let isUnclaimed = cluster.isUnclaimed(record.entry)
    let token = isUnclaimed ? StoreMark.unclaimed : cluster.token(of: record.entry) ?? token
    writer.upload(record.entry, StoreMark(epoch: cluster.epoch, token: token))
    cluster.ended(record.entry)
    noteRecords()
  }

  /// Schedules the sending of outcomes.
  func noteRecords() {
    guard recordsDelay == nil else { return }
    recordsDelay = loop.after(Self.recordsPause) { [weak self] in
      self?.recordsDelay = nil
      self?.cluster?.noteRecords()
    }
  }

  /// Time for which outcomes gather before they are sent, because reading outcomes from the ledger commits its pending changes.
  private static let recordsPause = ElapsedTime.milliseconds(200)

  func records() -> RecordCall? { RecordCall.fitting(records) }

  /// Returns the oldest unsent records, and the changed incidents of jobs, at most `limit` of each.
  private func records(_ limit: Int) -> RecordCall? {
    guard let cluster else { return nil }
    let windows = Array(cluster.windowRecords.prefix((limit + 1) / 2))
    let uploads = writer.uploads(limit: limit - windows.count)
    let incidents = unsentIncidents.first(limit)
    guard !uploads.isEmpty || !windows.isEmpty || !incidents.isEmpty else { return nil }
    let records = uploads.map { StoredRecord($0, node: cluster.nodeName) } + windows
    let byJob = Dictionary(grouping: uploads, by: \.record.entry.job)
    let unclaimed = cluster.firstUnclaimed(of: byJob.keys)
    let progress = byJob.sorted { $0.key < $1.key }.compactMap { job, uploads in
      // The store may lack the runs that the last daemon left open, until this node runs the job again.
      let open = openAtStart[job]?.filter(\.cause.isOfSchedule).map(\.entry.nominal).min()
      return self.progress(
        of: job, uploads.filter { $0.mark.token != StoreMark.unclaimed },
        before: [unclaimed[job], open].compactMap(\.self).min())
    }
    return RecordCall(
      cluster: cluster.name, records: records.sorted { $0.key < $1.key },
      progress: RecordCall.Progress.merged(progress + windows.map(progressOfWindow)),
      incidents: incidents.isEmpty ? nil : incidents)
  }

  /// Returns the progress to send with the records of a job; `nil` if there are no records. Its watermark stays before
  /// `unclaimed`, the first entry that only this node has.
  private func progress(
    of job: JobName, _ uploads: [LedgerUpload], before unclaimed: WallInstant?
  ) -> RecordCall.Progress? {
    if uploads.isEmpty { return nil }
    let latest = uploads.filter { $0.record.cause.isOfSchedule }.map(\.record.entry.nominal).max()
    let decided = latest.map { latest in unclaimed.map { min(latest, $0 - .nanoseconds(1)) } ?? latest }
    let last = uploads.last { $0.record.startedAt != nil }
    let token = uploads.compactMap(\.mark.token).max()
    return RecordCall.Progress(
      job: job.text, watermark: (decided ?? .min).nanosecondsSinceEpoch,
      isFailing: last.map { $0.record.outcome.kind == .failure },
      cursor: storedCursor(of: job, token: token))
  }

  func sent(_ call: RecordCall) -> Bool {
    writer.uploaded(
      call.records.compactMap { record in
        JobName(record.key.job).map {
          EntryKey(job: $0, nominal: WallInstant(nanosecondsSinceEpoch: record.key.nominal))
        }
      })
    unsentIncidents.remove(call.incidents ?? [])
    return !writer.uploads(limit: 1).isEmpty || !unsentIncidents.isEmpty
  }
}

extension StoredRecord {
  /// An outcome as the store keeps it.
  fileprivate init(_ upload: LedgerUpload, node: String) {
    let token = upload.mark.token == StoreMark.unclaimed ? nil : upload.mark.token
    self.init(upload.record, node: node, epoch: upload.mark.epoch, token: token)
  }
}
