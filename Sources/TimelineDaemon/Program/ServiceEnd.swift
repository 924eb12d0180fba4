import TimelineSystem
import TimelineSystemd

/// Work after each end of the daemon as a service, in a process that `ExecStopPost=` starts.
package enum ServiceEnd {
  /// Changes of the units after an end of the service.
  enum Action: Equatable {
    /// systemd forgets the former starts: an operator's restarts are no crashes.
    case resetStarts
    /// The socket is closed: a client that asks again and again must not start a daemon that ends at once.
    case stopSocket
  }

  /// The action for an end as systemd describes it (`$SERVICE_RESULT`, `$EXIT_STATUS`, systemd.exec(5)); `nil` for none.
  static func action(result: String?, exitStatus: String?) -> Action? {
    if result == "success" { return .resetStarts }
    return exitStatus == "\(DaemonExit.configuration.rawValue)" ? .stopSocket : nil
  }

  /// Does it. Without the right to do so, or without systemd, nothing happens: the unit's limits hold then.
  package static func settle() {
    let environment = CurrentProcess.environment
    switch action(result: environment["SERVICE_RESULT"], exitStatus: environment["EXIT_STATUS"]) {
    case .resetStarts: _ = OwnSystemdSocket.resetStarts()
    case .stopSocket: _ = OwnSystemdSocket.stopAll()
    case nil: break
    }
  }
}
