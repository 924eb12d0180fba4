/// Result of a life.
package struct LivedLife: Sendable {
  /// Its decisions, as far as it lived.
  package let life: WrittenLife
  /// Sentences about what it broke.
  package let violations: [String]

  package init(_ life: WrittenLife, _ violations: [String]) {
    (self.life, self.violations) = (life, violations)
  }

  /// The first violation without its names, numbers and instants, which change while a life is shrunk.
  package var kind: String? {
    violations.first.map { text in
      text.split(separator: " ").filter { !$0.contains(where: \.isNumber) }.joined(separator: " ")
    }
  }
}

/// Drops decisions of a failing life for as long as it fails in the same way: delta debugging (Zeller and Hildebrandt, "Simplifying
/// and Isolating Failure-Inducing Input", 2002), first over whole steps, then over jobs, then over single decisions.
package struct Shrinker {
  /// Maximum number of replays.
  package static let replaysMax = 2_000

  private let replay: (WrittenLife) -> LivedLife
  private let isTimeUp: () -> Bool
  private let replaysMax: Int
  /// Number of replays so far.
  package private(set) var replayCount = 0

  /// Makes a shrinker that replays lives with `replay`. It ends early when `isTimeUp`.
  package init(
    replaysMax: Int = Shrinker.replaysMax, isTimeUp: @escaping () -> Bool = { false },
    _ replay: @escaping (WrittenLife) -> LivedLife
  ) {
    (self.replay, self.isTimeUp, self.replaysMax) = (replay, isTimeUp, replaysMax)
  }

  /// Returns the smallest life that was found with the kind of violation of `failing`.
  package mutating func shrink(_ failing: LivedLife) -> LivedLife {
    var smallest = failing
    while !isOver {
      let before = smallest.life.decisions.count
      dropSections(of: &smallest) { if case .step = $0 { true } else { $0 == .end } }
      dropSections(of: &smallest) { if case .job = $0 { true } else { false } }
      drop(from: &smallest, smallest.life.decisions.map { [$0.place] })
      // What is dropped last may have held what was tried first.
      if smallest.life.decisions.count == before { break }
    }
    return smallest
  }

  private var isOver: Bool { replayCount >= replaysMax || isTimeUp() }

  private mutating func dropSections(of smallest: inout LivedLife, _ isMeant: (LifeSection) -> Bool) {
    let decisions = smallest.life.decisions
    let sections = smallest.life.sections.filter(isMeant)
    drop(from: &smallest, sections.map { section in decisions.map(\.place).filter { $0.section == section } })
  }

  /// Drops groups of decisions: halves first, then ever smaller runs of groups, down to each by itself.
  private mutating func drop(from smallest: inout LivedLife, _ groups: [[WrittenLife.Decision.Place]]) {
    var groups = groups
    var size = groups.count
    while size > 0, !isOver {
      var position = 0
      while position < groups.count, !isOver {
        let run = position..<min(position + size, groups.count)
        let dropped = Set(groups[run].joined())
        let rest = WrittenLife(smallest.life.decisions.filter { !dropped.contains($0.place) })
        if rest.decisions.count < smallest.life.decisions.count, let lived = failsAlike(rest, smallest) {
          smallest = lived
          groups.removeSubrange(run)
        } else {
          position = run.upperBound
        }
      }
      size /= 2
    }
  }

  /// Replays a life. Returns `nil` unless it fails like the other one and needs fewer decisions.
  private mutating func failsAlike(_ life: WrittenLife, _ other: LivedLife) -> LivedLife? {
    replayCount += 1
    let lived = replay(life)
    // What no draw asked for is gone from the record, and what is decided later by chance of the code is in it.
    let isSmaller = lived.life.decisions.count < other.life.decisions.count
    return lived.kind != nil && lived.kind == other.kind && isSmaller ? lived : nil
  }
}
