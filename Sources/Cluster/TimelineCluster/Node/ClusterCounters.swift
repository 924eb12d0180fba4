import TimelineEngine

/// Event counts of a node since the start of its daemon, by name.
package struct ClusterCounters: Sendable, Equatable {
  /// Names of the counts.
  package enum Name: String, CaseIterable, Sendable, Hashable {
    /// Claims that the store granted, and claims that it denied.
    case claimsGranted, claimsDenied
    /// Jobs that the node took over, and jobs that it gave up or lost.
    case takeovers, handovers
    /// Entries of the jobs taken over that another node may have started.
    case doubtfulEntries
    /// Calls to the store that failed or timed out, and trust windows that ended without a renewal.
    case callsFailed, leasesEnded
    /// Entries that were granted to two nodes.
    case splits
  }

  private var numbers: [Name: Int] = [:]

  /// Increases a count.
  mutating func add(_ name: Name, _ count: Int = 1) { numbers[name, default: 0] += count }

  /// Counts the events that led to `effects`.
  mutating func add(_ effects: [ClusterEffect]) {
    for effect in effects {
      switch effect {
      case .answer(let answers):
        let granted = answers.count { $0.verdict == .granted }
        add(.claimsGranted, granted)
        add(.claimsDenied, answers.count - granted)
      case .takeOver(let jobs):
        add(.takeovers, jobs.count)
        add(.doubtfulEntries, jobs.reduce(0) { $0 + $1.doubtful.count })
      case .handOver(let jobs, _): add(.handovers, jobs.count)
      case .tell(.split): add(.splits)
      default: break
      }
    }
  }

  /// The count with this name.
  package subscript(name: Name) -> Int { numbers[name] ?? 0 }

  /// All counts by name.
  package var all: [String: Int] {
    Dictionary(uniqueKeysWithValues: Name.allCases.map { ($0.rawValue, self[$0]) })
  }
}
