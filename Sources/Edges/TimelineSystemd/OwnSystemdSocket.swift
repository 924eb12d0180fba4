internal import CSystemd

/// The socket unit that belongs to the service of this process, such as `timelined.socket`.
package struct OwnSystemdSocket: Sendable, Hashable {
  package var name: String
  package var service: String
  /// Group of the socket's file according to the unit (`SocketGroup=`); empty for none.
  package var group: String

  /// Queries the manager. Returns `nil` if there is no such unit, no manager, or a query has no answer within `patience`.
  package static func ask(patience: Duration = .milliseconds(500)) -> OwnSystemdSocket? {
    guard let bus = unsafe SystemdManager.connect(patience: patience) else { return nil }
    defer { unsafe sd_bus_flush_close_unref(bus) }
    guard let service = unsafe serviceName(bus), let name = unsafe names(bus).first else { return nil }
    let group = unsafe SystemdManager.text(
      bus, path: SystemdUnits.path(of: name), interface: "Socket", property: "SocketGroup")
    return OwnSystemdSocket(name: name, service: service, group: group ?? "")
  }

  private static func serviceName(_ bus: OpaquePointer) -> String? {
    unsafe SystemdManager.text(bus, path: OwnSystemdUnit.ownPath, interface: "Unit", property: "Id")
  }

  private static func names(_ bus: OpaquePointer) -> [String] {
    let units = unsafe SystemdManager.texts(
      bus, path: OwnSystemdUnit.ownPath, interface: "Unit", property: "TriggeredBy")
    return (units ?? []).filter { $0.hasSuffix(".socket") }
  }

  /// Stops the socket units of this process's service, so that no client starts the service. Returns whether there was a socket
  /// unit and all are stopped.
  package static func stopAll(patience: Duration = .seconds(2)) -> Bool {
    guard let bus = unsafe SystemdManager.connect(patience: patience) else { return false }
    defer { unsafe sd_bus_flush_close_unref(bus) }
    let names = unsafe names(bus)
    return !names.isEmpty
      && names.map { unsafe SystemdManager.call(bus, "StopUnit", [$0, "replace"]) }.allSatisfy { $0 }
  }

  /// Resets systemd's count of starts of this process's service (`StartLimitBurst=`). Returns whether that succeeded.
  package static func resetStarts(patience: Duration = .seconds(2)) -> Bool {
    guard let bus = unsafe SystemdManager.connect(patience: patience) else { return false }
    defer { unsafe sd_bus_flush_close_unref(bus) }
    return unsafe serviceName(bus).map { unsafe SystemdManager.call(bus, "ResetFailedUnit", [$0]) } ?? false
  }
}
