// The daemon's clock.
extension ControlClient {
  /// Returns the state of the daemon's clock.
  package func clock() throws(VarlinkClientError) -> ClockState {
    try state(.clock, NoParameters())
  }

  /// Changes a rehearsal's clock; returns the new state.
  package func control(_ control: ClockControl) throws(VarlinkClientError) -> ClockState {
    switch control {
    case .pause: try state(.pauseClock, NoParameters())
    case .resume: try state(.resumeClock, NoParameters())
    case .speed(let speed): try state(.setClockSpeed, SetClockSpeedParameters(speed: speed))
    case .step: try state(.stepClock, NoParameters())
    case .leap(let moment): try state(.leapClock, LeapClockParameters(to: moment))
    }
  }

  private func state(
    _ method: ControlMethod, _ parameters: some Encodable
  ) throws(VarlinkClientError) -> ClockState {
    let reply: ClockReply = try client.call(method.fullName, parameters)
    return reply.state
  }
}
