package import TimelineCore

extension Control {
  /// Releases a job that waits because the clock was set back.
  package struct Release: ChangingCall {
    /// Reply of the daemon.
    package typealias Reply = ReleaseReply

    /// The job's name.
    package var job: String

    package init(job: String) { self.job = job }
  }
}

/// The reply to `Release`.
package struct ReleaseReply: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The entry that it waited for; `nil` when it did not wait for the clock.
  package var waitedUntil: Timestamp?
  /// Its next entry, if there is one.
  package var next: Timestamp?
  /// The number of entries ahead of the clock whose outcomes the ledger has deleted.
  package var forgottenCount: Int

  /// Makes a reply.
  package init(job: String, waitedUntil: WallInstant?, next: WallInstant?, forgottenCount: Int = 0) {
    self.job = job
    self.waitedUntil = waitedUntil.map(Timestamp.init)
    self.next = next.map(Timestamp.init)
    self.forgottenCount = forgottenCount
  }
}
