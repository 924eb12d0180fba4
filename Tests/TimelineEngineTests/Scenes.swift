import TimelineCore
import TimelineEngine

// Short ways to write jobs and instants in tests. Times are seconds since the epoch.

func t(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }

/// A valid name or a failure of the test run: names in tests are literals.
func name(_ text: String) -> JobName {
  guard let name = JobName(text) else { preconditionFailure("\(text) is no job name") }
  return name
}

/// A valid name of a group or a failure of the test run.
func group(_ text: String) -> GroupName {
  guard let name = GroupName(text) else { preconditionFailure("\(text) is no name of a group") }
  return name
}

func job(
  _ text: String, _ schedule: ScheduleRule, lasts: Int64 = 0, _ adjust: (inout JobPolicies) -> Void = { _ in }
) -> JobDefinition {
  var policies = JobPolicies()
  policies.expect = .seconds(lasts)
  adjust(&policies)
  return JobDefinition(name: name(text), schedule: schedule, policies: policies)
}

func every(_ seconds: Int64, from start: Int64 = 0) -> ScheduleRule {
  every(.seconds(seconds), from: t(start))
}

func every(_ interval: ElapsedTime, from start: WallInstant = .epoch) -> ScheduleRule {
  do { return .periodic(try PeriodicSchedule(from: start, by: interval)) } catch {
    preconditionFailure("\(error)")
  }
}

func at(_ seconds: Int64...) -> ScheduleRule {
  do { return .explicit(try ExplicitSchedule(seconds.map(t))) } catch { preconditionFailure("\(error)") }
}

func loop(_ interval: ElapsedTime, isPaused: Bool = false) -> ScheduleRule {
  do {
    return .animation(try AnimationSchedule(minimumInterval: interval, isPaused: isPaused))
  } catch { preconditionFailure("\(error)") }
}

extension RunID {
  /// Run `number`.
  static func number(_ number: UInt64) -> RunID { RunID(number: number) }
}

extension [EngineEffect] {
  /// The attempts that are started, in order.
  var starts: [Attempt] {
    compactMap { if case .start(let attempt) = $0 { attempt } else { nil } }
  }

  /// The records, in order.
  var settled: [EntryRecord] {
    compactMap { if case .settle(let record) = $0 { record } else { nil } }
  }

  /// The claims asked for, in order.
  var claims: [EntryKey] {
    flatMap { if case .claim(let keys) = $0 { keys } else { [EntryKey]() } }
  }

  /// The claims given up, in order.
  var withdrawn: [EntryKey] {
    flatMap { if case .withdraw(let keys) = $0 { keys } else { [EntryKey]() } }
  }

  /// Instant that is armed last, the outer `nil` when none is.
  var arm: WallInstant?? {
    compactMap { if case .arm(let deadline) = $0 { .some(deadline) } else { nil } }.last
  }
}

let success = AttemptResult(status: .succeeded)
let failure = AttemptResult(status: .failed)
let passingFailure = AttemptResult(status: .failed, isWorthRetrying: true)
