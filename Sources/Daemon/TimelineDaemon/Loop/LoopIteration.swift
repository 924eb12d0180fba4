import TimelineCore
import TimelineEngine
import TimelineHostPool

/// State of an iteration of the loop.
struct LoopIteration {
  private(set) var phase = LoopPhase.sleeping
  /// Events that the engine has not handled.
  var inbox = Queue<EngineEvent>()
  /// Effects of the current event.
  var effects: [EngineEffect] = []
  /// Reports of plugins that arrived while effects were performed.
  var reports: [PluginEvent] = []
  /// Instant for which the clock was last armed.
  var armedAt: WallInstant?

  /// Largest number of effects for which memory is kept. The memory for a wake-up with more entries is released.
  static let effectsKept = 1_000

  /// Adds an event that the engine handles later.
  ///
  /// A job is handed over before the engine handles another event at a later instant, because the node's lease may have ended.
  /// Only changes of the engine's jobs that were posted before come first.
  mutating func add(_ event: EngineEvent) {
    guard case .handOver = event else { return inbox.append(event) }
    inbox.insert(event) { earlier in
      switch earlier {
      case .handOver, .takeOver, .reload: true
      default: false
      }
    }
  }

  /// Removes and returns the handover that is next; `nil` for none.
  mutating func takeHandOver() -> EngineEvent? {
    guard case .handOver? = inbox.first else { return nil }
    return inbox.popFirst()
  }

  /// Goes on to the next phase.
  mutating func move(_ step: LoopPhase.Step) {
    guard let next = phase.after(step) else { preconditionFailure("no \(step) while \(phase)") }
    phase = next
  }
}
