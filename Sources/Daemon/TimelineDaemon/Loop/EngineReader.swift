import TimelineCore
import TimelineEngine

/// The engine's state, for owners that only read it.
protocol EngineReader: AnyObject {
  /// The present state. Only the loop changes it.
  var state: EngineState { get }
  /// The deadline that work on the loop's thread must not delay; `nil` in a rehearsal, whose clock does not measure real time.
  var realDeadline: WallInstant? { get }
  var clockSteps: ClockSteps { get }
}

/// The loop, for owners that have events for the engine.
protocol EventInbox: EngineReader {
  /// Passes an event to the engine: at once, or after the current effects if called from within an effect.
  func post(_ event: EngineEvent)
}
