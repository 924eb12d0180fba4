import TimelineSystem
import TimelineSystemd

/// Work after each end of the daemon as a service, in a process that `ExecStopPost=` starts.
package enum ServiceEnd {
  /// Action on the units after an end of the service.
  enum Action: Equatable {
    /// Resets systemd's start counter, because an operator's restarts are no crashes.
    case resetStarts
    /// Stops the socket unit, because a client that connects again and again must not start a daemon that ends at once.
    case stopSocket
  }

  /// Returns the action for an end that systemd describes by `$SERVICE_RESULT` and `$EXIT_STATUS` (systemd.exec(5)); `nil` for
  /// none.
  static func action(result: String?, exitStatus: String?) -> Action? {
    if result == "success" { return .resetStarts }
    return exitStatus == "\(DaemonExit.configuration.rawValue)" ? .stopSocket : nil
  }

  /// Performs the action. Without permission, or without systemd, nothing happens, and the unit's own limits apply.
  package static func settle() {
    let environment = CurrentProcess.environment
    switch action(result: environment["SERVICE_RESULT"], exitStatus: environment["EXIT_STATUS"]) {
    case .resetStarts: _ = OwnSystemdSocket.resetStarts()
    case .stopSocket: _ = OwnSystemdSocket.stopAll()
    case nil: break
    }
  }
}
