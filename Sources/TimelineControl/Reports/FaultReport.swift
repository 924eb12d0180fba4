/// A job with a missing requirement on this machine (`Fault`).
package struct FaultReport: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The missing requirement.
  package var message: String
  /// Whether the job does not run. Otherwise it continues with what was read before and does not run after a restart,
  /// or its plugin could not be inspected and only its runs show whether the plugin can be called.
  package var isSuspended: Bool

  package init(job: String, message: String, isSuspended: Bool) {
    self.job = job
    self.message = message
    self.isSuspended = isSuspended
  }
}
