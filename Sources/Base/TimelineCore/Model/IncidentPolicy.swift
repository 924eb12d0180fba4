/// Policy for the incidents of a job: when failures are reported, and how often while they last.
///
/// An incident opens when there are ``after`` failures, and a success closes the incident. The job that reacts runs
/// once when the incident opens, and again every ``remind`` while the incident lasts.
public struct IncidentPolicy: Sendable, Hashable {
  /// The number of failures that open an incident; at least 1.
  public var after: Int
  /// The length of time in which the failures must lie, with or without successes in between; `nil` for failures
  /// without a success in between.
  public var within: ElapsedTime?
  /// The time from one report of an incident to the next; `nil` for no reminders.
  public var remind: ElapsedTime?

  /// Makes a policy; without arguments the first failure opens an incident, which is reported once.
  public init(after: Int = 1, within: ElapsedTime? = nil, remind: ElapsedTime? = nil) {
    self.after = after
    self.within = within
    self.remind = remind
  }
}
