import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

extension EntryReport {
  /// Makes the entry from its outcome.
  init(_ record: EntryRecord) {
    self.init(
      job: record.entry.job.text, entry: record.entry.nominal,
      firstEntry: record.firstNominal == record.entry.nominal ? nil : record.firstNominal,
      entryCount: record.entryCount, cause: record.cause.rawValue, isOfSchedule: record.cause.isOfSchedule,
      outcome: record.outcome, reason: record.reason, run: record.run?.number,
      startedAt: record.startedAt, endedAt: record.endedAt, elapsed: record.elapsed,
      attempts: record.attempts)
    of = record.rerun.map { Timestamp($0.of) }
  }

  /// Makes the entry from the ledger's record. Its duration is that of the clock, as for every entry that is read again.
  init(_ entry: LedgerEntry) {
    var record = entry.record
    record.clockMoved = .zero
    self.init(record)
    if entry.isOpen {
      (outcome, reason) = (nil, "")
      (endedAt, durationNanoseconds) = (nil, nil)
    }
    claimedAt = entry.claimedAt.map(Timestamp.init)
    setUsage(entry.usage)
    (by, cancelledBy) = (entry.requestedBy?.report, entry.cancelledBy?.report)
  }

  /// Makes the entry from the present state of an active run.
  init(_ run: ActiveRun) {
    self.init(
      job: run.attempt.entry.job.text, entry: run.attempt.entry.nominal, entryCount: run.attempt.entryCount,
      cause: run.attempt.cause.rawValue, isOfSchedule: run.attempt.cause.isOfSchedule, outcome: nil,
      run: run.attempt.run.number, startedAt: run.startedAt, attempts: run.attempt.number)
    of = run.attempt.rerun.map { Timestamp($0.of) }
  }
}
