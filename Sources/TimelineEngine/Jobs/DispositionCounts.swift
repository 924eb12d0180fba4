package import TimelineCore

/// Number of entries by outcome, in order of first appearance; ``sorted`` has a fixed order.
package struct DispositionCounts: Sendable, Hashable {
  // Few kinds come up together, so looking through them beats hashing.
  private var kinds: [Kind] = []

  private struct Kind: Sendable, Hashable {
    var disposition: Disposition
    var count: Int
  }

  /// Makes counts of nothing.
  package init() {}

  /// Number of entries with this outcome.
  package subscript(disposition: Disposition) -> Int {
    kinds.first { $0.disposition == disposition }?.count ?? 0
  }

  /// Number of all entries.
  package var total: Int { kinds.reduce(0) { $0 + $1.count } }

  /// Outcomes with at least one entry, in the order of ``TimelineCore/Disposition``.
  package var sorted: [(disposition: Disposition, count: Int)] {
    Disposition.allCases.compactMap { disposition in
      self[disposition] > 0 ? (disposition, self[disposition]) : nil
    }
  }

  /// Counts `count` more.
  package mutating func add(_ count: Int, of disposition: Disposition) {
    for index in kinds.indices where kinds[index].disposition == disposition {
      kinds[index].count += count
      return
    }
    kinds.append(Kind(disposition: disposition, count: count))
  }
}
