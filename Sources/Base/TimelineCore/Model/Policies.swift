/// Policies for a job's entries: overlap, missed entries, retries, limits and reactions.
public struct JobPolicies: Sendable, Hashable {
  /// The policy for an entry that falls due while the job still runs.
  public var overlap: OverlapPolicy = .skip
  /// The policy for missed entries.
  public var missed: MissedPolicy = MissedPolicy()
  /// The policy for retries after a failed run; `nil` for no retries.
  public var retry: RetryPolicy?
  /// The maximum length of an attempt before it is asked to stop; `nil` for no limit.
  public var timeout: ElapsedTime?
  /// The time that an attempt has to stop before it is killed.
  public var grace: ElapsedTime = .seconds(10)
  /// The delivery guarantee after a crash.
  public var delivery: DeliveryPolicy = .atMostOnce
  /// The priority among entries of one instant: the higher number goes first; ties go by order in the configuration.
  public var priority: Int = 0
  /// The expected duration of a run: a dry run, which calls no plugin, uses it as the duration.
  public var expect: ElapsedTime = .zero
  /// The maximum number of runs of the job at a time before its overlap policy applies; at least 1.
  public var concurrency: Int = 1
  /// The maximum number of due entries of the job that wait at a time: for a run to end, for a group or for the end
  /// of a pause. Further entries end `limited`. At least 1.
  public var waitingMax: Int = 1_000
  /// The maximum time an attempt waits for a plugin host; `nil` for the length of ``timeout``.
  public var waitingTimeout: ElapsedTime?
  /// The groups whose limits count the job's runs. A run needs room in all groups.
  public var groups: [GroupName] = []
  /// The jobs that the outcomes of this job trigger.
  public var reactions = Reactions()

  /// Makes the default policies.
  public init() {}
}

/// Policy for an entry that falls due while the job still runs; the values are those of Temporal's schedules.
public enum OverlapPolicy: String, Sendable, Hashable, CaseIterable {
  /// Drop the new entry.
  case skip
  /// Keep the first entry that falls due meanwhile, drop the others.
  case bufferOne = "buffer-one"
  /// Keep every entry and run them one after the other.
  case bufferAll = "buffer-all"
  /// Ask the running attempt to stop, then start.
  case cancelOther = "cancel-other"
  /// Kill the running attempt, then start.
  case terminateOther = "terminate-other"
  /// Start concurrently.
  case allowAll = "allow-all"

  /// Whether an entry is dropped at once when the job has no room for another run.
  package var dropsEntries: Bool {
    switch self {
    case .skip: true
    case .bufferOne, .bufferAll, .cancelOther, .terminateOther, .allowAll: false
    }
  }

  /// Whether a later entry kills the run before it.
  package var killsRuns: Bool {
    switch self {
    case .terminateOther: true
    case .skip, .bufferOne, .bufferAll, .cancelOther, .allowAll: false
    }
  }

  /// Whether `concurrency` does not apply. The engine still limits a job to 100 runs at a time.
  package var hasRoomForAll: Bool {
    switch self {
    case .allowAll: true
    case .skip, .bufferOne, .bufferAll, .cancelOther, .terminateOther: false
    }
  }
}

/// Policy for entries missed during downtime, suspend, a clock step, a pause or overload.
public struct MissedPolicy: Sendable, Hashable {
  /// The missed entries that are run.
  public enum Choice: String, Sendable, Hashable, CaseIterable {
    /// One run for the most recent missed entry, the rule of SwiftUI's TimelineView.
    case latest
    /// All missed entries, oldest first, within a bound.
    case all
    /// No missed entry.
    case skip
  }

  /// The missed entries that are run.
  public var choice: Choice
  /// The maximum lateness with which a missed entry is run; `nil` for any.
  public var window: ElapsedTime?

  /// Makes a policy; the default is one run for the most recent missed entry, however late.
  public init(choice: Choice = .latest, window: ElapsedTime? = nil) {
    self.choice = choice
    self.window = window
  }
}

/// Policy for retries after a failure that can be retried.
public struct RetryPolicy: Sendable, Hashable {
  /// Total number of attempts, including the first; at least 2.
  public var attempts: Int
  /// The pause before the second attempt. The pause doubles with each further attempt.
  public var backoffFrom: ElapsedTime
  /// The longest pause.
  public var backoffTo: ElapsedTime
  /// The maximum percentage, 0 to 100, by which a pause is shortened, so that many failed runs are not retried at the
  /// same time.
  public var jitterPercent: Int

  /// Makes a policy of `attempts` in total with pauses that double from `backoffFrom` to `backoffTo`.
  public init(attempts: Int, backoffFrom: ElapsedTime, backoffTo: ElapsedTime, jitterPercent: Int = 10) {
    self.attempts = attempts
    self.backoffFrom = backoffFrom
    self.backoffTo = backoffTo
    self.jitterPercent = jitterPercent
  }
}

/// Policy for an entry when a crash occurs between its claim and its result. Neither value guarantees exactly one
/// run.
public enum DeliveryPolicy: String, Sendable, Hashable, CaseIterable {
  /// Never run twice: a crash in between leaves `unknown`.
  case atMostOnce = "at-most-once"
  /// Never lost: run again, with the same run key.
  case atLeastOnce = "at-least-once"
}

/// Policy for clock changes, for the entries of a rule that fixes the time of the day.
public struct DaylightSavingPolicy: Sendable, Hashable {
  /// Policy for times that clocks skip when they are put forward.
  public enum Gap: String, Sendable, Hashable, CaseIterable {
    /// The times run once, all together, at the instant of the change.
    case runAtEnd = "run-at-end"
    /// The times run as long after midnight as on other days: 02:30 becomes 03:30.
    case shift
    /// The times do not run.
    case skip
  }

  /// Policy for times that clocks show twice when they are put back.
  public enum Fold: String, Sendable, Hashable, CaseIterable {
    /// The times run when clocks show them first.
    case first
    /// The times run when clocks show them again.
    case second
    /// The times run twice.
    case both
  }

  /// The policy for times that do not exist.
  public var gap: Gap
  /// The policy for times that come twice.
  public var fold: Fold

  /// Makes a policy. By default, skipped times run once at the change, and repeated times run once.
  public init(gap: Gap = .runAtEnd, fold: Fold = .first) {
    self.gap = gap
    self.fold = fold
  }
}
