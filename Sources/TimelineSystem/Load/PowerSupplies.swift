/// Power supplies of the machine, `/sys/class/power_supply`.
package enum PowerSupplies {
  /// The directory of the kernel.
  package static let directory = "/sys/class/power_supply"
  /// The files have one word each.
  private static let byteCountMax = 4_096

  /// Returns the name of the battery that the machine runs on; `nil` for one on mains power, and for one without a battery.
  ///
  /// A battery is in use when it discharges and no other supply is online. Supplies of devices, for example the battery of a mouse, do
  /// not count. A supply is online with each number but 0: some have 2 for one whose voltage can be chosen.
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
