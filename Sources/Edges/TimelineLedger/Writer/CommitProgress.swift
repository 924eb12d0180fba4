package import TimelineCore

/// Progress of a ledger's commits, with and without the write-ahead log.
package struct CommitProgress: Sendable, Equatable {
  /// Number of the last commit.
  package var last: Int64
  /// Number of the last commit that is in the file without its log, and on the disk; `nil` if unknown.
  package var inFile: Int64?

  package init(last: Int64, inFile: Int64? = nil) { (self.last, self.inFile) = (last, inFile) }
}

// Support of the start log. It keeps starts until a loss of the write-ahead log can no longer take them.
extension Ledger {
  /// Progress of the commits; `nil` while another thread uses the file.
  package var commitProgress: CommitProgress? {
    guard !isSyncing else { return nil }
    return CommitProgress(last: heldDatabase.commitNumber, inFile: heldDatabase.checkpointedNumber)
  }

  /// Raises the number of counted commits to `number` if it is lower. The start log may refer to lost commits, and no number
  /// may be used twice.
  package func countCommits(from number: Int64) { database.countCommits(from: number) }

  /// Requests a checkpoint with the next disk work, even if the write-ahead log is short.
  package func requestCheckpoint() { wantsCheckpoint = isDurable }

  /// Requests a checkpoint if the former daemon left a write-ahead log. After a loss of power the start log may lack the starts
  /// in it.
  package func requestCheckpointAfterCrash() { if heldDatabase.hadLog { requestCheckpoint() } }

  /// Whether everything is in the one file, without a write-ahead log. Valid for a closed ledger.
  package var isOneFile: Bool { !DatabaseFiles.hasLog(at: heldDatabase.path) }

  /// Latest instant at which an earlier daemon ran, by the file's records; `nil` if the file has none.
  package func recordedThrough() throws(LedgerError) -> WallInstant? {
    try readAttended().map(\.upperBound).max()
  }
}
