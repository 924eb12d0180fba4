import TimelineControl

// Calls about the clock.
extension ControlHandlers {
  mutating func addClock() {
    answer(Control.Clock.self) { $0.daemon.answers.clockReply() }
    answer(Control.PauseClock.self) { try $0.daemon.rehearsal.pause(by: $0.caller) }
    answer(Control.ResumeClock.self) { try $0.daemon.rehearsal.resume(by: $0.caller) }
    answer(Control.SetClockSpeed.self) { call in
      try call.daemon.rehearsal.setSpeed(call.parameters.speed, by: call.caller)
    }
    answer(Control.StepClock.self) { try $0.daemon.rehearsal.step(by: $0.caller) }
    answer(Control.LeapClock.self) { try $0.daemon.rehearsal.leap(to: $0.parameters.to, by: $0.caller) }
  }
}
