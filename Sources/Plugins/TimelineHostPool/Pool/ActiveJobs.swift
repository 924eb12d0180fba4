package import TimelineCore

/// The jobs after a start or a reload, by the specifications of the plugin hosts that run them. Jobs are looked up in the
/// data of their owner, so that 100,000 names are not stored twice.
package struct ActiveJobs: Sendable {
  /// Specifications of the plugin hosts that have at least one job.
  package let kinds: Set<HostSpec>
  private let answer: Answer

  /// The group with which a job takes turns.
  package struct Turns: Sendable, Equatable {
    package var group: GroupName
    /// Largest number of active runs of the group's jobs at a time, from 1.
    package var limit: Int

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

  /// Makes the jobs from the specifications that have at least one job. `turns` returns the narrowest of a job's groups;
  /// `keeps` returns whether a job exists and hosts of a kind run it.
  package init(
    _ kinds: Set<HostSpec>, turns: @escaping @Sendable (JobName) -> Turns? = { _ in nil },
    keeps: @escaping @Sendable (JobName, HostSpec) -> Bool
  ) {
    self.kinds = kinds
    answer = Answer(turns: turns, keeps: keeps)
  }

  /// Returns the group with which the job takes turns; `nil` when it has no group.
  package func turns(of job: JobName) -> Turns? { answer.turns(job) }

  /// Whether the job exists and hosts of that kind run it.
  package func keeps(_ job: JobName, _ kind: HostSpec) -> Bool { answer.keeps(job, kind) }
}

extension ActiveJobs: ExpressibleByDictionaryLiteral {
  /// Makes the jobs from a literal, for a small number of them.
  package init(dictionaryLiteral pairs: (HostSpec, Set<JobName>)...) {
    let jobs = Dictionary(pairs, uniquingKeysWith: { $0.union($1) })
    self.init(Set(jobs.keys)) { job, kind in jobs[kind]?.contains(job) ?? false }
  }
}

extension ActiveJobs: Equatable {
  /// Whether both values look jobs up in the same object.
  package static func == (left: ActiveJobs, right: ActiveJobs) -> Bool { left.answer === right.answer }
}
