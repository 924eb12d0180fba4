import TimelinePluginKit

/// Limits of a request.
package struct TransferLimits: Sendable {
  /// Time limit for the whole request in seconds. If the remaining time of the run is shorter, it is the limit.
  package var timeLimit: Double
  /// Time limit for making a connection in seconds.
  package var connectTimeLimit: Double
  /// Whether redirects are followed, up to ``redirectsMax``.
  package var followsRedirects: Bool
  /// The largest number of redirects that are followed. Browsers and curl follow at least as many.
  static let redirectsMax = 10
  /// Largest size of the response's body in bytes. A transfer beyond it is aborted.
  package var responseLimit: Int64

  /// The keys in a job's `with` that set the time limits.
  package var timeKeys: String

  package init(
    timeLimit: Double, connectTimeLimit: Double = 10, followsRedirects: Bool = false, responseLimit: Int64,
    timeKeys: String
  ) {
    self.timeKeys = timeKeys
    self.timeLimit = timeLimit
    self.connectTimeLimit = connectTimeLimit
    self.followsRedirects = followsRedirects
    self.responseLimit = responseLimit
  }

  /// Returns the timeout of this run's request in milliseconds: the job's limit, or the remaining time of the run if it is
  /// shorter. `microseconds`, the time that earlier redirected requests took, is subtracted.
  func timeLimitMilliseconds(for context: RunContext, after microseconds: Int64) -> Int {
    max(1, timeLimitMilliseconds(for: context) - Int(microseconds / 1_000))
  }

  private func timeLimitMilliseconds(for context: RunContext) -> Int {
    let own = Int(timeLimit * 1_000)
    // The deadline of a rehearsal is on the rehearsal's clock, which may run at any speed.
    guard let deadline = context.deadline, !context.isRehearsal else { return own }
    let left = deadline.subtractingReportingOverflow(context.actual)
    return left.overflow ? own : min(own, Int(left.partialValue / 1_000_000))
  }
}
