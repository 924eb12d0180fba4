package import TimelineCore

extension Control {
  /// The daemon's mode and its cause.
  package struct Mode: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = ModeReply

    package init() {}
  }

  /// Chooses the daemon's mode and, for low-frequency mode, the cadence.
  package struct SetMode: ChangingCall {
    /// Reply of the daemon.
    package typealias Reply = ModeReply

    /// The recorded action; the recorded reason names the mode.
    package static var audit: String? { "mode" }

    /// `normal`, `low-frequency`, or `auto` for the choice of the configuration.
    package var mode: String
    /// Cadence that runs receive in `low-frequency` mode, `seconds` or `minutes`; `nil` for the configured cadence.
    package var cadence: String?

    package init(mode: ModeChoice, cadence: LowFrequencyCadence? = nil) {
      self.mode = mode.rawValue
      self.cadence = cadence?.rawValue
    }

    /// ``mode`` as a value; throws an error if the text is unknown.
    package var choice: ModeChoice {
      get throws(VarlinkError) {
        guard let choice = ModeChoice(rawValue: mode) else { throw .invalidParameter("mode") }
        return choice
      }
    }
    /// ``cadence`` as a value; `nil` for none and for an unknown text.
    package var chosenCadence: LowFrequencyCadence? { cadence.flatMap(LowFrequencyCadence.init(rawValue:)) }

    /// Refuses an unknown mode, an unknown cadence, and a cadence without `low-frequency` mode.
    package func validate() throws(VarlinkError) {
      let isLow = try choice == .lowFrequency
      try require(cadence == nil || chosenCadence != nil && isLow, "cadence")
    }
  }
}

/// Reply to `Mode` and `SetMode`.
package struct ModeReply: Codable, Sendable, Equatable {
  /// The state after the choice, if the call chooses a mode.
  package var state: ModeState

  package init(state: ModeState) { self.state = state }
}

/// State of the daemon's mode (`ModeState`).
package struct ModeState: Codable, Sendable, Equatable {
  /// `normal` or `low-frequency`.
  package var mode: String
  /// `live`, `seconds` or `minutes`.
  package var cadence: String
  /// The operator's choice: `normal`, `low-frequency`, or `auto` for none.
  package var choice: String
  /// Raw value of ``TimelineCore/ModeCause``.
  package var cause: String
  /// The cause in words.
  package var reason: String
  /// Instant of the last change of mode, cadence, choice or cause.
  package var since: Timestamp
  /// The operator who made the choice.
  package var by: OperatorReport?
  /// The daemon's zone.
  package var zone: String

  package init(
    mode: ScheduleMode, cadence: Cadence, choice: ModeChoice, cause: ModeCause, reason: String,
    since: WallInstant, by: OperatorReport? = nil, zone: String
  ) {
    self.mode = mode.rawValue
    self.cadence = "\(cadence)"
    self.choice = choice.rawValue
    self.cause = cause.rawValue
    self.reason = reason
    self.since = Timestamp(since)
    self.by = by
    self.zone = zone
  }
}
