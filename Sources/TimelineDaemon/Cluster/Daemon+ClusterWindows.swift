import FoundationEssentials
import TimelineCore
import TimelineEngine
import TimelineStoreWire

// Counted jobs of the cluster, which are claimed and recorded by windows of entries.
extension Daemon {
  /// Whether an outcome belongs to entries that are only counted.
  func isCounted(_ record: EntryRecord) -> Bool {
    record.cause.isOfSchedule && jobs.isSummarized(record.entry.job)
  }

  /// Whether an attempt belongs to an entry with a claim of its own, or to an entry in a claim window. A run of a counted job
  /// outside of its schedule belongs to neither; the run has a record of its own.
  func isPartOfTimeline(_ attempt: Attempt) -> Bool {
    attempt.cause.isOfSchedule || !jobs.isSummarized(attempt.entry.job)
  }

  /// Counts an outcome in its window. If this node has lost the job, also schedules the sending of the record, because nothing
  /// else does then.
  func count(_ record: EntryRecord, in cluster: ClusterMember) {
    cluster.counted(record)
    if !cluster.running.contains(record.entry.job) { noteRecords() }
  }

  /// Returns the progress to send with the record of a window.
  func progressOfWindow(_ window: StoredRecord) -> RecordCall.Progress {
    let kind = window.startedAt == nil ? nil : Outcome(rawValue: window.outcome)?.kind
    return RecordCall.Progress(
      job: window.key.job, watermark: window.key.nominal, isFailing: kind.map { $0 == .failure },
      cursor: JobName(window.key.job).flatMap { storedCursor(of: $0, token: window.token) })
  }

  /// Returns the cursor of a job for the store, with the token of the run that has written it; `nil` for none.
  func storedCursor(of job: JobName, token: Int64?) -> RecordCall.Cursor? {
    let cursor = writer.cursor(of: job)
    guard let token, !cursor.isEmpty else { return nil }
    return RecordCall.Cursor(bytes: Data(cursor).base64EncodedString(), token: token)
  }
}

extension RecordCall.Progress {
  /// Returns one progress for each job: the latest watermark, and the cursor with the highest token.
  static func merged(_ all: [RecordCall.Progress]) -> [RecordCall.Progress] {
    Dictionary(grouping: all, by: \.job).sorted { $0.key < $1.key }.map { job, parts in
      RecordCall.Progress(
        job: job, watermark: parts.map(\.watermark).max() ?? .min,
        isFailing: parts.last { $0.isFailing != nil }?.isFailing,
        cursor: parts.compactMap(\.cursor).max { $0.token < $1.token })
    }
  }
}
