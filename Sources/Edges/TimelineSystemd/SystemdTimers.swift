internal import CSystemd
internal import Glibc

/// An active timer that a generator made from a file.
package struct SystemdTimer: Sendable {
  package var name: String
  /// The file (`SourcePath=`).
  package var sourcePath: String
  /// The units with which the timer is stopped (`PartOf=`).
  package var partOf: [String]

  package init(name: String, sourcePath: String, partOf: [String]) {
    (self.name, self.sourcePath, self.partOf) = (name, sourcePath, partOf)
  }
}

extension SystemdUnits {
  /// Returns the active timers that name a source file, including waiting timers. Returns `nil` if a query has no answer within
  /// `patience`, because the timer without an answer may be the one that matters.
  package static func activeTimers(patience: Duration = .milliseconds(500)) -> [SystemdTimer]? {
    guard let bus = unsafe SystemdManager.connect(patience: patience) else { return nil }
    defer { unsafe sd_bus_flush_close_unref(bus) }
    guard let units = unsafe SystemdManager.activeUnits(bus, pattern: "*.timer") else { return nil }
    var timers: [SystemdTimer] = []
    for (name, path) in units {
      guard
        let source = unsafe SystemdManager.text(bus, path: path, interface: "Unit", property: "SourcePath")
      else { return nil }
      guard !source.isEmpty else { continue }
      // Without an answer, `partOf` stays empty: the timer is active in any case.
      let units = unsafe SystemdManager.texts(bus, path: path, interface: "Unit", property: "PartOf") ?? []
      timers.append(SystemdTimer(name: name, sourcePath: source, partOf: units))
    }
    return timers
  }
}

extension SystemdManager {
  /// Returns names and paths of active units; `nil` if there is no answer.
  fileprivate static func activeUnits(
    _ bus: OpaquePointer, pattern: String
  ) -> [(name: String, path: String)]? {
    var message: OpaquePointer?
    guard
      unsafe sd_bus_message_new_method_call(
        bus, &message, name, "/org/freedesktop/systemd1", "\(name).Manager", "ListUnitsByPatterns") >= 0
    else { return nil }
    defer { unsafe sd_bus_message_unref(message) }
    for word in ["active", pattern] {
      guard unsafe sd_bus_message_open_container(message, array, "s") >= 0,
        unsafe word.withCString({ unsafe sd_bus_message_append_basic(message, string, $0) }) >= 0,
        unsafe sd_bus_message_close_container(message) >= 0
      else { return nil }
    }
    var reply: OpaquePointer?
    guard unsafe sd_bus_call(bus, message, 0, nil, &reply) >= 0 else { return nil }
    defer { unsafe sd_bus_message_unref(reply) }
    guard unsafe sd_bus_message_enter_container(reply, array, "(ssssssouso)") >= 0 else { return nil }
    var units: [(name: String, path: String)] = []
    while true {
      let code = unsafe sd_bus_message_enter_container(reply, CChar(UInt8(ascii: "r")), "ssssssouso")
      if code == 0 { return units }
      guard code > 0, let unit = unsafe word(of: reply, string),
        unsafe sd_bus_message_skip(reply, "sssss") >= 0,
        let path = unsafe word(of: reply, CChar(UInt8(ascii: "o"))),
        unsafe sd_bus_message_skip(reply, "uso") >= 0, unsafe sd_bus_message_exit_container(reply) >= 0
      else { return nil }
      units.append((unit, path))
    }
  }

  private static var array: CChar { CChar(UInt8(ascii: "a")) }
  private static var string: CChar { CChar(UInt8(ascii: "s")) }

  private static func word(of message: OpaquePointer?, _ type: CChar) -> String? {
    var text: UnsafePointer<CChar>?
    guard unsafe sd_bus_message_read_basic(message, type, &text) > 0 else { return nil }
    return unsafe text.map { unsafe String(cString: $0) }
  }
}
