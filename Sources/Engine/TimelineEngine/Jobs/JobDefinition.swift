package import TimelineCore

/// A job for the engine: its schedule and its policies. Only the shell has the plugin and its parameters.
///
/// A definition is one reference (8 bytes) to an object that never changes. Setting a property makes another object.
/// Definitions that are made one after the other can share equal policies and timing.
package struct JobDefinition: Sendable {
  private var parts: Parts

  private final class Parts: Sendable {
    let name: JobName
    let schedule: ScheduleRule
    let rules: Rules
    let revision: UInt64
    let isLeftToCron: Bool

    init(
      _ name: JobName, _ schedule: ScheduleRule, _ rules: Rules, _ revision: UInt64,
      isLeftToCron: Bool = false
    ) {
      self.name = name
      self.schedule = schedule
      self.rules = rules
      self.revision = revision
      self.isLeftToCron = isLeftToCron
    }

    func with(
      name: JobName? = nil, schedule: ScheduleRule? = nil, rules: Rules? = nil, revision: UInt64? = nil,
      isLeftToCron: Bool? = nil
    ) -> Parts {
      Parts(
        name ?? self.name, schedule ?? self.schedule, rules ?? self.rules, revision ?? self.revision,
        isLeftToCron: isLeftToCron ?? self.isLeftToCron)
    }
  }

  private final class Rules: Sendable {
    let policies: JobPolicies
    let timing: ScheduleTiming

    init(_ policies: JobPolicies, _ timing: ScheduleTiming) {
      self.policies = policies
      self.timing = timing
    }
  }

  /// Makes a definition.
  ///
  /// - Parameters:
  ///   - schedule: Schedule of the job.
  ///   - timing: Timing of its entries: jitter and accuracy.
  ///   - revision: A digest of everything else about the job.
  ///   - other: A definition whose policies and timing are shared if they are equal.
  package init(
    name: JobName, schedule: ScheduleRule, policies: JobPolicies = JobPolicies(),
    timing: ScheduleTiming = ScheduleTiming(), revision: UInt64 = 0, sharing other: JobDefinition? = nil
  ) {
    let shared = other.flatMap { $0.policies == policies && $0.timing == timing ? $0.parts.rules : nil }
    parts = Parts(name, schedule, shared ?? Rules(policies, timing), revision)
  }

  /// Makes a definition that shares the policies and the timing of `other`.
  package init(name: JobName, schedule: ScheduleRule, revision: UInt64, like other: JobDefinition) {
    parts = Parts(name, schedule, other.parts.rules, revision)
  }
}

extension JobDefinition {
  /// Unique in a configuration.
  package var name: JobName {
    get { parts.name }
    set { parts = parts.with(name: newValue) }
  }
  package var schedule: ScheduleRule {
    get { parts.schedule }
    set { parts = parts.with(schedule: newValue) }
  }
  /// Policies of the job: overlap, missed, retry, delivery, priority and others.
  package var policies: JobPolicies {
    get { parts.rules.policies }
    set { parts = parts.with(rules: Rules(newValue, timing)) }
  }
  /// Timing of the entries: jitter and accuracy. A closed loop does not use it, because its entries are not known in advance.
  package var timing: ScheduleTiming {
    get { parts.rules.timing }
    set { parts = parts.with(rules: Rules(policies, newValue)) }
  }
  /// Digest of everything else about the job, so that a reload can detect a change.
  package var revision: UInt64 {
    get { parts.revision }
    set { parts = parts.with(revision: newValue) }
  }
  /// Whether cron runs the job at present. The entries of its schedule are then recorded and not run.
  package var isLeftToCron: Bool {
    get { parts.isLeftToCron }
    set { parts = parts.with(isLeftToCron: newValue) }
  }
}

// Never inlined: an inlined copy would make a caller that changes a job retain the schedule. Here the schedule is used in
// place.
extension JobDefinition {
  /// Returns the first entry of the schedule strictly later than `instant`; `nil` for none.
  @inline(never)
  func next(after instant: WallInstant) -> WallInstant? { parts.schedule.next(after: instant) }

  /// Whether the schedule has an entry at exactly this instant.
  func hasEntry(at instant: WallInstant) -> Bool { schedule.latest(atOrBefore: instant) == instant }

  /// Whether the schedule has an entry at each end of the span.
  func hasEntries(atEndsOf span: ClosedRange<WallInstant>) -> Bool {
    schedule.next(after: span.lowerBound - .nanoseconds(1)) == span.lowerBound
      && schedule.latest(atOrBefore: span.upperBound) == span.upperBound
  }

  /// Returns the instant at which the entry at `nominal` falls due by the timing, with the jitter of the machine with `seed`.
  @inline(never)
  func dueInstant(of nominal: WallInstant, _ seed: UInt64) -> WallInstant {
    parts.rules.timing.start(
      of: parts.name, seed: seed, nominal: nominal, next: parts.schedule.next(after: nominal))
  }
}

extension JobDefinition: Hashable {
  /// Whether all properties are equal.
  package static func == (left: JobDefinition, right: JobDefinition) -> Bool {
    if left.parts === right.parts { return true }
    return left.name == right.name && left.revision == right.revision
      && left.isLeftToCron == right.isLeftToCron
      && (left.parts.rules === right.parts.rules
        || left.timing == right.timing && left.policies == right.policies)
      && left.schedule == right.schedule
  }

  /// Hashes all properties.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(schedule)
    hasher.combine(policies)
    hasher.combine(timing)
    hasher.combine(revision)
    hasher.combine(isLeftToCron)
  }
}
