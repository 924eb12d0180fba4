package import TimelineCore

/// Progress of a ledger's commits: with the write-ahead log, and without.
package struct CommitProgress: Sendable, Hashable {
  /// Number of the last commit.
  package var last: Int64
  /// Number of the last commit that the file has without its log, on the disk; `nil` for none that is known.
  package var inFile: Int64?

  /// Makes progress.
  package init(last: Int64, inFile: Int64? = nil) { (self.last, self.inFile) = (last, inFile) }
}

// Knowledge for a start log, which keeps starts for as long as a loss of the write-ahead log would take them.
extension Ledger {
  /// Progress of the commits; `nil` while the file is with another thread.
  package var commitProgress: CommitProgress? {
    guard !isSyncing else { return nil }
    return CommitProgress(last: heldDatabase.commitNumber, inFile: heldDatabase.checkpointedNumber)
  }

  /// Counts on from `number` if fewer commits were counted: a start log refers to commits that are lost, and no number may be given twice.
  package func countCommits(from number: Int64) { database.countCommits(from: number) }

  /// Has the write-ahead log put into the file with the next disk work, however long it is.
  package func requestCheckpoint() { wantsCheckpoint = isDurable }

  /// Has what a former daemon left in the write-ahead log put into the file, if it left some: no start log may know of its starts after a
  /// loss of power.
  package func requestCheckpointAfterCrash() { if heldDatabase.hadLog { requestCheckpoint() } }

  /// Whether everything is in the one file; of a ledger that was closed.
  package var isOneFile: Bool { !DatabaseFiles.hasLog(at: heldDatabase.path) }

  /// Latest instant at which an earlier daemon was at work, as far as the file says; `nil` if it says nothing.
  package func recordedThrough() throws(LedgerError) -> WallInstant? {
    try readAttended().map(\.upperBound).max()
  }
}
