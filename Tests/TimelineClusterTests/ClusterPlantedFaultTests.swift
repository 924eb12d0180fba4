import Testing
import TimelineCore
import TimelineEngine

/// Faults that are planted on purpose, outside of the product. The judge must detect each of them.
@Suite struct `Planted faults of a cluster are caught` {
  /// Returns the first violation of some seeds that contains one of these texts.
  private func violation(
    saying words: [String], _ fault: ClusterWorld.Fault? = nil, _ storeFault: SimulatedStore.Fault? = nil,
    seeds: UInt64 = 300
  ) -> String? {
    for seed in 0..<seeds {
      var world = ClusterWorld(seed: seed, fault: fault, storeFault: storeFault)
      world.run()
      for violation in world.judge.violations where words.contains(where: violation.contains) {
        return violation
      }
    }
    return nil
  }

  @Test(arguments: [
    (ClusterWorld.Fault.noLeaseCheck, "is outside its lease"), (.leaseFromArrival, "is outside its lease"),
    (.unsortedBatches, "is not sorted"), (.undecidedIsDenied, "has no outcome"),
    (.undecidedIsGranted, "token"), (.everyJobGoesOn, "is outside its lease"),
    (.windowsAreNotClaimed, "is outside of a claimed window"),
    (.epochOnDisk, "was started 2 times"), (.failuresAreNotWithheld, "was started and never completed"),
  ])
  func `a planted fault of a daemon is caught`(_ fault: ClusterWorld.Fault, _ words: String) {
    #expect(violation(saying: [words], fault) != nil)
  }

  @Test(arguments: [
    (SimulatedStore.Fault.claimsVanishWithLease, ["was started", "outcome", "split"]),
    (.claimsVanishWithLease, ["is a window of another node"]),
    (.nameForEpoch, ["was started", "does not own", "lease"]), (.claimsAreNotTold, ["has no outcome"]),
    (.watermarkIsNotTold, ["has no outcome"]), (.outcomesAreNotTold, ["which acquired it"]),
  ])
  func `a planted fault of a store is caught`(_ fault: SimulatedStore.Fault, _ words: [String]) {
    #expect(violation(saying: words, nil, fault) != nil)
  }
}
