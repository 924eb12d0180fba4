package import TimelineCore
package import TimelineEngine

// Short ways to write jobs and instants in tests. Times are seconds since the epoch.

/// Returns an instant.
package func t(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }

/// Returns a name; names in tests are literals, and a wrong one ends the test run.
package func name(_ text: String) -> JobName {
  guard let name = JobName(text) else { preconditionFailure("\(text) is no job name") }
  return name
}

/// Returns the name of a group; a wrong one ends the test run.
package func group(_ text: String) -> GroupName {
  guard let name = GroupName(text) else { preconditionFailure("\(text) is no name of a group") }
  return name
}

/// Returns a job whose runs last so many seconds in a simulation.
package func job(
  _ text: String, _ schedule: ScheduleRule, lasts: Int64 = 0, _ adjust: (inout JobPolicies) -> Void = { _ in }
) -> JobDefinition {
  var policies = JobPolicies()
  policies.expect = .seconds(lasts)
  adjust(&policies)
  return JobDefinition(name: name(text), schedule: schedule, policies: policies)
}

/// Returns a schedule of every so many seconds.
package func every(_ seconds: Int64, from start: Int64 = 0) -> ScheduleRule {
  every(.seconds(seconds), from: t(start))
}

/// Returns a schedule of an entry each interval.
package func every(_ interval: ElapsedTime, from start: WallInstant = .epoch) -> ScheduleRule {
  do { return .periodic(try PeriodicSchedule(from: start, by: interval)) } catch {
    preconditionFailure("\(error)")
  }
}

/// Returns a schedule of these instants.
package func at(_ seconds: Int64...) -> ScheduleRule {
  do { return .explicit(try ExplicitSchedule(seconds.map(t))) } catch { preconditionFailure("\(error)") }
}

/// Returns a closed loop.
package func loop(_ interval: ElapsedTime, isPaused: Bool = false) -> ScheduleRule {
  do {
    return .animation(try AnimationSchedule(minimumInterval: interval, isPaused: isPaused))
  } catch { preconditionFailure("\(error)") }
}
