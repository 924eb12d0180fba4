// The daemon's clock.
extension ControlClient {
  /// Returns the state of the daemon's clock.
  package func clock() throws(VarlinkClientError) -> ClockState {
    try state("Clock", NoParameters())
  }

  /// Changes a rehearsal's clock; returns the new state.
  package func control(_ control: ClockControl) throws(VarlinkClientError) -> ClockState {
    switch control {
    case .pause: try state("PauseClock", NoParameters())
    case .resume: try state("ResumeClock", NoParameters())
    case .speed(let speed): try state("SetClockSpeed", SetClockSpeedParameters(speed: speed))
    case .step: try state("StepClock", NoParameters())
    case .leap(let moment): try state("LeapClock", LeapClockParameters(to: moment))
    }
  }

  private func state(
    _ method: String, _ parameters: some Encodable
  ) throws(VarlinkClientError) -> ClockState {
    let reply: ClockReply = try client.call(ControlRequest.fullName(method), parameters)
    return reply.state
  }
}
