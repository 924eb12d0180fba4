package import TimelineCore
package import TimelineEngine

// Records for a later daemon of entries that wait, of runs between two attempts and of incidents.
extension Ledger {
  /// Notes that an entry waits, until it is started or has its outcome.
  package func wait(_ waiting: WaitingEntry, at now: WallInstant) {
    let key = waiting.entry
    var claim = Claim(nominal: key.nominal, claimedAt: now, boot: boot)
    (claim.cause, claim.isAskedFor) = (waiting.cause, waiting.isAskedFor)
    claims.wait(claim, of: jobs.number(of: key.job))
    if let upstream = waiting.upstream { backlog.append(.upstream(upstream, of: key)) }
  }

  /// Notes that the last attempt of an entry's run has failed and when the next one is due, until that is started or the entry has its
  /// outcome.
  package func retry(_ entry: EntryKey, at instant: WallInstant) {
    backlog.append(.retry(entry, at: instant))
  }

  /// Notes what has become of incidents, with the outcomes before it.
  package func note(_ incidents: [IncidentNote]) { backlog.append(.incidents(incidents)) }

  /// Notes that the plugin of an attempt is not called for now: of a first one nothing has been started and its entry waits, any other
  /// is due again. Its run keeps the number.
  package func unstart(_ attempt: Attempt) {
    let hasRow = hasRow(for: attempt)
    numbers.take(attempt.run, reserving: !hasRow)
    // A start that is taken back at once was never told of here.
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
