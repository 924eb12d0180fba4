public import TimelineCore

/// Names of jobs as literals; a wrong one ends the test run.
extension JobName: ExpressibleByStringLiteral {
  /// Makes the name.
  public init(stringLiteral text: String) {
    guard let name = JobName(text) else { preconditionFailure("\(text) is no job name") }
    self = name
  }
}
