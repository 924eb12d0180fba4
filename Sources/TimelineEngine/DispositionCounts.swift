package import TimelineCore

/// How many entries ended how; in order of first appearance until it is asked for ``sorted``.
package struct DispositionCounts: Sendable, Hashable {
  // Few kinds come up together, so looking through them beats hashing.
  private var kinds: [Kind] = []

  private struct Kind: Sendable, Hashable {
    var disposition: Disposition
    var count: Int
  }

  /// Makes counts of nothing.
  package init() {}

  /// How many ended so.
  package subscript(disposition: Disposition) -> Int {
    kinds.first { $0.disposition == disposition }?.count ?? 0
  }

  /// How many entries there are in all.
  package var total: Int { kinds.reduce(0) { $0 + $1.count } }

  /// What there is of, in the order in which ``TimelineCore/Disposition`` lists them.
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
