package import TimelineCore

/// A change of the daemon's mode, cadence, choice or cause.
package struct ModeChange: Sendable, Equatable {
  package var at: WallInstant
  package var mode: ScheduleMode
  package var cadence: Cadence
  /// Choice of the operator. A later daemon keeps the choice.
  package var choice: ModeChoice
  package var cause: ModeCause
  /// The ``cause`` in words.
  package var reason: String
  /// The operator who made the ``choice``; `nil` without a choice.
  package var by: Operator?

  package init(
    at instant: WallInstant, mode: ScheduleMode, cadence: Cadence, choice: ModeChoice, cause: ModeCause,
    reason: String, by: Operator? = nil
  ) {
    at = instant
    self.mode = mode
    self.cadence = cadence
    self.choice = choice
    self.cause = cause
    self.reason = reason
    self.by = by
  }
}

extension ModeChange: CustomStringConvertible {
  /// The mode and its cause: `low-frequency, cadence minutes: on battery (BAT0)`.
  package var description: String { "\(modeText): \(causeText)" }

  /// The mode; low-frequency mode with its cadence.
  package var modeText: String {
    mode == .normal ? mode.rawValue : "\(mode.rawValue), cadence \(cadence)"
  }

  /// The cause, and the operator if one chose the mode.
  package var causeText: String { reason + (by.map { ", by \($0)" } ?? "") }
}
