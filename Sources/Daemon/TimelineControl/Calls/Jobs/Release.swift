package import TimelineCore

extension Control {
  /// Releases a job that waits because the clock was set to an earlier time.
  package struct Release: ChangingCall {
    /// Reply of the daemon.
    package typealias Reply = ReleaseReply

    package var job: String

    package init(job: String) { self.job = job }
  }
}

/// The reply to `Release`.
package struct ReleaseReply: Codable, Sendable, Equatable {
  package var job: String
  /// The entry that the job waited for; `nil` if the job did not wait for the clock.
  package var waitedUntil: Timestamp?
  /// The job's next entry; `nil` for none.
  package var next: Timestamp?
  /// The number of entries ahead of the clock whose outcomes the ledger has deleted.
  package var forgottenCount: Int

  package init(job: String, waitedUntil: WallInstant?, next: WallInstant?, forgottenCount: Int = 0) {
    self.job = job
    self.waitedUntil = waitedUntil.map(Timestamp.init)
    self.next = next.map(Timestamp.init)
    self.forgottenCount = forgottenCount
  }
}
