import TimelineControl

// Calls about the clock.
extension ControlHandlers {
  mutating func addClock() {
    answer(Control.Clock.self) { $0.daemon.answers.clockReply() }
    answer(Control.PauseClock.self) { try $0.change(.pause) }
    answer(Control.ResumeClock.self) { try $0.change(.resume) }
    answer(Control.SetClockSpeed.self) { try $0.change(.speed($0.parameters.speed)) }
    answer(Control.StepClock.self) { try $0.change(.step) }
    answer(Control.LeapClock.self) { try $0.change(.leap(to: $0.parameters.to)) }
  }
}

/// A change of a rehearsal's clock.
enum ClockControl {
  case pause
  /// Resumes the clock at its previous speed.
  case resume
  /// Resumes the clock at a speed or `max`; `0` pauses the clock.
  case speed(String)
  /// Moves the clock to the next deadline.
  case step
  /// Moves the clock to a moment in the zone of the daemon.
  case leap(to: String)
}

extension ReceivedCall where Call: ClockCall {
  fileprivate func change(_ control: ClockControl) throws(ControlError) -> ClockReply {
    try daemon.rehearsal.control(control, by: try caller)
  }
}
