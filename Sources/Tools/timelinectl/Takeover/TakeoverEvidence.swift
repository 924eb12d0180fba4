import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineImport
import TimelineLoading
import TimelineSystem

/// The evidence for a comparison: crontabs, the daemon's records, and cron's journal.
struct TakeoverEvidence {
  let since: WallInstant
  let now: WallInstant

  /// Maximum bytes of the journal: a week of 100 jobs a minute, with some 200 bytes for each message.
  private static let journalByteCountMax = 256_000_000
  /// Timeout for the journal, because gigabytes are searched.
  private static let journalTimeout = ElapsedTime.minutes(2)
  /// Maximum number of records of one job: ten times as many as the ledger keeps by default.
  private static let recordsMax = 100_000

  /// The configuration with the current crontabs.
  func configuration(at path: String) throws -> Configuration {
    do {
      return try Loader(path: path, installation: Installation()).read(
        refusingForeignWriters: false, refusingUnknownPlugins: false, keepingJobsThatLackFiles: true, now: now
      )
    } catch {
      throw fail(error.text(color: CurrentProcess.errorShowsColors))
    }
  }

  /// The scheduled entries of a job.
  func records(of job: String, from client: ControlClient) throws -> [TakeoverComparison.Record] {
    let parameters = Control.History(
      job: job, since: "\(since)", until: nil, onlyFailures: false, limit: Self.recordsMax)
    let all = Set(Outcome.allCases.map(\.rawValue))
    return try HistorySearch(parameters, for: all).run { try client.call($0) }.entries.compactMap { entry in
      guard ["schedule", "missed"].contains(entry.cause), let outcome = entry.outcome else { return nil }
      let last = entry.entry.instant
      return TakeoverComparison.Record(
        job: job, span: min(entry.firstEntry?.instant ?? last, last)...last,
        outcome: Outcome(rawValue: outcome),
        reason: entry.reason)
    }
  }

  /// Cron's journal, of this machine or of a file.
  func journal(in file: String?) throws -> CronJournal {
    do throws(SystemError) {
      switch file {
      case "-"?: return CronJournal(try StandardInput.read(atMost: Self.journalByteCountMax))
      case let file?: return CronJournal(try FileContents.read(file, limit: Self.journalByteCountMax).bytes)
      case nil: return CronJournal(try ownJournal())
      }
    } catch {
      throw fail("timelinectl: error: cron's journal: \(error.plainReason)", status: .inputOutput)
    }
  }

  private func ownJournal() throws(SystemError) -> [UInt8] {
    let seconds = since.nanosecondsSinceEpoch / 1_000_000_000
    return try FilterProcess.run(
      executable: "/usr/bin/env",
      arguments: [
        "-i", "PATH=/usr/bin:/bin", "LC_ALL=C", "journalctl", "--quiet", "--output=json",
        "--output-fields=MESSAGE", "--since=@\(max(seconds, 0))", "--identifier=CRON", "--identifier=cron",
        "--identifier=CROND", "--identifier=crond",
      ], input: [], outputMax: Self.journalByteCountMax, timeout: Self.journalTimeout
    ).output
  }
}
