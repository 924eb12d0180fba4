import TimelineTestSupport

/// Lives with a record of their decisions.
extension EngineSimulation {
  /// Runs the life that `dice` decide and record.
  private static func live(_ dice: Dice, _ fault: Fault, isTraced: Bool) -> EngineSimulation {
    var ordeal = EngineSimulation(dice, fault: fault)
    ordeal.isTraced = isTraced
    ordeal.endure()
    return ordeal
  }

  /// Runs the life of a seed and records it.
  static func recorded(seed: UInt64, fault: Fault = Fault()) -> LivedLife {
    let ordeal = live(Dice(seed: seed, isRecorded: true), fault, isTraced: false)
    return LivedLife(ordeal.dice.life ?? WrittenLife([]), ordeal.invariants.violations)
  }

  /// Runs a written life; `complaints` has the decisions that were not used.
  static func replayed(
    _ life: WrittenLife, fault: Fault = Fault(), isTraced: Bool = false
  ) -> (lived: LivedLife, complaints: [String]) {
    let ordeal = live(Dice(replaying: life), fault, isTraced: isTraced)
    return (
      LivedLife(ordeal.dice.life ?? life, ordeal.invariants.violations), ordeal.dice.complaints
    )
  }
}
