import TimelineMonitoring
import TimelineSystemd

extension ServiceState {
  /// The control socket of the installed service.
  static let socketPath = "/run/timelined/control.sock"

  /// Returns the reason why the socket at `path` does not answer, and the remedy. Returns `nil` if `path` is not the
  /// service's socket, or if systemd does not answer.
  static func cause(of path: String) -> String? {
    guard path == socketPath, let state = SystemdUnits.state(of: service) else { return nil }
    return cause(active: state.active, result: state.result, exitStatus: state.exitStatus)
  }
}
