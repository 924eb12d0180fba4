import TimelineCore
import TimelineEngine
import TimelineLedger

/// Queries of the ledger that answers need; tests have a ledger of their own.
protocol LedgerReader {
  /// Entries that were started or settled, newest first; records for several that reach into the stretch are among them.
  func history(_ query: HistoryQuery) -> [LedgerEntry]
  /// The entry at `instant`, or the record for several that reaches over it.
  func entry(of job: JobName, at instant: WallInstant) -> LedgerEntry?
  /// The last entry before `instant` and the first one after it.
  func neighbors(of job: JobName, around instant: WallInstant) -> (before: LedgerEntry?, after: LedgerEntry?)
  /// Number of a job's counted entries by outcome, in the hour of `instant`; `nil` when nothing was counted then.
  func counters(of job: JobName, inHourOf instant: WallInstant) -> LedgerCounters?
  /// The last action of one kind on a job, or on the daemon where there is no job, at or before `instant`.
  func lastAction(_ verb: OperatorAction.Verb, on job: JobName?, atOrBefore instant: WallInstant)
    -> OperatorAction?
  /// The first action of one kind on a job at or after `instant`.
  func firstAction(_ verb: OperatorAction.Verb, on job: JobName?, atOrAfter instant: WallInstant)
    -> OperatorAction?
  /// The reactions to an entry, the latest first.
  func reactions(to upstream: EntryKey, limit: Int) -> [LedgerEntry]
  /// The last change of the mode at or before `instant`.
  func modeChange(atOrBefore instant: WallInstant) -> ModeChange?
}

extension LedgerWriter: LedgerReader {
  func history(_ query: HistoryQuery) -> [LedgerEntry] {
    attempt { () throws(LedgerError) in try ledger.history(query) } ?? []
  }

  func entry(of job: JobName, at instant: WallInstant) -> LedgerEntry? {
    attempt { () throws(LedgerError) in try ledger.entry(of: job, at: instant) } ?? nil
  }

  func neighbors(of job: JobName, around instant: WallInstant) -> (before: LedgerEntry?, after: LedgerEntry?)
  {
    attempt { () throws(LedgerError) in try ledger.neighbors(of: job, around: instant) } ?? (nil, nil)
  }

  func counters(of job: JobName, inHourOf instant: WallInstant) -> LedgerCounters? {
    attempt { () throws(LedgerError) in try ledger.counters(of: job, inHourOf: instant) } ?? nil
  }

  func lastAction(
    _ verb: OperatorAction.Verb, on job: JobName?, atOrBefore instant: WallInstant
  ) -> OperatorAction? {
    attempt { () throws(LedgerError) in try ledger.lastAction(verb, on: job, atOrBefore: instant) } ?? nil
  }

  func firstAction(
    _ verb: OperatorAction.Verb, on job: JobName?, atOrAfter instant: WallInstant
  ) -> OperatorAction? {
    attempt { () throws(LedgerError) in try ledger.firstAction(verb, on: job, atOrAfter: instant) } ?? nil
  }

  func reactions(to upstream: EntryKey, limit: Int) -> [LedgerEntry] {
    attempt { () throws(LedgerError) in try ledger.reactions(to: upstream, limit: limit) } ?? []
  }

  func modeChange(atOrBefore instant: WallInstant) -> ModeChange? {
    attempt { () throws(LedgerError) in try ledger.modeChange(atOrBefore: instant) } ?? nil
  }
}
