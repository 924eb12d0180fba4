import TimelineCore
package import TimelineEngine

extension Ledger {
  /// Takes in starts that an earlier daemon had made known in another way and may not have written; call it after
  /// ``recall(at:)``, and recall again.
  ///
  /// What the ledger has of them already stays as it is, and so does an entry that has its disposition.
  package func recover(_ attempts: [Attempt]) throws(LedgerError) {
    for attempt in attempts {
      let job = jobs.number(of: attempt.entry.job)
      let hasRow = self.hasRow(job, attempt.cause)
      numbers.take(attempt.run, reserving: !hasRow)
      guard hasRow else { continue }
      backlog.append(.start(attempt, claimedAt: claims.remove(attempt.entry.nominal, of: job)?.claimedAt))
    }
    try commit()
  }
}
