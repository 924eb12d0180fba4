import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineEngineSimulation

@Suite struct `Effects in a sink that keeps no array` {
  @Test func `are the same as in an array, through whole simulations`() {
    var starts = 0
    for seed in UInt64(0)..<600 {
      var ordeal = EngineSimulation(seed: seed)
      ordeal.witness = Witness()
      ordeal.endure()
      guard let witness = ordeal.witness, ordeal.invariants.violations.isEmpty else { continue }
      starts += witness.starts
      guard witness.faults.isEmpty else {
        Issue.record("seed \(seed): \(witness.faults)")
        return
      }
    }
    #expect(starts > 6_000)
  }
}
