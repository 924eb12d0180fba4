package import TimelineCore

/// Histogram of durations by powers of two of nanoseconds, always with 64 buckets.
package struct LatencyHistogram: Sendable, Equatable {
  package static let bucketCount = 64

  /// Empty until a duration is counted.
  private var counts: [Int] = []

  package init() {}

  /// Returns the bucket of a duration: `b` for at least 2^b and less than 2^(b+1) ns; 0 for a shorter or negative duration.
  package static func bucket(of length: ElapsedTime) -> Int {
    length.nanoseconds <= 1 ? 0 : 63 - length.nanoseconds.leadingZeroBitCount
  }

  /// Number of durations in a bucket; 0 for a bucket that does not exist.
  package subscript(bucket: Int) -> Int { counts.indices.contains(bucket) ? counts[bucket] : 0 }

  /// Number of durations counted.
  package var total: Int { counts.reduce(0, +) }

  /// The buckets that are not empty, ascending.
  package var filled: [(bucket: Int, count: Int)] {
    counts.indices.filter { counts[$0] > 0 }.map { ($0, counts[$0]) }
  }

  /// Counts a duration.
  package mutating func add(_ length: ElapsedTime) { add(1, in: Self.bucket(of: length)) }

  /// Counts `count` durations in a bucket. A bucket that does not exist counts for the nearest.
  package mutating func add(_ count: Int, in bucket: Int) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.bucketCount) }
    counts[min(max(0, bucket), Self.bucketCount - 1)] += count
  }

  /// Adds another histogram.
  package mutating func add(_ other: LatencyHistogram) {
    for (bucket, count) in other.filled { add(count, in: bucket) }
  }

  /// Returns an upper bound, at most twice too large, of the quantile at `permille` thousandths of the counted durations;
  /// `nil` for an empty histogram.
  package func quantile(permille: Int) -> ElapsedTime? {
    let wanted = (total * min(max(0, permille), 1_000) + 999) / 1_000
    guard total > 0 else { return nil }
    var seen = 0
    for (bucket, count) in filled {
      seen += count
      if seen >= wanted {
        return ElapsedTime(nanoseconds: bucket >= 62 ? .max : Int64(2) << Int64(bucket) - 1)
      }
    }
    return nil
  }
}
