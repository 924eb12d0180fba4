package import TimelineCore

/// Number of entries by outcome, in order of first appearance; ``sorted`` has a fixed order.
package struct OutcomeCounts: Sendable, Hashable {
  // Few kinds occur together, so a linear search is faster than hashing.
  private var kinds: [Kind] = []

  private struct Kind: Sendable, Hashable {
    var outcome: Outcome
    var count: Int
  }

  package init() {}

  /// Number of entries with this outcome.
  package subscript(outcome: Outcome) -> Int {
    kinds.first { $0.outcome == outcome }?.count ?? 0
  }

  /// Number of all entries.
  package var total: Int { kinds.reduce(0) { $0 + $1.count } }

  /// Outcomes with at least one entry, in the order of ``TimelineCore/Outcome``.
  package var sorted: [(outcome: Outcome, count: Int)] {
    Outcome.allCases.compactMap { outcome in
      self[outcome] > 0 ? (outcome, self[outcome]) : nil
    }
  }

  /// Counts `count` more entries with an outcome.
  package mutating func add(_ count: Int, of outcome: Outcome) {
    for index in kinds.indices where kinds[index].outcome == outcome {
      kinds[index].count += count
      return
    }
    kinds.append(Kind(outcome: outcome, count: count))
  }
}
