package import TimelineCore

/// What the engine knows of a job: when, and by which rules. What the job does is the shell's business.
///
/// A definition is one reference to what never changes, so that whoever keeps it keeps eight bytes; altering a property
/// makes another one. Definitions made one after the other with equal policies can share them.
package struct JobDefinition: Sendable {
  private var parts: Parts

  private final class Parts: Sendable {
    let name: JobName
    let schedule: ScheduleRule
    let rules: Rules
    let timing: ScheduleTiming
    let revision: UInt64

    init(
      _ name: JobName, _ schedule: ScheduleRule, _ rules: Rules, _ timing: ScheduleTiming, _ revision: UInt64
    ) {
      self.name = name
      self.schedule = schedule
      self.rules = rules
      self.timing = timing
      self.revision = revision
    }
  }

  private final class Rules: Sendable {
    let policies: JobPolicies

    init(_ policies: JobPolicies) {
      self.policies = policies
    }
  }

  /// Makes a definition.
  ///
  /// - Parameters:
  ///   - schedule: When it falls due.
  ///   - timing: How exactly its entries are meant.
  ///   - revision: A digest of everything else about the job.
  ///   - other: A definition whose policies are shared if they are the same.
  package init(
    name: JobName, schedule: ScheduleRule, policies: JobPolicies = JobPolicies(),
    timing: ScheduleTiming = ScheduleTiming(), revision: UInt64 = 0, sharing other: JobDefinition? = nil
  ) {
    let shared = other.flatMap { $0.parts.rules.policies == policies ? $0.parts.rules : nil }
    parts = Parts(name, schedule, shared ?? Rules(policies), timing, revision)
  }
}

extension JobDefinition {
  /// The job's name, unique in a configuration.
  package var name: JobName {
    get { parts.name }
    set { parts = Parts(newValue, schedule, parts.rules, timing, revision) }
  }
  /// When it falls due.
  package var schedule: ScheduleRule {
    get { parts.schedule }
    set { parts = Parts(name, newValue, parts.rules, timing, revision) }
  }
  /// What to do when the world is in the way.
  package var policies: JobPolicies {
    get { parts.rules.policies }
    set { parts = Parts(name, schedule, Rules(newValue), timing, revision) }
  }
  /// How exactly its entries are meant; a closed loop, whose entries nobody knows ahead, has no use for it.
  package var timing: ScheduleTiming {
    get { parts.timing }
    set { parts = Parts(name, schedule, parts.rules, newValue, revision) }
  }
  /// A digest of everything else about the job, so that a reload can tell whether it changed.
  package var revision: UInt64 {
    get { parts.revision }
    set { parts = Parts(name, schedule, parts.rules, timing, newValue) }
  }
}

// Never inline: the schedule is asked where it lies, and a caller that changes a job would have to retain it.
extension JobDefinition {
  /// The first entry of the schedule strictly later than `instant`; `nil` when there is none any more.
  @inline(never)
  func next(after instant: WallInstant) -> WallInstant? { parts.schedule.next(after: instant) }

  /// When the entry at `nominal` falls due by the timing, on the machine that rolls its jitter from `seed`.
  @inline(never)
  func dueInstant(of nominal: WallInstant, _ seed: UInt64) -> WallInstant {
    parts.timing.start(
      of: parts.name, seed: seed, nominal: nominal, next: parts.schedule.next(after: nominal))
  }
}

extension JobDefinition: Hashable {
  /// Whether everything about them is equal.
  package static func == (left: JobDefinition, right: JobDefinition) -> Bool {
    if left.parts === right.parts { return true }
    return left.name == right.name && left.revision == right.revision && left.timing == right.timing
      && (left.parts.rules === right.parts.rules || left.policies == right.policies)
      && left.schedule == right.schedule
  }

  /// Takes in everything about it.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(schedule)
    hasher.combine(policies)
    hasher.combine(timing)
    hasher.combine(revision)
  }
}
