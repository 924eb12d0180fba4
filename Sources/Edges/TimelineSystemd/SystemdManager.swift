internal import CSystemd
internal import Glibc

/// Queries of the systemd that manages this machine.
enum SystemdManager {
  static let name = "org.freedesktop.systemd1"

  /// Connects to the manager. Returns `nil` if there is none. Each call on the connection takes at most `patience`.
  ///
  /// Root connects to the manager directly, as systemctl does, so that no message bus is needed. Other users connect through the
  /// system bus.
  static func connect(patience: Duration) -> OpaquePointer? {
    guard let bus = unsafe connect() else { return nil }
    let (seconds, attoseconds) = patience.components
    unsafe sd_bus_set_method_call_timeout(
      bus, UInt64(clamping: seconds) * 1_000_000 + UInt64(clamping: attoseconds / 1_000_000_000_000))
    return unsafe bus
  }

  private static func connect() -> OpaquePointer? {
    var bus: OpaquePointer?
    if geteuid() == 0, unsafe sd_bus_new(&bus) >= 0 {
      if unsafe sd_bus_set_address(bus, "unix:path=/run/systemd/private") >= 0, unsafe sd_bus_start(bus) >= 0
      {
        return unsafe bus
      }
      unsafe sd_bus_unref(bus)
      unsafe bus = nil
    }
    return unsafe sd_bus_open_system(&bus) >= 0 ? bus : nil
  }

  /// Returns the text of a property of an object; `nil` if there is no answer.
  static func text(
    _ bus: OpaquePointer, path: String, interface: String, property: String
  ) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    let code = unsafe sd_bus_get_property_string(
      bus, name, path, "\(name).\(interface)", property, nil, &value)
    defer { unsafe free(value) }
    guard code >= 0 else { return nil }
    return unsafe value.map { unsafe String(cString: $0) }
  }

  /// Returns the words of a property of an object; `nil` if there is no answer.
  static func texts(
    _ bus: OpaquePointer, path: String, interface: String, property: String
  ) -> [String]? {
    var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let code = unsafe sd_bus_get_property_strv(
      bus, name, path, "\(name).\(interface)", property, nil, &values)
    guard code >= 0, let values = unsafe values else { return nil }
    defer { unsafe free(values) }
    var texts: [String] = []
    var next = unsafe values
    while let text = unsafe next.pointee {
      texts.append(unsafe String(cString: text))
      unsafe free(text)
      unsafe next += 1
    }
    return texts
  }

  /// Calls a method of the manager with words. Returns whether it succeeded.
  static func call(_ bus: OpaquePointer, _ method: String, _ words: [String]) -> Bool {
    var message: OpaquePointer?
    guard
      unsafe sd_bus_message_new_method_call(
        bus, &message, name, "/org/freedesktop/systemd1", "\(name).Manager", method) >= 0
    else { return false }
    defer { unsafe sd_bus_message_unref(message) }
    for word in words {
      let code = unsafe word.withCString {
        unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0)
      }
      if code < 0 { return false }
    }
    return unsafe sd_bus_call(bus, message, 0, nil, nil) >= 0
  }
}

/// Units of this machine, as systemd has them.
package enum SystemdUnits {
  /// Returns the services of `services` (names such as `cron.service`) that are active or are changing to or from that state.
  /// Returns `nil` if there is no manager, or a query has no answer within `patience`.
  package static func active(
    among services: [String], patience: Duration = .milliseconds(500)
  ) -> [String]? {
    guard let bus = unsafe SystemdManager.connect(patience: patience) else { return nil }
    defer { unsafe sd_bus_flush_close_unref(bus) }
    var active: [String] = []
    for service in services {
      let state = unsafe SystemdManager.text(
        bus, path: path(of: service), interface: "Unit", property: "ActiveState")
      guard let state else { return nil }
      if !["inactive", "failed"].contains(state) { active.append(service) }
    }
    return active
  }

  /// Returns the capabilities that processes of `service` can have; bit n stands for capability n (capabilities(7)). Returns
  /// `nil` if there is no such unit, no manager, or a query has no answer within `patience`.
  package static func capabilities(
    of service: String, patience: Duration = .milliseconds(500)
  ) -> UInt64? {
    unsafe property(of: service, patience) { bus, path, interface in
      var value: UInt64 = 0
      let code = unsafe sd_bus_get_property_trivial(
        bus, SystemdManager.name, path, interface, "CapabilityBoundingSet", nil, CChar(UInt8(ascii: "t")),
        &value)
      return code >= 0 ? value : nil
    }
  }

  /// Returns the controllers of control groups that systemd delegates to `service` (`Delegate=`). Returns `nil` if there is no
  /// such unit, no manager, or a query has no answer within `patience`.
  package static func delegatedControllers(
    of service: String, patience: Duration = .milliseconds(500)
  ) -> Set<String>? {
    unsafe property(of: service, patience) { bus, path, _ in
      unsafe SystemdManager.texts(bus, path: path, interface: "Service", property: "DelegateControllers")
        .map(Set.init)
    }
  }

  /// Reads a property of a loaded service. `body` receives the connection, the service's path and the interface.
  private static func property<Value>(
    of service: String, _ patience: Duration, _ body: (OpaquePointer, String, String) -> Value?
  ) -> Value? {
    guard let bus = unsafe SystemdManager.connect(patience: patience) else { return nil }
    defer { unsafe sd_bus_flush_close_unref(bus) }
    let path = path(of: service)
    let state = unsafe SystemdManager.text(bus, path: path, interface: "Unit", property: "LoadState")
    guard state == "loaded" else { return nil }
    return unsafe body(bus, path, "\(SystemdManager.name).Service")
  }

  /// Returns the state of `service` (`ActiveState`), the kind of its failure (`Result`) and the exit status of its main process.
  /// Returns `nil` if there is no such unit, no manager, or a query has no answer within `patience`.
  package static func state(
    of service: String, patience: Duration = .milliseconds(500)
  ) -> (active: String, result: String, exitStatus: Int32)? {
    unsafe property(of: service, patience) { bus, path, interface in
      var status: Int32 = 0
      let code = unsafe sd_bus_get_property_trivial(
        bus, SystemdManager.name, path, interface, "ExecMainStatus", nil, CChar(UInt8(ascii: "i")), &status)
      let active = unsafe SystemdManager.text(bus, path: path, interface: "Unit", property: "ActiveState")
      let result = unsafe SystemdManager.text(bus, path: path, interface: "Service", property: "Result")
      guard code >= 0, let active, let result else { return nil }
      return (active, result, status)
    }
  }

  /// Returns the path of a unit's object. Bytes other than letters and digits are escaped.
  static func path(of unit: String) -> String {
    var path: UnsafeMutablePointer<CChar>?
    guard unsafe sd_bus_path_encode("/org/freedesktop/systemd1/unit", unit, &path) >= 0 else { return "/" }
    defer { unsafe free(path) }
    return unsafe path.map { unsafe String(cString: $0) } ?? "/"
  }
}
