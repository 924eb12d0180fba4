import Foundation
import Testing
import TimelineCore
import TimelineEngine

@Suite struct `A cluster through a hard life` {
  private static let environment = ProcessInfo.processInfo.environment
  /// Two parts, so that two cores share the work.
  static let parts: [UInt64] = [0, 1]

  private static func judge(_ seed: UInt64) -> ClusterJudge {
    var world = ClusterWorld(seed: seed)
    world.run()
    return world.judge
  }

  @Test(arguments: parts) func `many seeds keep every promise`(_ part: UInt64) {
    let count = Self.environment["TIMELINED_CLUSTER_SEEDS"].flatMap { UInt64($0) } ?? 400
    var starts = 0
    for seed in stride(from: part, to: count, by: 2) {
      let judge = Self.judge(seed)
      starts += judge.starts.count
      guard judge.violations.isEmpty else {
        Issue.record(
          "seed \(seed): \(judge.violations); TIMELINED_SEED=\(seed) swift test --filter ClusterSimulationTests tells it"
        )
        return
      }
    }
    print("Every second seed of a cluster from \(part): \(count / 2) lives, \(starts) starts, nothing broken")
    #expect(starts > 10 * Int(count / 2), "the life has become too easy")
  }

  @Test(.enabled(if: environment["TIMELINED_SEED"] != nil)) func `the seed that was asked for`() throws {
    let seed = try #require(Self.environment["TIMELINED_SEED"].flatMap { UInt64($0) })
    var world = ClusterWorld(seed: seed)
    world.isTraced = true
    world.run()
    #expect(world.judge.violations == [])
  }
}
