package import TimelineCore

/// What the engine knows of a job: when, and by which rules. What the job does is the shell's business.
package struct JobDefinition: Sendable, Hashable {
  /// The job's name, unique in a configuration.
  package var name: JobName
  /// When it falls due.
  package var schedule: ScheduleRule
  /// What to do when the world is in the way.
  package var policies: JobPolicies
  /// How exactly its entries are meant; a closed loop, whose entries nobody knows ahead, has no use for it.
  package var timing: ScheduleTiming
  /// A digest of everything else about the job, so that a reload can tell whether it changed.
  package var revision: UInt64

  /// Makes a definition.
  package init(
    name: JobName, schedule: ScheduleRule, policies: JobPolicies = JobPolicies(),
    timing: ScheduleTiming = ScheduleTiming(), revision: UInt64 = 0
  ) {
    self.name = name
    self.schedule = schedule
    self.policies = policies
    self.timing = timing
    self.revision = revision
  }
}

/// One nominal instant of one job: the key that every claim, run and disposition is filed under.
package struct EntryKey: Sendable, Hashable {
  /// The job.
  package var job: JobName
  /// The nominal instant; for a manual trigger the instant at which it was asked for.
  package var nominal: WallInstant

  /// Makes a key.
  package init(job: JobName, nominal: WallInstant) {
    self.job = job
    self.nominal = nominal
  }
}

/// The number of a run, unique for the life of an engine, ascending from 1.
package struct RunID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number.
  package var number: UInt64

  /// Makes the name of run `number`.
  package init(number: UInt64) {
    self.number = number
  }

  /// The number in decimal.
  package var description: String { String(number) }

  /// Orders runs by when they were made.
  package static func < (left: RunID, right: RunID) -> Bool { left.number < right.number }
}
