import TimelinePluginKit

/// The bounds of a request.
package struct TransferLimits: Sendable {
  /// Seconds for the whole request; the rest of the run's time counts too if it is shorter.
  package var timeLimit: Double
  /// Seconds until there is a connection.
  package var connectTimeLimit: Double
  /// Whether up to ten redirects are followed.
  package var followsRedirects: Bool
  /// The most redirects that are followed: as many as browsers and curl follow, or fewer.
  static let redirectsMax = 10
  /// Bytes of the response's body beyond which the transfer is broken off.
  package var responseLimit: Int64

  /// The keys of a job's `with` that set the times.
  package var timeKeys: String

  /// Makes bounds.
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

  /// Returns the timeout of this run's request, in milliseconds: the job's limit, or the rest of the run's time if
  /// that is less, without the microseconds that the redirects to it took.
  func timeLimitMilliseconds(for context: RunContext, after microseconds: Int64) -> Int {
    max(1, timeLimitMilliseconds(for: context) - Int(microseconds / 1_000))
  }

  private func timeLimitMilliseconds(for context: RunContext) -> Int {
    let own = Int(timeLimit * 1_000)
    // A rehearsal's deadline is in the rehearsal's time, which may pass at any speed.
    guard let deadline = context.deadline, !context.isRehearsal else { return own }
    let left = deadline.subtractingReportingOverflow(context.actual)
    return left.overflow ? own : min(own, Int(left.partialValue / 1_000_000))
  }
}
