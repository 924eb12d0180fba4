import TimelineEngine

/// Numbers of what happened to a node since the start of its daemon, by name.
package struct ClusterCounters: Sendable, Hashable {
  /// Names of the counts.
  package enum Name: String, CaseIterable, Sendable, Hashable {
    /// Claims that the store granted, and denied.
    case claimsGranted, claimsDenied
    /// Jobs that the node became the owner of, and those that it gave up or lost.
    case takeovers, handovers
    /// Claims of other nodes that were taken over and whose entries may have been started.
    case doubtfulEntries
    /// Calls of the store that failed or came too late, and renewals that did not come in time.
    case callsFailed, leasesEnded
    /// Entries that two nodes were granted.
    case splits
  }

  private var numbers: [Name: Int] = [:]

  /// Counts one more.
  mutating func add(_ name: Name, _ count: Int = 1) { numbers[name, default: 0] += count }

  /// Counts what effects say.
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

  /// The number of what has this name.
  package subscript(name: Name) -> Int { numbers[name] ?? 0 }

  /// All numbers by name.
  package var all: [String: Int] {
    Dictionary(uniqueKeysWithValues: Name.allCases.map { ($0.rawValue, self[$0]) })
  }
}
