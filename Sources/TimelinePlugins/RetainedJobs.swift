package import TimelineCore

/// Which jobs there are after a start or a reload, by the kinds of hosts that run them: asked of whoever knows, so that a hundred
/// thousand names are not kept once more.
package struct RetainedJobs: Sendable {
  /// The kinds that have a job.
  package let kinds: Set<HostKind>
  private let answer: Answer

  private final class Answer: Sendable {
    let keeps: @Sendable (JobName, HostKind) -> Bool

    init(_ keeps: @escaping @Sendable (JobName, HostKind) -> Bool) {
      self.keeps = keeps
    }
  }

  /// Takes the kinds that have a job, and whether a job is there and run by hosts of a kind.
  package init(_ kinds: Set<HostKind>, keeps: @escaping @Sendable (JobName, HostKind) -> Bool) {
    self.kinds = kinds
    answer = Answer(keeps)
  }

  /// Whether the job is there and run by hosts of that kind.
  package func keeps(_ job: JobName, _ kind: HostKind) -> Bool { answer.keeps(job, kind) }
}

extension RetainedJobs: ExpressibleByDictionaryLiteral {
  /// Takes the jobs of each kind, for few of them.
  package init(dictionaryLiteral pairs: (HostKind, Set<JobName>)...) {
    let jobs = Dictionary(pairs, uniquingKeysWith: { $0.union($1) })
    self.init(Set(jobs.keys)) { job, kind in jobs[kind]?.contains(job) ?? false }
  }
}

extension RetainedJobs: Equatable {
  /// Whether the same is asked.
  package static func == (left: RetainedJobs, right: RetainedJobs) -> Bool { left.answer === right.answer }
}
