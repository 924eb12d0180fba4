import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineTestSupport

/// Random jobs for a simulation. Over consecutive seeds, the first job has every combination of policies in turn.
enum SimulatedJobs {
  static let groups = [group("g"), group("h")]

  /// Kinds of schedules, with their probabilities.
  private enum Kind {
    case loop, explicit, fast, every

    static let table = [loop, explicit, fast, every, every, every, every]
  }

  /// A job with a random schedule, policies and timing.
  static func job(_ number: Int, _ dice: inout Dice, around: Int64 = 101_500) -> JobDefinition {
    var schedule: ScheduleRule
    let start = dice.number(in: around - 600...around + 200, "first entry")
    switch dice.element(of: Kind.table, quietly: 3, "kind of schedule") ?? .every {
    case .loop:
      schedule = loop(
        .milliseconds(dice.number(in: 100...5_000, "milliseconds between frames")),
        isPaused: dice.happens(percent: 10, "begins paused"))
    case .explicit:
      var instants: Set<Int64> = []
      for _ in 0..<dice.number(in: 1...8, "instants") {
        instants.insert(dice.number(in: around - 600...around + 800, "instant"))
      }
      do { schedule = .explicit(try ExplicitSchedule(instants.sorted().map(t))) } catch {
        preconditionFailure("\(error)")
      }
    case .fast:
      schedule = every(
        .milliseconds(dice.number(in: 300...900, "milliseconds between entries")), from: t(start))
    case .every:
      schedule = every(.seconds(dice.number(in: 2...40, "seconds between entries")), from: t(start))
    }
    // Separate dice, so that the other jobs of former seeds stay the same.
    var own = dice
    if own.happens(percent: 15, "its entries move") {
      schedule = SimulatedMoves.schedule(&own, around: around)
    }
    return JobDefinition(
      name: name("job\(number)"), schedule: schedule, policies: policies(&dice), timing: timing(&dice))
  }

  /// Jitter and accuracy, sometimes longer than the interval between entries.
  static func timing(_ dice: inout Dice) -> ScheduleTiming {
    var timing = ScheduleTiming()
    if dice.happens(percent: 25, "has jitter") {
      timing.jitter = .milliseconds(dice.number(in: 1...60_000, "milliseconds of jitter"))
    }
    if dice.happens(percent: 15, "has accuracy") {
      timing.accuracy = .milliseconds(dice.number(in: 1...30_000, "milliseconds of accuracy"))
    }
    return timing
  }

  private static func policies(_ dice: inout Dice) -> JobPolicies {
    var policies = JobPolicies()
    if dice.happens(percent: 60, "has a timeout") {
      policies.timeout = .milliseconds(dice.number(in: 500...20_000, "milliseconds of timeout"))
    }
    policies.grace = .seconds(dice.number(in: 0...4, "seconds of grace"))
    policies.priority = Int(dice.number(in: -1...1, quietly: 0, "priority"))
    if dice.happens(percent: 50, "has an overlap policy") {
      policies.overlap = dice.element(of: OverlapPolicy.allCases, "overlap") ?? .skip
    }
    policies.missed = MissedPolicy(
      choice: dice.element(of: MissedPolicy.Choice.allCases, "missed") ?? .latest,
      window: dice.happens(percent: 20, "has a window")
        ? .seconds(dice.number(in: 2...30, "seconds of window")) : nil)
    if dice.happens(percent: 30, "retries") {
      policies.retry = RetryPolicy(attempts: 3, backoffFrom: .seconds(1), backoffTo: .seconds(4))
    }
    if dice.happens(percent: 40, "at least once") { policies.delivery = .atLeastOnce }
    if dice.happens(percent: 30, "two at a time") { policies.concurrency = 2 }
    if dice.happens(percent: 40, "is in the first group") { policies.groups = [groups[0]] }
    if dice.happens(percent: 15, "is in the second group") { policies.groups.append(groups[1]) }
    if dice.happens(percent: 25, "has reactions") { policies.reactions = reactions(&dice) }
    return policies
  }

  private static func reactions(_ dice: inout Dice) -> Reactions {
    func listener(_ label: StaticString) -> JobName? {
      dice.happens(percent: 60, label) ? name("job\(dice.number(in: 0...2, "job that reacts"))") : nil
    }
    var reactions = Reactions(
      onFailure: listener("on failure"), onMissed: listener("on missed"), onRecovery: listener("on recovery"),
      onSuccess: listener("on success"), onOutput: listener("on output"))
    // Separate dice, so that the simulations of former seeds stay the same.
    var own = dice
    if reactions.onFailure != nil { reactions.failureIncidents = incidents(&own) }
    if reactions.onMissed != nil { reactions.missedIncidents = incidents(&own) }
    if own.happens(percent: 20, "on start") {
      reactions.onStart = name("job\(own.number(in: 0...2, "job that reacts"))")
    }
    if own.happens(percent: 20, "on late") {
      reactions.onLate = name("job\(own.number(in: 0...2, "job that reacts"))")
    }
    return reactions
  }

  /// Returns an incident policy in half of the cases, and otherwise `nil`.
  private static func incidents(_ dice: inout Dice) -> IncidentPolicy? {
    guard dice.happens(percent: 50, "has incidents") else { return nil }
    var policy = IncidentPolicy(after: Int(dice.number(in: 1...3, "failures of an incident")))
    if dice.happens(percent: 20, "failures within a time") {
      policy.within = .seconds(dice.number(in: 5...60, "seconds of that time"))
    }
    if dice.happens(percent: 20, "reminds") {
      policy.remind = .seconds(dice.number(in: 5...60, "seconds to a reminder"))
    }
    return policy
  }

  /// The configuration of a seed. Over consecutive seeds, the first job has each combination of overlap, missed and delivery
  /// in turn.
  static func jobs(_ seed: UInt64, _ dice: inout Dice) -> [JobDefinition] {
    let count = Int(dice.number(in: 1...4, "jobs"))
    var jobs = (0..<count).map { number in
      dice.enter(.job(number))
      return job(number, &dice)
    }
    dice.enter(.start)
    var rest = seed
    jobs[0].policies.overlap = next(of: OverlapPolicy.allCases, &rest)
    jobs[0].policies.missed.choice = next(of: MissedPolicy.Choice.allCases, &rest)
    jobs[0].policies.delivery = next(of: DeliveryPolicy.allCases, &rest)
    return jobs
  }

  /// Returns the value at the index that is the last digit of `rest`, to the base of the number of values, and removes the
  /// digit.
  private static func next<Value>(of values: [Value], _ rest: inout UInt64) -> Value {
    let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(values.count))
    rest = quotient
    return values[Int(remainder)]
  }

  /// Limits of the groups; the second group sometimes has no limit.
  static func limits(_ dice: inout Dice) -> [GroupName: Int] {
    var limits = [groups[0]: Int(dice.number(in: 1...2, "limit of the first group"))]
    if dice.happens(percent: 70, "the second group has a limit") {
      limits[groups[1]] = Int(dice.number(in: 1...2, "limit of the second group"))
    }
    return limits
  }
}
