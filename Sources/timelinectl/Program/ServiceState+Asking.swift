import TimelineMonitoring
import TimelineSystemd

extension ServiceState {
  /// The control socket of the installed service.
  static let socketPath = "/run/timelined/control.sock"

  /// Returns why the socket at `path` does not answer, and what to do; `nil` if it is not the service's socket, or
  /// systemd has no answer.
  static func cause(of path: String) -> String? {
    guard path == socketPath, let state = SystemdUnits.state(of: service) else { return nil }
    return cause(active: state.active, result: state.result, exitStatus: state.exitStatus)
  }
}
