import TimelineMonitoring
import TimelineSystemd

extension ServiceState {
  /// The control socket of the installed service.
  static let socketPath = "/run/timelined/control.sock"

  /// Returns why there is no answer on the socket at `path`, and what to do; `nil` if it is not the service's, or systemd does not say.
  static func cause(of path: String) -> String? {
    guard path == socketPath, let state = SystemdUnits.state(of: service) else { return nil }
    return cause(active: state.active, result: state.result, exitStatus: state.exitStatus)
  }
}
