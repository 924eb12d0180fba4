package import TimelineCore

/// Histogram of durations with fixed buckets, for monitors (`Histogram`).
///
/// The buckets never change while a daemon runs, because a monitor subtracts one reading from the next. They range
/// from the precision of a start to a job of a day. Memory is allocated with the first duration.
package struct DurationHistogram: Codable, Sendable, Hashable {
  /// Upper bounds of the buckets, ascending and inclusive; one more bucket has no bound.
  package static let bounds: [ElapsedTime] = [
    .milliseconds(1), .milliseconds(10), .milliseconds(100), .seconds(1), .seconds(10), .minutes(1),
    .minutes(10), .hours(1), .hours(6), .days(1),
  ]

  /// Number of durations in each bucket; empty until there is one.
  package private(set) var counts: [Int] = []
  /// Sum of all durations.
  package private(set) var sumNanoseconds: Int64 = 0

  /// Makes an empty histogram.
  package init() {}

  /// Counts a duration; a negative one, which can result when the clock was set, counts as zero.
  package mutating func add(_ length: ElapsedTime) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.bounds.count + 1) }
    counts[Self.bounds.firstIndex { length <= $0 } ?? Self.bounds.count] += 1
    let (sum, isTooLarge) = sumNanoseconds.addingReportingOverflow(max(0, length.nanoseconds))
    sumNanoseconds = isTooLarge ? .max : sum
  }

  /// The histogram; `nil` if it has no duration.
  package var orNil: DurationHistogram? { counts.isEmpty ? nil : self }
}
