/// State of the installed service, for clients without an answer.
package enum ServiceState {
  package static let service = "timelined.service"
  /// Exit status of a daemon that has refused its configuration.
  private static let refusedStatus: Int32 = 78

  /// Returns the reason for a missing answer, with the remedy, from the service's `ActiveState`, `Result` and
  /// `ExecMainStatus` (systemd(1)); `nil` if they show no reason.
  package static func cause(active: String, result: String, exitStatus: Int32) -> String? {
    switch active {
    case "failed" where result == "exit-code" && exitStatus == refusedStatus:
      "\(service) has refused its configuration: correct what `timelinectl check` shows, then `systemctl start timelined`"
    case "failed":
      "\(service) has failed (\(result), status \(exitStatus)): correct what `journalctl -u timelined` shows, then `systemctl reset-failed timelined.service timelined.socket` and `systemctl start timelined`"
    case "inactive": "\(service) is stopped: `systemctl start timelined` starts it"
    case "activating": "\(service) is starting: see `systemctl status timelined`"
    default: nil
    }
  }
}
