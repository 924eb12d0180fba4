/// Power supplies of the machine, `/sys/class/power_supply`.
package enum PowerSupplies {
  package static let directory = "/sys/class/power_supply"
  /// Largest number of bytes that are read of a file, which has one word.
  private static let byteCountMax = 4_096

  /// Returns the name of the battery that the machine runs on; `nil` if it runs on mains power or has no battery.
  ///
  /// A battery is in use if it discharges and no other supply is online. Supplies of devices, for example the battery of a mouse,
  /// do not count. A supply is online if its file `online` has any number but 0: some supplies with a selectable voltage have 2.
  package static func batteryInUse(in directory: String = directory) -> String? {
    guard let names = try? DirectoryListing.names(in: directory) else { return nil }
    var battery: String?
    for name in names {
      func word(_ file: String) -> String? {
        guard let contents = try? FileContents.read("\(directory)/\(name)/\(file)", limit: byteCountMax)
        else { return nil }
        return String(decoding: contents.bytes.prefix { $0 != 0x0A }, as: UTF8.self)
      }
      if word("scope") == "Device" { continue }
      switch word("type") {
      case "Battery"?:
        if word("status") == "Discharging" { battery = battery ?? name }
      case "Mains"?, "USB"?:
        if let online = word("online"), online != "0" { return nil }
      default: break
      }
    }
    return battery
  }
}
