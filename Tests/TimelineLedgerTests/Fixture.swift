import Foundation
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

/// Names and times that most tests of the ledger use.
struct Fixture {
  let backup: JobName
  let mail: JobName
  let sampler: JobName
  var jobs: [LedgerJob]

  /// `backup` runs at most once, `mail` at least once, and `sampler` has no rows.
  init() throws {
    guard let backup = JobName("backup"), let mail = JobName("mail"), let sampler = JobName("sampler") else {
      throw CocoaError(.coderInvalidValue)
    }
    (self.backup, self.mail, self.sampler) = (backup, mail, sampler)
    jobs = [
      LedgerJob(name: backup, schedule: "every 10s"),
      LedgerJob(name: mail, schedule: "every 10s", delivery: .atLeastOnce),
      LedgerJob(name: sampler, schedule: "as fast as every 16ms", isCounted: true),
    ]
  }

  /// A ledger in which the jobs were first seen at 1 s.
  func ledger(_ path: String = ":memory:", boot: String? = "this") throws -> Ledger {
    let ledger = try Ledger(path: path, boot: boot)
    try ledger.adopt(jobs: jobs, at: WallInstant(secondsSinceEpoch: 1))
    return ledger
  }

  func at(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }

  func key(_ seconds: Int64, of job: JobName? = nil) -> EntryKey {
    EntryKey(job: job ?? backup, nominal: at(seconds))
  }

  func attempt(
    _ key: EntryKey, run: UInt64, number: Int = 1, cause: RunCause = .schedule, at start: WallInstant? = nil
  )
    -> Attempt
  {
    Attempt(
      run: RunID(number: run), entry: key, cause: cause, number: number, startedAt: start ?? key.nominal)
  }

  func end(
    _ key: EntryKey, run: UInt64? = nil, _ outcome: Outcome = .succeeded, reason: String = "",
    attempts: Int = 1, at end: WallInstant? = nil
  ) -> EntryRecord {
    EntryRecord(
      entry: key, outcome: outcome, reason: reason, run: run.map(RunID.init(number:)),
      startedAt: run.map { _ in key.nominal }, endedAt: end ?? key.nominal + .seconds(1),
      attempts: run == nil ? 0 : attempts)
  }
}

/// A path without a file; in memory if the machine has room for files there, because waits for a disk prove nothing here.
func temporaryPath() -> String {
  let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
  return parent + "/timelined-ledger-\(UUID().uuidString)"
}

/// Makes a directory for `body` and removes it afterwards.
func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
  let directory = temporaryPath()
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(atPath: directory) }
  try body(directory)
}

/// Copies a ledger's files in their present state to another directory; returns the path of the copy.
func copyLedger(_ path: String, to directory: String) throws -> String {
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  let copy = directory + "/ledger.sqlite"
  for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
    try? FileManager.default.removeItem(atPath: copy + suffix)
    try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
  }
  return copy
}

extension Ledger {
  /// The entry whose run has this number, among the newest.
  func entry(of run: RunID) throws -> LedgerEntry? {
    try history(HistoryQuery(limit: HistoryQuery.limitMax)).first { $0.record.run == run }
  }
}
