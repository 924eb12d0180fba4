package import TimelineCore

extension Ledger {
  /// Withdraws the claims of a job's scheduled entries up to `watermark`, except the entries in `held`. Another node has
  /// decided the other entries.
  package func withdrawClaims(
    of job: JobName, through watermark: WallInstant, except held: Set<WallInstant>
  ) {
    claims.withdraw(of: jobs.number(of: job), through: watermark, except: held)
  }
}
