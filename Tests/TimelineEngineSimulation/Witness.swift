import TimelineCore
import TimelineEngine

/// Receives effects in brief, builds the full value of each, and compares the two.
struct Witness: EffectSink {
  private(set) var faults: [String] = []
  private(set) var starts = 0
  private var effects: [EngineEffect] = []

  /// Compares the effects that a copy of `engine` adds to this sink with those that were added to an array.
  mutating func see(
    _ engine: EngineState, _ event: EngineEvent, at now: WallInstant, isLast: Bool, as told: [EngineEffect]
  ) {
    var engine = engine
    effects = []
    engine.handle(event, at: now, isLast: isLast, by: &self)
    if effects != told { faults.append("\(event) at \(now): \(effects) instead of \(told)") }
  }

  mutating func append(_ effect: EngineEffect) {
    if case .start = effect { faults.append("\(effect) did not come in brief") }
    if case .settle = effect { faults.append("\(effect) did not come in brief") }
    effects.append(effect)
  }

  mutating func start(_ brief: StartBrief, _ attempt: @autoclosure () -> Attempt) {
    let whole = attempt()
    starts += 1
    if brief.run != whole.run || brief.job != whole.entry.jobSlot.index || brief.number != whole.number {
      faults.append("\(brief) for \(whole)")
    }
    effects.append(.start(whole))
  }

  mutating func settle(_ brief: EndBrief, _ record: @autoclosure () -> EntryRecord) {
    let whole = record()
    if brief.nominal != whole.entry.nominal || brief.outcome != whole.outcome
      || brief.startedAt != whole.startedAt || brief.endedAt != whole.endedAt
      || brief.entryCount != whole.entryCount || brief.startedAt != nil && whole.run == nil
    {
      faults.append("\(brief) for \(whole)")
    }
    effects.append(.settle(whole))
  }
}
