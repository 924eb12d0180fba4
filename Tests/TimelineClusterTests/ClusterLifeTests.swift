import Testing
import TimelineTestSupport

/// Lives that are written down, most of them because they once showed a fault.
@Suite struct `Written lives of a cluster` {
  @Test(arguments: try WrittenLife.paths(of: "TimelineClusterTests"))
  func `each keeps every promise`(_ path: String) throws {
    let (lived, complaints) = ClusterWorld.replayed(try WrittenLife(path: path))
    #expect(lived.violations == [], "\(path)")
    #expect(complaints == [])
  }

  @Test func `the record of a seed is a life that goes the same way`() {
    for seed in 0..<6 as Range<UInt64> {
      let recorded = ClusterWorld.recorded(seed: seed)
      let (replayed, complaints) = ClusterWorld.replayed(recorded.life)
      #expect(replayed.life == recorded.life, "seed \(seed)")
      #expect(complaints == [], "seed \(seed)")
    }
  }

  @Test func `a life without decisions is quiet and breaks nothing`() {
    let (lived, complaints) = ClusterWorld.replayed(WrittenLife([]))
    #expect(lived.violations == [])
    #expect(lived.life.decisions.isEmpty)
    #expect(complaints == [])
  }
}
