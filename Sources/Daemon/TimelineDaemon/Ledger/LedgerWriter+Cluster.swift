import TimelineCore
import TimelineEngine
import TimelineLedger

// Records that the ledger keeps for the cluster's store, and data of jobs that the store does not have.
extension LedgerWriter {
  /// Queues the outcome of an entry for the cluster's store.
  func upload(_ entry: EntryKey, _ mark: StoreMark) { ledger.upload(entry, mark) }

  /// Returns the oldest records that the cluster's store may not have.
  func uploads(limit: Int) -> [LedgerUpload] {
    attempt { () throws(LedgerError) in try ledger.uploads(limit: limit) } ?? []
  }

  /// Marks records as stored in the cluster's store.
  func uploaded(_ entries: [EntryKey]) { ledger.uploaded(entries, at: now()) }

  /// Queues the outcomes of the last minutes for the cluster's store again.
  func uploadAgain() { ledger.uploadAgain(at: now()) }

  /// Queues a job's withheld outcomes for the cluster's store.
  func releaseUploads(of job: JobName) { ledger.releaseUploads(of: job) }

  /// Drops the outcome of an entry, which is decided anew.
  func reopen(_ entry: EntryKey) { ledger.reopen(entry) }

  /// Returns the nominal instants of a job's entries with withheld outcomes, in no order.
  func withheldEntries(of job: JobName) -> [WallInstant] {
    attempt { () throws(LedgerError) in try ledger.withheldEntries(of: job) } ?? []
  }

  /// Returns the jobs with withheld outcomes.
  func jobsWithWithheldUploads() -> Set<JobName> {
    attempt { () throws(LedgerError) in try ledger.jobsWithWithheldUploads() } ?? []
  }

  /// Stores this node's data about its cluster.
  func keep(_ memory: NodeMemory) { ledger.keep(memory) }

  /// Stores the cursor of a run on another node.
  func keep(cursor: [UInt8], of job: JobName) { ledger.keep(cursor: cursor, of: job) }

  /// Returns the nominal instant of the job's last settled entry; `nil` for none.
  func watermark(of job: JobName) -> WallInstant? {
    attempt { () throws(LedgerError) in try ledger.watermark(of: job) } ?? nil
  }

  /// Returns the spans in which the job's entries after `start` and through `end` have outcomes; empty if the ledger cannot be
  /// read.
  func decided(
    of job: JobName, after start: WallInstant, through end: WallInstant
  ) -> [ClosedRange<WallInstant>] {
    attempt { () throws(LedgerError) in try ledger.decided(of: job, after: start, through: end) } ?? []
  }

  /// Whether an entry has an outcome.
  func hasOutcome(of key: EntryKey) -> Bool {
    attempt { () throws(LedgerError) in try ledger.hasOutcome(of: key) } ?? false
  }

  /// Returns the run of an entry that is between two attempts; `nil` for none.
  func runBetweenAttempts(of key: EntryKey) -> OpenRun? {
    attempt { () throws(LedgerError) in try ledger.runBetweenAttempts(of: key) } ?? nil
  }
}
