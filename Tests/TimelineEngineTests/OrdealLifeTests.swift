import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

/// Lives that are written down, most of them because they once showed a fault.
@Suite struct `Written lives of the engine` {
  /// Fault that a written life shows, and what the watcher says of it.
  private static var shown: [(file: String, fault: Ordeal.Fault, words: String)] {
    [
      ("lost-token", .lostToken, "started with another token"),
      ("forgotten-start", .forgottenStart, "started in two lives, at most once"),
      ("taken-for-unstarted", .takenForUnstarted, "although another node may have run it"),
    ]
  }

  @Test(arguments: try WrittenLife.paths(of: "TimelineEngineTests"))
  func `each keeps every invariant`(_ path: String) throws {
    let (lived, complaints) = Ordeal.replayed(try WrittenLife(path: path))
    #expect(lived.violations == [], "\(path)")
    #expect(complaints == [])
  }

  @Test func `the record of a seed is a life that goes the same way`() {
    for seed in 0..<40 as Range<UInt64> {
      let recorded = Ordeal.recorded(seed: seed)
      let (replayed, complaints) = Ordeal.replayed(recorded.life)
      #expect(replayed.life == recorded.life, "seed \(seed)")
      #expect(complaints == [], "seed \(seed)")
      var plain = Ordeal(seed: seed)
      plain.endure()
      #expect(plain.invariants.violations == recorded.violations, "seed \(seed)")
    }
  }

  @Test func `a life without decisions is quiet and breaks nothing`() {
    let (lived, complaints) = Ordeal.replayed(WrittenLife([]))
    #expect(lived.violations == [])
    #expect(lived.life.decisions.isEmpty)
    #expect(complaints == [])
  }

  @Test func `a failing life shrinks to a handful of decisions`() throws {
    let fault = Ordeal.Fault.lostToken
    let seed = try #require(
      (1...300 as ClosedRange<UInt64>).first { !Ordeal.recorded(seed: $0, fault: fault).violations.isEmpty })
    let failing = Ordeal.recorded(seed: seed, fault: fault)
    var shrinker = Shrinker { Ordeal.replayed($0, fault: fault).lived }
    let smallest = shrinker.shrink(failing)
    print(
      "seed \(seed): \(failing.life.decisions.count) -> \(smallest.life.decisions.count) in \(shrinker.replayCount)"
    )
    print(smallest.life.text)
  }
}
