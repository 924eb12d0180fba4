/// Phase of an iteration of the loop.
///
/// ```
///              event              effects             performed            recorded
///   sleeping ─────────▶ deciding ─────────▶ performing ─────────▶ recording ─────────▶ deciding …
///      ▲                  │  ▲
///      │ end of iteration │  │ event
///      └───── ending ◀────┘  │
///               └────────────┘
///            nothing is left
/// ```
enum LoopPhase: Equatable, CaseIterable {
  /// The loop waits, or handles events that do not concern the engine.
  case sleeping
  /// The engine handles the events of the inbox one at a time. Answers to claims come before these events.
  case deciding
  /// The effects of an event are performed: starts are made, claims are requested, the timer is armed. Reports of plugins wait.
  case performing
  /// The effects are recorded and reported. Reports of plugins that have waited are handled.
  case recording
  /// The engine is done. The ledger is written at the end of the iteration.
  case ending

  /// Step from one phase to another.
  enum Step: Hashable, CaseIterable {
    case event, effects, performed, recorded, inboxEmptied, turnEnded
  }

  /// Whether events are handed to the engine at once. In the other phases they wait in the inbox.
  var takesEvents: Bool { after(.event) != nil }

  /// Whether reports of plugins wait until the current effects are performed.
  var keepsReports: Bool { self == .performing }

  /// Returns the phase after a step; `nil` if the step is not possible.
  func after(_ step: Step) -> LoopPhase? {
    switch (self, step) {
    case (.sleeping, .event), (.ending, .event): .deciding
    case (.deciding, .effects): .performing
    case (.performing, .performed): .recording
    case (.recording, .recorded): .deciding
    case (.deciding, .inboxEmptied): .ending
    case (.ending, .turnEnded): .sleeping
    default: nil
    }
  }
}
