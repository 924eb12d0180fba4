import FoundationEssentials
import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineStoreWire
import TimelineSystem

/// Outcomes, cursors and incidents of the cluster's jobs that the store does not have yet.
final class ClusterRecords {
  private let settings: ClusterSettings
  private let jobs: LoadedJobs
  private let writer: LedgerWriter
  private let loop: EventLoop
  private let areDue: () -> Void
  private var delay: Delay?
  private var incidents = UnsentIncidents()
  /// Jobs with outcomes that are withheld until this node owns them, also outcomes of an earlier daemon.
  private lazy var withheld = writer.jobsWithWithheldUploads()

  /// Makes an empty queue. `areDue` is called when gathered records are to be sent.
  init(_ settings: ClusterSettings, _ daemon: ClusterMember.Surroundings, areDue: @escaping () -> Void) {
    self.settings = settings
    jobs = daemon.jobs
    writer = daemon.writer
    loop = daemon.loop
    self.areDue = areDue
  }

  /// Whether records gather before they are sent.
  var areScheduled: Bool { delay != nil }

  /// Schedules the sending of outcomes.
  func schedule() {
    guard delay == nil else { return }
    delay = loop.after(Self.pause) { [weak self] in
      self?.delay = nil
      self?.areDue()
    }
  }

  /// Time for which outcomes gather before they are sent, because reading outcomes from the ledger commits its pending changes.
  private static let pause = ElapsedTime.milliseconds(200)

  /// Queues the outcome of an entry with the token of its claim, or withholds it.
  func queue(_ record: EntryRecord, token: Int64?, of node: ClusterNode) {
    let mark = StoreMark(epoch: node.epoch, token: token, isWithheld: node.withholds(record))
    writer.upload(record.entry, mark)
    if mark.isWithheld { withheld.insert(record.entry.job) } else { schedule() }
  }

  /// Queues the withheld outcomes of the jobs that the node owns by now.
  func releaseWithheld(of node: ClusterNode) {
    for job in withheld where node.releasesWithheld(of: job) {
      writer.releaseUploads(of: job)
      withheld.remove(job)
      schedule()
    }
  }

  /// Drops the withheld outcomes of an acquired job's entries that no other owner has decided: these entries are decided anew.
  /// Returns the first of them; `nil` for none.
  func reopenWithheld(of owned: OwnedJob) -> WallInstant? {
    guard withheld.contains(owned.name) else { return nil }
    let undecided = writer.withheldEntries(of: owned.name).filter(owned.isUndecided)
    for nominal in undecided { writer.reopen(EntryKey(job: owned.name, nominal: nominal)) }
    return undecided.min()
  }

  /// Queues changed incidents. Jobs that this node no longer owns are left out: their next owners continue these incidents.
  func note(_ notes: [IncidentNote], of node: ClusterNode, _ engine: EngineState) {
    for job in Set(notes.map(\.job)).intersection(node.running) {
      guard let own = engine.incidents(of: job) else { continue }
      incidents.note(
        StoredIncidents(
          job: job.text, term: node.term(of: job),
          incidents: own.compactMap { StoredIncident($0, node: settings.node, epoch: node.epoch) }))
      schedule()
    }
  }

  /// Returns a call with the oldest records that the store does not have; `nil` if there are none.
  func call(of node: ClusterNode, after former: FormerRuns) -> RecordCall? {
    // The watermark of a call must not pass an entry whose outcome is in a later one.
    releaseWithheld(of: node)
    return RecordCall.fitting(node.caller) { call(of: node, after: former, limit: $0) }
  }

  /// Returns the oldest unsent records, and the changed incidents of jobs, at most `limit` of each.
  private func call(of node: ClusterNode, after former: FormerRuns, limit: Int) -> RecordCall? {
    let windows = Array(node.windowRecords.prefix((limit + 1) / 2))
    let uploads = writer.uploads(limit: limit - windows.count)
    let incidents = incidents.first(limit)
    guard !uploads.isEmpty || !windows.isEmpty || !incidents.isEmpty else { return nil }
    let records = uploads.map { StoredRecord($0, node: settings.node) } + windows
    let byJob = Dictionary(grouping: uploads, by: \.record.entry.job)
    let unclaimed = node.firstUnclaimed(of: byJob.keys)
    let progress = byJob.sorted(on: \.key).compactMap { job, uploads in
      self.progress(
        of: job, uploads.filter { $0.mark.token != StoreMark.unclaimed },
        before: [unclaimed[job], former.firstOpenEntry(of: job)].compactMap(\.self).min())
    }
    return RecordCall(
      records: records.sorted(on: \.key),
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

  /// Returns the progress to send with the record of a window of a counted job.
  private func progressOfWindow(_ window: StoredRecord) -> RecordCall.Progress {
    let kind = window.startedAt == nil ? nil : Outcome(rawValue: window.outcome)?.kind
    return RecordCall.Progress(
      job: window.key.job.text, watermark: window.key.nanoseconds, isFailing: kind.map { $0 == .failure },
      cursor: storedCursor(of: window.key.job, token: window.token))
  }

  /// Returns the cursor of a job for the store, with the token of the run that has written it; `nil` for none.
  private func storedCursor(of job: JobName, token: Int64?) -> RecordCall.Cursor? {
    let cursor = writer.cursor(of: job)
    guard let token, !cursor.isEmpty else { return nil }
    return RecordCall.Cursor(bytes: Data(cursor).base64EncodedString(), token: token)
  }

  /// Marks the records of a call as sent. Returns whether there are more records to send.
  func sent(_ call: RecordCall) -> Bool {
    writer.uploaded(call.records.map(\.key))
    incidents.remove(call.incidents ?? [])
    return !writer.uploads(limit: 1).isEmpty || !incidents.isEmpty
  }
}

extension StoredRecord {
  /// An outcome as the store keeps it.
  fileprivate init(_ upload: LedgerUpload, node: String) {
    let token = upload.mark.token == StoreMark.unclaimed ? nil : upload.mark.token
    self.init(upload.record, node: node, epoch: upload.mark.epoch, token: token)
  }
}

extension RecordCall.Progress {
  /// Returns one progress for each job: the latest watermark, and the cursor with the highest token.
  static func merged(_ all: [RecordCall.Progress]) -> [RecordCall.Progress] {
    Dictionary(grouping: all, by: \.job).sorted(on: \.key).map { job, parts in
      RecordCall.Progress(
        job: job, watermark: parts.map(\.watermark).max() ?? .min,
        isFailing: parts.last { $0.isFailing != nil }?.isFailing,
        cursor: parts.compactMap(\.cursor).max { $0.token < $1.token })
    }
  }
}
