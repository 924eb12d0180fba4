package import TimelineCore

/// The jobs after a start or a reload, by the specifications of the plugin hosts that run them. The owner of the jobs is asked, so that a
/// hundred thousand names are not kept twice.
package struct ActiveJobs: Sendable {
  /// Specifications of the plugin hosts that have a job.
  package let kinds: Set<HostSpec>
  private let answer: Answer

  /// The group with which a job takes turns.
  package struct Turns: Sendable, Hashable {
    /// The group.
    package var group: GroupName
    /// Largest number of active runs of all its jobs at a time, from 1.
    package var limit: Int

    /// Makes the turns of a group.
    package init(_ group: GroupName, limit: Int) {
      self.group = group
      self.limit = limit
    }
  }

  private final class Answer: Sendable {
    let turns: @Sendable (JobName) -> Turns?
    let keeps: @Sendable (JobName, HostSpec) -> Bool

    init(
      turns: @escaping @Sendable (JobName) -> Turns?,
      keeps: @escaping @Sendable (JobName, HostSpec) -> Bool
    ) {
      self.turns = turns
      self.keeps = keeps
    }
  }

  /// Takes the kinds that have a job, the narrowest of a job's groups, and whether a job is there and run by hosts of a kind.
  package init(
    _ kinds: Set<HostSpec>, turns: @escaping @Sendable (JobName) -> Turns? = { _ in nil },
    keeps: @escaping @Sendable (JobName, HostSpec) -> Bool
  ) {
    self.kinds = kinds
    answer = Answer(turns: turns, keeps: keeps)
  }

  /// Returns the group with which the job takes turns; `nil` when it has no group.
  package func turns(of job: JobName) -> Turns? { answer.turns(job) }

  /// Whether the job is there and run by hosts of that kind.
  package func keeps(_ job: JobName, _ kind: HostSpec) -> Bool { answer.keeps(job, kind) }
}

extension ActiveJobs: ExpressibleByDictionaryLiteral {
  /// Takes the jobs of each kind, for few of them.
  package init(dictionaryLiteral pairs: (HostSpec, Set<JobName>)...) {
    let jobs = Dictionary(pairs, uniquingKeysWith: { $0.union($1) })
    self.init(Set(jobs.keys)) { job, kind in jobs[kind]?.contains(job) ?? false }
  }
}

extension ActiveJobs: Equatable {
  /// Whether the same is asked.
  package static func == (left: ActiveJobs, right: ActiveJobs) -> Bool { left.answer === right.answer }
}
