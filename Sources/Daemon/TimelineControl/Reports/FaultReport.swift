/// A job with a missing requirement on this machine (`Fault`).
package struct FaultReport: Codable, Sendable, Equatable {
  package var job: String
  /// The missing requirement.
  package var message: String
  /// Whether the job does not run. There are two cases of `false`. The job continues with what was read before, and will not run
  /// after a restart. Or the plugin could not be inspected, so that only runs show whether the plugin can be called.
  package var isSuspended: Bool

  package init(job: String, message: String, isSuspended: Bool) {
    self.job = job
    self.message = message
    self.isSuspended = isSuspended
  }
}
