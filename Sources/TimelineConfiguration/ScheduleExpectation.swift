package import TimelineCore

/// One `[[expect-schedule]]`: what is to be true of a job's entries for a while from now on.
///
/// Reading only understands it; ``Configuration/refutedExpectations(from:)`` proves or refutes it.
package struct ScheduleExpectation: Sendable, Hashable {
  /// Whose entries are meant.
  package var job: JobName
  /// No two neighbouring entries are further apart.
  package var gapMax: ElapsedTime?
  /// No two neighbouring entries are nearer to one another.
  package var gapMin: ElapsedTime?
  /// How many entries every day of the job's zone has.
  package var countPerDay: Int?
  /// The job whose runs never coincide with this one's, each run being as long as its `timeout` or, without one, its `expect`.
  package var neverOverlaps: JobName?
  /// For how long it is to be true.
  package var span: ElapsedTime
  /// The same as it is written.
  package var spanText: String
  /// Where the table stands, and by key where its values do.
  package var place: SourcePlace
  /// Where the values stand, by key.
  package var places: [String: SourcePlace]
}
