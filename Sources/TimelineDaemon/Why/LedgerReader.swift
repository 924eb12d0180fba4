import TimelineCore
import TimelineLedger

/// What answers need of the ledger; tests have one of their own.
protocol LedgerReader {
  /// Entries that were started or settled, newest first; records for several that reach into the stretch are among them.
  func history(_ query: HistoryQuery) -> [LedgerEntry]
  /// The entry at `instant`, or the record for several that reaches over it.
  func entry(of job: JobName, at instant: WallInstant) -> LedgerEntry?
  /// The last entry before `instant` and the first one after it.
  func neighbours(of job: JobName, around instant: WallInstant) -> (before: LedgerEntry?, after: LedgerEntry?)
  /// What became of the entries of a job that are counted, in the hour of `instant`; `nil` when nothing was counted then.
  func counters(of job: JobName, inHourOf instant: WallInstant) -> LedgerCounters?
}

extension LedgerBook: LedgerReader {
  func history(_ query: HistoryQuery) -> [LedgerEntry] {
    attempt { () throws(LedgerError) in try ledger.history(query) } ?? []
  }

  func entry(of job: JobName, at instant: WallInstant) -> LedgerEntry? {
    attempt { () throws(LedgerError) in try ledger.entry(of: job, at: instant) } ?? nil
  }

  func neighbours(of job: JobName, around instant: WallInstant) -> (before: LedgerEntry?, after: LedgerEntry?)
  {
    attempt { () throws(LedgerError) in try ledger.neighbours(of: job, around: instant) } ?? (nil, nil)
  }

  func counters(of job: JobName, inHourOf instant: WallInstant) -> LedgerCounters? {
    attempt { () throws(LedgerError) in try ledger.counters(of: job, inHourOf: instant) } ?? nil
  }
}
