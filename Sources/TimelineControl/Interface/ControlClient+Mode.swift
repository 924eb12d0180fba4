package import TimelineCore

// The daemon's mode.
extension ControlClient {
  /// Returns the state of the daemon's mode.
  package func mode() throws(VarlinkClientError) -> ModeState {
    let reply: ModeReply = try client.call(ControlMethod.mode.fullName, NoParameters())
    return reply.state
  }

  /// Chooses the daemon's mode, and with low-frequency mode a cadence; returns the new state.
  package func set(
    mode choice: ModeChoice, cadence: LowFrequencyCadence? = nil
  ) throws(VarlinkClientError) -> ModeState {
    let reply: ModeReply = try client.call(
      ControlMethod.setMode.fullName,
      SetModeParameters(mode: choice.rawValue, cadence: cadence?.rawValue))
    return reply.state
  }
}
