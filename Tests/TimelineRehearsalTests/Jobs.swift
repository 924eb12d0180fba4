import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

// Short ways to write jobs, instants and zones in tests. Times are seconds since the epoch.

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

func loop(_ interval: ElapsedTime) -> ScheduleRule {
  do { return .animation(try AnimationSchedule(minimumInterval: interval)) } catch {
    preconditionFailure("\(error)")
  }
}

/// A zone by the rules of this machine.
func zone(_ name: String) throws -> Zone {
  if name == "UTC" { return .utc }
  let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)")
  return try Zone(name: name, tzif: [UInt8](try #require(data, "install the package tzdata")))
}

extension SeededGenerator {
  /// Whether a thing with this chance in a hundred happens.
  mutating func happens(percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func seconds(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }
}
