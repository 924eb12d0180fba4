package import TimelineCore
package import TimelineEngine

// Records for a later daemon of entries that wait, of runs between two attempts and of incidents.
extension Ledger {
  /// Records that an entry waits, until it is started or has its outcome.
  package func wait(_ waiting: WaitingEntry, at now: WallInstant) {
    let key = waiting.entry
    var claim = Claim(nominal: key.nominal, claimedAt: now, boot: boot)
    (claim.cause, claim.isAskedFor) = (waiting.cause, waiting.isAskedFor)
    claims.wait(claim, of: jobs.number(of: key.job))
    if let upstream = waiting.upstream { backlog.append(.upstream(upstream, of: key)) }
  }

  /// Records that the last attempt of an entry's run has failed, and when the next attempt is due. The record is valid until
  /// the next attempt is started or the entry has its outcome.
  package func retry(_ entry: EntryKey, at instant: WallInstant) {
    backlog.append(.retry(entry, at: instant))
  }

  /// Records changes of incidents, after the outcomes that came before them.
  package func note(_ incidents: [IncidentNote]) { backlog.append(.incidents(incidents)) }

  /// Takes back the start of an attempt, because its plugin is not called for now. If it was the first attempt, nothing was
  /// started and the entry waits. Any other attempt is due again. The run keeps its number.
  package func unstart(_ attempt: Attempt) {
    let hasRow = hasRow(for: attempt)
    numbers.take(attempt.run, reserving: !hasRow)
    // The start may have been taken back before it was recorded here.
    if let notes = runs[attempt.run], notes.attempt.number == attempt.number {
      backlog.append(.unstart(attempt))
    }
    guard hasRow, attempt.number == 1 else { return }
    runs[attempt.run] = nil
    wait(
      WaitingEntry(entry: attempt.entry, cause: attempt.cause, upstream: attempt.upstream),
      at: attempt.startedAt
    )
  }
}
