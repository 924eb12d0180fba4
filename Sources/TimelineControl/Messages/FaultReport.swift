/// A job that lacks something of the machine (`Fault`).
package struct FaultReport: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The thing that is missing.
  package var message: String
  /// Whether the job does not run; otherwise it goes on with what was read before and does not run after a restart, or its plugin could
  /// not be asked who it is and its runs show whether it can be called.
  package var isSuspended: Bool

  /// Makes a report.
  package init(job: String, message: String, isSuspended: Bool) {
    self.job = job
    self.message = message
    self.isSuspended = isSuspended
  }
}
