import Testing
import TimelineCore
import TimelineEngine

/// Each fault is put in on purpose, outside of the product, and the judge must notice it.
@Suite struct `Planted faults of a cluster are caught` {
  private func violations(
    _ fault: ClusterWorld.Fault? = nil, _ storeFault: SimulatedStore.Fault? = nil, seeds: UInt64 = 200
  ) -> [String] {
    for seed in 0..<seeds {
      var world = ClusterWorld(seed: seed, fault: fault, storeFault: storeFault)
      world.run()
      if !world.judge.violations.isEmpty { return world.judge.violations }
    }
    return []
  }

  @Test(arguments: [
    (ClusterWorld.Fault.noLeaseCheck, "is outside its lease"), (.leaseFromArrival, "is outside its lease"),
    (.unsortedBatches, "is not sorted"), (.undecidedIsDenied, "has no outcome"),
    (.undecidedIsGranted, "token"),
  ])
  func `of a daemon`(_ fault: ClusterWorld.Fault, _ words: String) {
    let found = violations(fault)
    #expect(found.contains { $0.contains(words) }, "\(found)")
  }

  @Test(arguments: [
    (SimulatedStore.Fault.claimsVanishWithLease, ["was started", "outcome", "split"]),
    (.nameForEpoch, ["was started", "does not own", "lease"]), (.claimsAreNotTold, ["has no outcome"]),
    (.watermarkIsNotTold, ["has no outcome"]),
  ])
  func `of a store`(_ fault: SimulatedStore.Fault, _ words: [String]) {
    let found = violations(nil, fault)
    #expect(found.contains { violation in words.contains { violation.contains($0) } }, "\(found)")
  }
}
