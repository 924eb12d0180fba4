package import TimelineCore

extension Ledger {
  /// Withdraws the claims of a job's scheduled entries up to `watermark`, except those of `held`, because another node has
  /// decided these entries.
  package func withdrawClaims(
    of job: JobName, through watermark: WallInstant, except held: Set<WallInstant>
  ) {
    claims.withdraw(of: jobs.number(of: job), through: watermark, except: held)
  }
}
