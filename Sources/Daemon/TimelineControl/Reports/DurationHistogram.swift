package import TimelineCore

/// Histogram of durations with fixed buckets, for monitors (`Histogram`).
///
/// The buckets never change while a daemon runs, because a monitor subtracts one reading from the next. Their bounds range from 1
/// ms, the precision of a start, to the length of a job of one day. Memory is allocated at the first duration.
package struct DurationHistogram: Codable, Sendable, Equatable {
  /// Upper bounds of the buckets, ascending and inclusive; one more bucket has no bound.
  package static let bounds: [ElapsedTime] = [
    .milliseconds(1), .milliseconds(10), .milliseconds(100), .seconds(1), .seconds(10), .minutes(1),
    .minutes(10), .hours(1), .hours(6), .days(1),
  ]

  /// Number of durations in each bucket; empty before the first duration.
  package private(set) var counts: [Int] = []
  /// Sum of all durations, limited to the largest value of the type.
  package private(set) var sumNanoseconds: Int64 = 0

  package init() {}

  /// Counts a duration. A negative duration counts as zero; it is possible if the clock was set.
  package mutating func add(_ length: ElapsedTime) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.bounds.count + 1) }
    counts[Self.bounds.firstIndex { length <= $0 } ?? Self.bounds.count] += 1
    let (sum, isTooLarge) = sumNanoseconds.addingReportingOverflow(max(0, length.nanoseconds))
    sumNanoseconds = isTooLarge ? .max : sum
  }

  /// The histogram; `nil` if it is empty.
  package var orNil: DurationHistogram? { counts.isEmpty ? nil : self }
}
