import TimelineTestSupport

/// Lives with a record of their decisions.
extension ClusterWorld {
  /// Runs the life of a seed and records it.
  static func recorded(
    seed: UInt64, fault: Fault? = nil, storeFault: SimulatedStore.Fault? = nil
  ) -> LivedLife {
    var world = ClusterWorld(Dice(seed: seed, isRecorded: true), fault: fault, storeFault: storeFault)
    world.run()
    return LivedLife(world.dice.life ?? WrittenLife([]), world.judge.violations)
  }

  /// Runs a written life; `complaints` has the decisions that were not used.
  static func replayed(
    _ life: WrittenLife, fault: Fault? = nil, storeFault: SimulatedStore.Fault? = nil, isTraced: Bool = false
  ) -> (lived: LivedLife, complaints: [String]) {
    var world = ClusterWorld(Dice(replaying: life), fault: fault, storeFault: storeFault)
    world.isTraced = isTraced
    world.run()
    return (LivedLife(world.dice.life ?? life, world.judge.violations), world.dice.complaints)
  }
}
