import TimelineCore
import TimelineEngine
import TimelineLedger

// What the ledger keeps for the cluster's store, and what it knows of jobs beyond that.
extension LedgerWriter {
  /// Queues the outcome of an entry for the cluster's store.
  func upload(_ entry: EntryKey, _ mark: StoreMark) { ledger.upload(entry, mark) }

  /// The oldest records that the cluster's store may not have.
  func uploads(limit: Int) -> [LedgerUpload] {
    attempt { () throws(LedgerError) in try ledger.uploads(limit: limit) } ?? []
  }

  /// Files that the cluster's store has records.
  func uploaded(_ entries: [EntryKey]) { ledger.uploaded(entries, at: now()) }

  /// Queues the outcomes of the last minutes for the cluster's store again.
  func uploadAgain() { ledger.uploadAgain(at: now()) }

  /// Keeps what this node is to remember of its cluster.
  func keep(_ memory: NodeMemory) { ledger.keep(memory) }

  /// Keeps a cursor that a run on another node left.
  func keep(cursor: [UInt8], of job: JobName) { ledger.keep(cursor: cursor, of: job) }

  /// The nominal instant of the job's last settled entry.
  func watermark(of job: JobName) -> WallInstant? {
    attempt { () throws(LedgerError) in try ledger.watermark(of: job) } ?? nil
  }

  /// Spans of a job in which entries after an instant through another have outcomes; none where the ledger cannot be read.
  func decided(
    of job: JobName, after start: WallInstant, through end: WallInstant
  ) -> [ClosedRange<WallInstant>] {
    attempt { () throws(LedgerError) in try ledger.decided(of: job, after: start, through: end) } ?? []
  }

  /// Whether an entry has an outcome.
  func hasOutcome(of key: EntryKey) -> Bool {
    attempt { () throws(LedgerError) in try ledger.hasOutcome(of: key) } ?? false
  }

  /// Run of an entry that is between two attempts; `nil` for none.
  func runBetweenAttempts(of key: EntryKey) -> OpenRun? {
    attempt { () throws(LedgerError) in try ledger.runBetweenAttempts(of: key) } ?? nil
  }
}
