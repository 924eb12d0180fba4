import TimelineCore
import TimelineEngine
import TimelineLedger

/// Queries of the ledger that answers need; tests substitute another ledger.
protocol LedgerReader {
  /// Returns entries that were started or settled, newest first, including records of several entries that overlap the queried
  /// period.
  func history(_ query: HistoryQuery) -> [LedgerEntry]
  /// Returns the entry at `instant`, or the record of several entries that spans `instant`.
  func entry(of job: JobName, at instant: WallInstant) -> LedgerEntry?
  /// Returns the last entry before `instant` and the first one after it.
  func neighbors(of job: JobName, around instant: WallInstant) -> (before: LedgerEntry?, after: LedgerEntry?)
  /// Returns the numbers of a job's counted entries by outcome, in the hour of `instant`; `nil` if none were counted then.
  func counters(of job: JobName, inHourOf instant: WallInstant) -> LedgerCounters?
  /// Returns the last action of one kind on a job, or on the daemon if `job` is `nil`, at or before `instant`.
  func lastAction(_ verb: OperatorAction.Verb, on job: JobName?, atOrBefore instant: WallInstant)
    -> OperatorAction?
  /// Returns the first action of one kind on a job at or after `instant`.
  func firstAction(_ verb: OperatorAction.Verb, on job: JobName?, atOrAfter instant: WallInstant)
    -> OperatorAction?
  /// Returns the reactions to an entry, the latest first.
  func reactions(to upstream: EntryKey, limit: Int) -> [LedgerEntry]
  /// Returns the reruns of an entry, the latest first.
  func reruns(of entry: EntryKey, limit: Int) -> [LedgerEntry]
  /// Returns the last change of the mode at or before `instant`.
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

  func reruns(of entry: EntryKey, limit: Int) -> [LedgerEntry] {
    attempt { () throws(LedgerError) in try ledger.reruns(of: entry, limit: limit) } ?? []
  }

  func modeChange(atOrBefore instant: WallInstant) -> ModeChange? {
    attempt { () throws(LedgerError) in try ledger.modeChange(atOrBefore: instant) } ?? nil
  }
}
