internal import CSystemd
internal import Glibc

/// Properties of the unit that this process belongs to, from systemd itself.
///
/// systemd stops a service by the same signal for a stop and for a restart. The reason is only in the manager's queue of jobs
/// (org.freedesktop.systemd1(5)).
package struct OwnSystemdUnit: Sendable, Hashable {
  /// Whether the unit is being stopped for a restart.
  package var isRestarting: Bool
  /// The number of descriptors that systemd keeps for the unit (`NFileDescriptorStore`).
  package var storedDescriptors: Int
  /// Whether a stop of the unit leaves its other processes running (`KillMode=process` or `none`).
  package var sparesChildren: Bool

  /// Queries the manager. Returns `nil` if there is no manager, or a query has no answer within `patience`.
  package static func ask(patience: Duration = .milliseconds(500)) -> OwnSystemdUnit? {
    guard let bus = unsafe SystemdManager.connect(patience: patience) else { return nil }
    defer { unsafe sd_bus_flush_close_unref(bus) }
    guard let job = unsafe job(bus), let stored = unsafe storedDescriptors(bus),
      let killMode = unsafe SystemdManager.text(
        bus, path: ownPath, interface: "Service", property: "KillMode")
    else { return nil }
    return OwnSystemdUnit(
      isRestarting: job == "restart", storedDescriptors: stored,
      sparesChildren: ["process", "none"].contains(killMode))
  }

  /// The manager resolves this path to the caller's unit, by the credentials of the connection that the kernel reports.
  static let ownPath = "/org/freedesktop/systemd1/unit/self"

  /// Returns the type of the unit's job; empty if the unit has none, `nil` without an answer.
  private static func job(_ bus: OpaquePointer) -> String? {
    var reply: OpaquePointer?
    guard unsafe get(bus, ownPath, "Unit", "Job", "(uo)", &reply) else { return nil }
    defer { unsafe sd_bus_message_unref(reply) }
    var number: UInt32 = 0
    var path: UnsafePointer<CChar>?
    guard unsafe sd_bus_message_enter_container(reply, CChar(UInt8(ascii: "r")), "uo") >= 0,
      unsafe sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "u")), &number) >= 0,
      unsafe sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "o")), &path) >= 0,
      let name = unsafe path.map({ unsafe String(cString: $0) })
    else { return nil }
    return number == 0
      ? "" : unsafe SystemdManager.text(bus, path: name, interface: "Job", property: "JobType")
  }

  private static func storedDescriptors(_ bus: OpaquePointer) -> Int? {
    var reply: OpaquePointer?
    guard unsafe get(bus, ownPath, "Service", "NFileDescriptorStore", "u", &reply) else { return nil }
    defer { unsafe sd_bus_message_unref(reply) }
    var count: UInt32 = 0
    guard unsafe sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "u")), &count) >= 0 else { return nil }
    return Int(count)
  }

  private static func get(
    _ bus: OpaquePointer, _ path: String, _ interface: String, _ property: String, _ type: String,
    _ reply: UnsafeMutablePointer<OpaquePointer?>
  ) -> Bool {
    let manager = SystemdManager.name
    return unsafe sd_bus_get_property(
      bus, manager, path, "\(manager).\(interface)", property, nil, reply, type) >= 0
  }
}
