import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineTestSupport

/// Random jobs for an ordeal; the first job of each seed goes through every combination of policies in turn.
enum OrdealJobs {
  static let groups = [group("g"), group("h")]

  /// A job that has been given nothing special but its schedule and what dice say.
  static func job(_ number: Int, _ random: inout SeededGenerator, around: Int64 = 101_500) -> JobDefinition {
    let schedule: ScheduleRule
    let start = random.seconds(around - 600...around + 200)
    switch random.seconds(0...6) {
    case 0: schedule = loop(.milliseconds(random.seconds(100...5_000)), isPaused: random.happens(percent: 10))
    case 1:
      var instants: Set<Int64> = []
      for _ in 0..<random.seconds(1...8) { instants.insert(random.seconds(around - 600...around + 800)) }
      do { schedule = .explicit(try ExplicitSchedule(instants.sorted().map(t))) } catch {
        preconditionFailure("\(error)")
      }
    case 2: schedule = every(.milliseconds(random.seconds(300...900)), from: t(start))
    default: schedule = every(.seconds(random.seconds(2...40)), from: t(start))
    }
    return JobDefinition(
      name: name("job\(number)"), schedule: schedule, policies: policies(&random), timing: timing(&random))
  }

  /// Jitter and accuracy, longer than the gaps between entries now and then.
  static func timing(_ random: inout SeededGenerator) -> ScheduleTiming {
    var timing = ScheduleTiming()
    if random.happens(percent: 25) { timing.jitter = .milliseconds(random.seconds(1...60_000)) }
    if random.happens(percent: 15) { timing.accuracy = .milliseconds(random.seconds(1...30_000)) }
    return timing
  }

  private static func policies(_ random: inout SeededGenerator) -> JobPolicies {
    var policies = JobPolicies()
    if random.happens(percent: 60) { policies.timeout = .milliseconds(random.seconds(500...20_000)) }
    policies.grace = .seconds(random.seconds(0...4))
    policies.priority = Int(random.seconds(-1...1))
    if random.happens(percent: 50) {
      policies.overlap = OverlapPolicy.allCases.randomElement(using: &random) ?? .skip
    }
    policies.missed = MissedPolicy(
      choice: MissedPolicy.Choice.allCases.randomElement(using: &random) ?? .latest,
      window: random.happens(percent: 20) ? .seconds(random.seconds(2...30)) : nil)
    if random.happens(percent: 30) {
      policies.retry = RetryPolicy(attempts: 3, backoffFrom: .seconds(1), backoffTo: .seconds(4))
    }
    if random.happens(percent: 40) { policies.delivery = .atLeastOnce }
    if random.happens(percent: 30) { policies.concurrency = 2 }
    if random.happens(percent: 40) { policies.groups = [groups[0]] }
    if random.happens(percent: 15) { policies.groups.append(groups[1]) }
    if random.happens(percent: 25) {
      func listener() -> JobName? {
        random.happens(percent: 60) ? name("job\(random.seconds(0...2))") : nil
      }
      policies.reactions = Reactions(
        onFailure: listener(), onMissed: listener(), onRecovery: listener(), onSuccess: listener(),
        onOutput: listener())
      // Dice of their own: former lives stay what they were.
      var dice = random
      if policies.reactions.onFailure != nil { policies.reactions.failureIncidents = incidents(&dice) }
      if policies.reactions.onMissed != nil { policies.reactions.missedIncidents = incidents(&dice) }
      if dice.happens(percent: 20) { policies.reactions.onStart = name("job\(dice.seconds(0...2))") }
      if dice.happens(percent: 20) { policies.reactions.onLate = name("job\(dice.seconds(0...2))") }
    }
    return policies
  }

  /// A policy of incidents half of the time.
  private static func incidents(_ dice: inout SeededGenerator) -> IncidentPolicy? {
    guard dice.happens(percent: 50) else { return nil }
    var policy = IncidentPolicy(after: Int(dice.seconds(1...3)))
    if dice.happens(percent: 20) { policy.within = .seconds(dice.seconds(5...60)) }
    if dice.happens(percent: 20) { policy.remind = .seconds(dice.seconds(5...60)) }
    return policy
  }

  /// The configuration of a seed: seeds in a row have each combination of overlap, missed and delivery first in turn.
  static func jobs(_ seed: UInt64, _ random: inout SeededGenerator) -> [JobDefinition] {
    var jobs = (0..<Int.random(in: 1...4, using: &random)).map { job($0, &random) }
    var rest = seed
    jobs[0].policies.overlap = next(of: OverlapPolicy.allCases, &rest)
    jobs[0].policies.missed.choice = next(of: MissedPolicy.Choice.allCases, &rest)
    jobs[0].policies.delivery = next(of: DeliveryPolicy.allCases, &rest)
    return jobs
  }

  /// The value that a number names by its last digit to the base of their count; the other digits are left.
  private static func next<Value>(of values: [Value], _ rest: inout UInt64) -> Value {
    let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(values.count))
    rest = quotient
    return values[Int(remainder)]
  }

  /// Limits of the groups, of which the second is sometimes without one.
  static func limits(_ random: inout SeededGenerator) -> [GroupName: Int] {
    var limits = [groups[0]: Int(random.seconds(1...2))]
    if random.happens(percent: 70) { limits[groups[1]] = Int(random.seconds(1...2)) }
    return limits
  }
}
