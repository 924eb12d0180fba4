import TimelineEngine

/// The engine's state, for owners that only ask about it.
protocol EngineReader: AnyObject {
  /// The present state. Only the loop changes it.
  var engine: EngineState { get }
}

/// The loop, for owners below it that have events for the engine.
protocol EventInbox: EngineReader {
  /// Passes an event to the engine: at once, or after the current effects if called from within an effect.
  func post(_ event: EngineEvent)
}
